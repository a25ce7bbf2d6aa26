package io.lockstep.history.mixed.load;

import io.lockstep.history.mixed.Step;
import io.lockstep.history.mixed.Step.Cell;
import io.lockstep.history.mixed.Step.Guard;
import io.lockstep.history.mixed.Step.Op;
import io.lockstep.history.mixed.Step.Range;
import io.lockstep.history.mixed.Step.ReadEntry;
import io.lockstep.history.mixed.Step.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Batches and components over two tables, scans of each, and large values. */
final class MixedScript implements Script {
  private static final int KEYS = 12;
  private static final int LARGE_KEYS = 3;
  private static final int MOST_CELLS = 5;

  private final String name;
  private final Random random;
  private final int largestValueBytes;
  private final Map<Cell, Long> versions = new HashMap<>();
  private long written;

  /**
   * A script.
   *
   * @param name of the client, which its values carry
   * @param largestValueBytes that the store takes
   */
  MixedScript(String name, int largestValueBytes, Random random) {
    this.name = name;
    this.largestValueBytes = largestValueBytes;
    this.random = random;
  }

  @Override
  public Ask next() {
    int draw = random.nextInt(100);
    if (draw < 28) {
      return Ask.batch(Op.BATCH, List.of(), cells(random.nextInt(3)), writes());
    } else if (draw < 40) {
      return guarded();
    } else if (draw < 52) {
      return Ask.exchange(cells(2 + random.nextInt(MOST_CELLS - 1)), value());
    } else if (draw < 64) {
      // Reads over both tables, at one index that the answer names.
      return Ask.batch(Op.BATCH, List.of(), cells(MOST_CELLS), List.of());
    } else if (draw < 95) {
      return scan();
    }
    Cell large = new Cell(MixedTables.LARGE, "big" + random.nextInt(LARGE_KEYS));
    return draw < 97 ? Ask.get(large) : Ask.put(large, Values.text(value(), length()));
  }

  @Override
  public void ended(Step step) {
    step.reads().forEach(this::remember);
    Long index = step.index();
    if (index != null) {
      step.writes()
          .forEach(write -> versions.put(write.cell(), write.value() == null ? 0L : index));
    }
  }

  private void remember(ReadEntry seen) {
    versions.put(seen.cell(), seen.version());
  }

  private String value() {
    return name + "." + written++;
  }

  private Cell cell() {
    String table = random.nextBoolean() ? MixedTables.LEFT : MixedTables.RIGHT;
    return new Cell(table, key(random.nextInt(KEYS)));
  }

  private static String key(int number) {
    return String.format("k%02d", number);
  }

  private List<Cell> cells(int count) {
    Set<Cell> cells = new LinkedHashSet<>();
    while (cells.size() < count) {
      cells.add(cell());
    }
    return List.copyOf(cells);
  }

  /**
   * Over both tables, one value for all, so that a reader knows the batch; now and then removes.
   */
  private List<Write> writes() {
    String value = value();
    int key = random.nextInt(KEYS);
    List<Write> writes = new ArrayList<>();
    writes.add(new Write(MixedTables.LEFT, key(key), value));
    writes.add(new Write(MixedTables.RIGHT, key(key), value));
    for (Cell cell : cells(random.nextInt(3))) {
      if (!cell.key().equals(key(key))) {
        boolean removes = random.nextInt(3) == 0;
        writes.add(new Write(cell.table(), cell.key(), removes ? null : value));
      }
    }
    return writes;
  }

  /** What it decides on are the versions that this client saw last, which may be outdated. */
  private Ask guarded() {
    List<Guard> guards = new ArrayList<>();
    for (Cell cell : cells(1 + random.nextInt(2))) {
      guards.add(new Guard(cell.table(), cell.key(), versions.getOrDefault(cell, 0L)));
    }
    return Ask.batch(Op.BATCH, guards, List.of(), writes());
  }

  private Ask scan() {
    String table = random.nextBoolean() ? MixedTables.LEFT : MixedTables.RIGHT;
    if (random.nextInt(3) > 0) {
      return Ask.scan(new Range(table, "", null));
    }
    int from = random.nextInt(KEYS);
    return Ask.scan(new Range(table, key(from), key(from + 1 + random.nextInt(KEYS))));
  }

  /** Mostly some kilobytes, now and then all that the store takes. */
  private int length() {
    int usual = Values.SHORT_BYTES + 1 + random.nextInt(16 << 10);
    int draw = random.nextInt(8);
    return draw == 0
        ? largestValueBytes
        : draw == 1 ? usual + random.nextInt(largestValueBytes / 2) : usual;
  }
}
