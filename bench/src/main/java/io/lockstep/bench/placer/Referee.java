package io.lockstep.bench.placer;

import static io.lockstep.bench.placer.RefereeList.FIELD_COUNT;
import static io.lockstep.bench.placer.RefereeList.MISS;

import io.lockstep.bench.placer.RefereeList.Line;
import io.lockstep.placer.LogicalChange;
import io.lockstep.placer.Step;
import io.lockstep.placer.space.HeaderField;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Carries out steps on plain lists and looks whether the layers together do what the table says,
 * for random packets and packets at the corners of rules and of what rules have in common. Knows
 * nothing of how the placer works: it reads numbers out of matches and compares them one list after
 * the other. One thread.
 */
final class Referee {
  private static final HeaderField[] FIELDS = HeaderField.values();

  private final RefereeList table = new RefereeList();
  private final List<RefereeList> layers = new ArrayList<>();
  private final SplittableRandom random;

  /** Fields that some rule matched on so far: all others make no difference. */
  private final List<Integer> fields = new ArrayList<>();

  private long packets;
  private long mismatches;

  Referee(int layers, Random seeds) {
    random = new SplittableRandom(seeds.nextLong());
    for (int i = 0; i < layers; i++) {
      this.layers.add(new RefereeList());
    }
  }

  long packets() {
    return packets;
  }

  long mismatches() {
    return mismatches;
  }

  /** Does what a step says, then looks at so many packets. */
  void step(Step step, int look) {
    if (step.flowMod()) {
      RefereeList layer = layers.get(step.layer());
      Line line = Line.of(step.entry(), step.treatment());
      boolean there = layer.remove(line);
      if (there == (step.kind() == Step.Kind.ADD)) {
        mismatches++; // an entry that is there is added, or one that is not is changed
      }
      if (step.kind() != Step.Kind.DELETE) {
        layer.add(line);
      }
    }
    LogicalChange logical = step.logical();
    if (logical instanceof LogicalChange.Put put) {
      put(Line.of(put.rule().key(), put.rule().treatment()));
    } else if (logical instanceof LogicalChange.Drop drop) {
      table.remove(Line.of(drop.key(), null));
    } else if (logical instanceof LogicalChange.Fill fill) {
      fill.rules().forEach(one -> put(Line.of(one.rule().key(), one.rule().treatment())));
    }
    look(look);
  }

  private void put(Line line) {
    table.remove(line);
    table.add(line);
    for (int field : line.fields()) {
      if (!fields.contains(field)) {
        fields.add(field);
      }
    }
  }

  /** Looks at so many packets. */
  void look(int count) {
    for (int i = 0; i < count; i++) {
      look(packet());
    }
  }

  private void look(long[] packet) {
    packets++;
    Object found = null;
    for (int i = 0; i < layers.size() && found == null; i++) {
      Object action = layers.get(i).winner(packet);
      found = MISS.equals(action) ? null : action;
    }
    // What no layer treats comes to the controller, which asks the table itself.
    if (found != null && !found.equals(table.winner(packet))) {
      mismatches++;
    }
  }

  private long[] packet() {
    long[] packet = new long[FIELD_COUNT];
    int corner = random.nextInt(4);
    for (int field : fields) {
      long filling = corner == 0 ? 0 : corner == 1 ? -1 : random.nextLong();
      packet[field] = filling & FIELDS[field].full();
    }
    for (int n = table.size() == 0 ? 0 : random.nextInt(4); n > 0; n--) {
      Line line = table.get(random.nextInt(table.size()));
      for (int i = 0; i < line.fields().length; i++) {
        int field = line.fields()[i];
        packet[field] = (packet[field] & ~line.masks()[i]) | line.values()[i];
      }
      if (n == 1 && line.fields().length > 0 && random.nextInt(4) == 0) {
        int which = random.nextInt(line.fields().length);
        // One step over the border.
        packet[line.fields()[which]] ^= Long.lowestOneBit(line.masks()[which]);
      }
    }
    return packet;
  }
}
