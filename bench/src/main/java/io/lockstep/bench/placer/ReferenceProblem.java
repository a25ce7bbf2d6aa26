package io.lockstep.bench.placer;

import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.profile.Cover;
import io.lockstep.placer.profile.LayerKind;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Which rules of a set the TCAM of a switch is to hold, as plain numbers: what a reference is given
 * in place of the placer's own view. Rules are numbered by descending priority. Used by one thread.
 */
final class ReferenceProblem {
  /** Splits for one question whether a part of a match remains. */
  private static final int MOST_SPLITS = 4096;

  private final List<WeightedRule> rules;
  private final HeaderField[] fields;
  private final List<Cube> cubes = new ArrayList<>();
  private final int[] units;
  private final int[] early;
  private final boolean isCovering;
  private final long capacity;

  /**
   * A problem.
   *
   * @param profile whose last hardware layer is filled, up to its reserve
   */
  ReferenceProblem(SwitchProfile profile, List<WeightedRule> wanted) {
    rules = new ArrayList<>(wanted);
    rules.sort(
        Comparator.<WeightedRule>comparingInt(one -> one.rule().key().priority()).reversed());
    int tcam = PlacerRun.tcam(profile);
    LayerProfile layer = profile.layers().get(tcam);
    fields = fields(rules);
    for (WeightedRule one : rules) {
      cubes.add(Cube.of(one.rule().key().match(), fields));
    }
    units = new int[rules.size()];
    early = new int[rules.size()];
    long[] used = new long[tcam];
    for (int i = 0; i < units.length; i++) {
      TernaryMatch match = rules.get(i).rule().key().match();
      early[i] = early(profile, i, used);
      units[i] =
          early[i] < 0 && profile.holds(tcam, match, 0)
              ? layer.capacity().plannedUnitsOf(match.fields())
              : 0;
    }
    isCovering = layer.cover() != Cover.NONE;
    capacity = layer.capacity().units() - layer.reserveUnits();
  }

  /**
   * The first layer before the TCAM that has room for a rule which shares packets with no other; -1
   * for none. Its entry there concerns nothing else, so no choice is better without it.
   */
  private int early(SwitchProfile profile, int number, long[] used) {
    TernaryMatch match = rules.get(number).rule().key().match();
    for (int layer = 0; profile.locationsVisible() && layer < used.length; layer++) {
      LayerProfile table = profile.layers().get(layer);
      int price = table.capacity().plannedUnitsOf(match.fields());
      if (table.kind() == LayerKind.HARDWARE
          && profile.holds(layer, match, 0)
          && used[layer] + price <= table.capacity().units() - table.reserveUnits()
          && isAlone(number)) {
        used[layer] += price;
        return layer;
      }
    }
    return -1;
  }

  private boolean isAlone(int number) {
    for (int i = 0; i < cubes.size(); i++) {
      if (i != number && cubes.get(i).overlaps(cubes.get(number))) {
        return false;
      }
    }
    return true;
  }

  private static HeaderField[] fields(List<WeightedRule> rules) {
    int used = 0;
    for (WeightedRule one : rules) {
      used |= one.rule().key().match().fields();
    }
    List<HeaderField> fields = new ArrayList<>();
    for (HeaderField field : HeaderField.values()) {
      if ((used & field.bit()) != 0) {
        fields.add(field);
      }
    }
    return fields.toArray(HeaderField[]::new);
  }

  int size() {
    return rules.size();
  }

  WeightedRule rule(int number) {
    return rules.get(number);
  }

  Cube cube(int number) {
    return cubes.get(number);
  }

  double weight(int number) {
    return rules.get(number).weight();
  }

  /** The hardware layer before the TCAM in which a rule is in any case; -1 for none. */
  int earlyLayer(int number) {
    return early[number];
  }

  /**
   * Units of the rule's entry, and of a cover with its match; 0 where the TCAM cannot hold it, or
   * need not.
   */
  int units(int number) {
    return units[number];
  }

  /** Whether an entry can send packets on to the next layer. */
  boolean isCovering() {
    return isCovering;
  }

  /** Units for entries. */
  long capacity() {
    return capacity;
  }

  /** Rules above that match a packet in common with this one, by descending priority. */
  int[] above(int number) {
    int[] found = new int[number];
    int count = 0;
    for (int i = 0; i < number; i++) {
      if (cubes.get(i).overlaps(cubes.get(number))) {
        found[count++] = i;
      }
    }
    return Arrays.copyOf(found, count);
  }

  /** Whether a packet is in the cube and in none of these rules. */
  boolean remains(Cube cube, int[] cuts, int from, int to) {
    List<Cube> overlapping = new ArrayList<>();
    for (int i = from; i < to; i++) {
      Cube cut = cubes.get(cuts[i]);
      if (cut.overlaps(cube)) {
        overlapping.add(cut);
      }
    }
    return cube.remains(overlapping, MOST_SPLITS);
  }

  /**
   * A packet that is the rule's: a value for each field of the rules; empty where none is found.
   */
  Map<HeaderField, Long> packet(int number) {
    List<Cube> cuts = new ArrayList<>();
    for (int above : above(number)) {
      cuts.add(cubes.get(above));
    }
    Cube part = cubes.get(number).part(cuts, MOST_SPLITS);
    Map<HeaderField, Long> packet = new EnumMap<>(HeaderField.class);
    for (int i = 0; part != null && i < fields.length; i++) {
      packet.put(fields[i], part.value(i));
    }
    return packet;
  }
}
