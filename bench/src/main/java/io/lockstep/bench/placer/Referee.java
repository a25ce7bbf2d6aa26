package io.lockstep.bench.placer;

import io.lockstep.core.placer.Logical;
import io.lockstep.core.placer.RuleKey;
import io.lockstep.core.placer.Step;
import io.lockstep.core.placer.space.HeaderField;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Carries out steps on plain lists and looks whether the layers together do what the table says,
 * for random packets and packets at the corners of rules and of what rules have in common. Knows
 * nothing of how the placer works: it reads numbers out of matches and compares them one list after
 * the other. One thread.
 */
final class Referee {
  private static final HeaderField[] FIELDS = HeaderField.values();
  private static final int PLAIN = FIELDS.length - 1;

  private record Line(int priority, long[] values, long[] masks, @Nullable Object action) {
    boolean matches(long[] packet) {
      for (int i = 0; i < PLAIN; i++) {
        if (((packet[i] ^ values[i]) & masks[i]) != 0) {
          return false;
        }
      }
      return true;
    }
  }

  private static final Object MISS = "miss";
  private final List<Line> table = new ArrayList<>();
  private final List<List<Line>> layers = new ArrayList<>();
  private final Random random;
  private long packets;
  private long mismatches;

  Referee(int layers, Random random) {
    this.random = random;
    for (int i = 0; i < layers; i++) {
      this.layers.add(new ArrayList<>());
    }
  }

  long packets() {
    return packets;
  }

  long mismatches() {
    return mismatches;
  }

  private static Line line(RuleKey key, @Nullable Object action) {
    long[] values = new long[PLAIN];
    long[] masks = new long[PLAIN];
    for (int i = 0; i < PLAIN; i++) {
      values[i] = key.match().value(FIELDS[i]);
      masks[i] = key.match().mask(FIELDS[i]);
    }
    return new Line(key.priority(), values, masks, action);
  }

  /** Does what a step says, then looks at so many packets. */
  void step(Step step, int look) {
    if (step.flowMod()) {
      List<Line> layer = layers.get(step.layer());
      Line line = line(step.entry(), step.treatment());
      boolean there = layer.removeIf(old -> same(old, line));
      if (there == (step.kind() == Step.Kind.ADD)) {
        mismatches++; // an entry that is there is added, or one that is not is changed
      }
      if (step.kind() != Step.Kind.DELETE) {
        layer.add(line);
      }
    }
    Logical logical = step.logical();
    if (logical instanceof Logical.Put put) {
      Line line = line(put.rule().key(), put.rule().treatment());
      table.removeIf(old -> same(old, line));
      table.add(line);
    } else if (logical instanceof Logical.Drop drop) {
      Line line = line(drop.key(), null);
      table.removeIf(old -> same(old, line));
    } else if (logical instanceof Logical.Fill fill) {
      fill.rules().forEach(one -> table.add(line(one.rule().key(), one.rule().treatment())));
    }
    look(look);
  }

  /** Looks at so many packets. */
  void look(int count) {
    for (int i = 0; i < count; i++) {
      look(packet());
    }
  }

  private static boolean same(Line a, Line b) {
    if (a.priority != b.priority) {
      return false;
    }
    for (int i = 0; i < PLAIN; i++) {
      if (a.values[i] != b.values[i] || a.masks[i] != b.masks[i]) {
        return false;
      }
    }
    return true;
  }

  private void look(long[] packet) {
    packets++;
    Object wanted = winner(table, packet);
    Object found = null;
    for (int i = 0; i < layers.size() && found == null; i++) {
      Object action = winner(layers.get(i), packet);
      found = MISS.equals(action) ? null : action;
    }
    // What no layer treats comes to the controller, which asks the table itself.
    if (found != null && !found.equals(wanted)) {
      mismatches++;
    }
  }

  /** The action of the best entry; null for one that asks the next layer. */
  private static @Nullable Object winner(List<Line> lines, long[] packet) {
    Line best = null;
    for (Line line : lines) {
      if ((best == null || line.priority > best.priority) && line.matches(packet)) {
        best = line;
      }
    }
    return best == null ? MISS : best.action;
  }

  private long[] packet() {
    long[] packet = new long[PLAIN];
    int corner = random.nextInt(4);
    for (int i = 0; i < PLAIN; i++) {
      long filling = corner == 0 ? 0 : corner == 1 ? -1 : random.nextLong();
      packet[i] = filling & FIELDS[i].full();
    }
    for (int n = table.isEmpty() ? 0 : random.nextInt(4); n > 0; n--) {
      Line line = table.get(random.nextInt(table.size()));
      for (int i = 0; i < PLAIN; i++) {
        packet[i] = (packet[i] & ~line.masks[i]) | line.values[i];
      }
      if (n == 1 && random.nextInt(4) == 0) {
        int field = random.nextInt(PLAIN);
        packet[field] ^= Long.lowestOneBit(line.masks[field]); // one step over the border
      }
    }
    return packet;
  }
}
