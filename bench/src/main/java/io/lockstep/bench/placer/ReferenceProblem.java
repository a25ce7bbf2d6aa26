package io.lockstep.bench.placer;

import io.lockstep.placer.Rule;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.profile.Cover;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
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
    units = new int[rules.size()];
    for (int i = 0; i < units.length; i++) {
      Rule rule = rules.get(i).rule();
      cubes.add(Cube.of(rule.key().match(), fields));
      units[i] =
          profile.holds(tcam, rule.key().match(), 0)
              ? layer.capacity().plannedUnitsOf(rule.key().match().fields())
              : 0;
    }
    isCovering = layer.cover() != Cover.NONE;
    capacity = layer.capacity().units() - layer.reserveUnits();
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

  /** Units of the rule's entry, and of a cover with its match; 0 where the TCAM cannot hold it. */
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
