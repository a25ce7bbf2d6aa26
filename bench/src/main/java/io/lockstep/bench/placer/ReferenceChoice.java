package io.lockstep.bench.placer;

import io.lockstep.placer.LogicalChange;
import io.lockstep.placer.Step;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a reference puts into the TCAM, beside the rules that an earlier layer has in any case.
 *
 * @param problem that it solves
 * @param rules that the TCAM serves, by number
 * @param covers rules whose match sends packets on to the next layer, by number; none of {@code
 *     rules}
 */
record ReferenceChoice(ReferenceProblem problem, BitSet rules, BitSet covers) {
  /** Units that it takes. */
  long used() {
    long used = 0;
    for (int i = 0; i < problem.size(); i++) {
      used += rules.get(i) || covers.get(i) ? problem.units(i) : 0;
    }
    return used;
  }

  /** The part of all traffic that hardware serves. */
  double hardwareTrafficShare() {
    double all = 0;
    double hardware = 0;
    for (int i = 0; i < problem.size(); i++) {
      all += problem.weight(i);
      hardware += rules.get(i) || problem.earlyLayer(i) >= 0 ? problem.weight(i) : 0;
    }
    return all == 0 ? 0 : hardware / all;
  }

  /**
   * Packets that the layers do not treat as the table says, and 1 more where the choice takes more
   * than there is.
   */
  long mismatches(SwitchProfile profile, int packets, long seed) {
    Referee referee = new Referee(profile.controller(), new Random(seed));
    steps(profile).forEach(step -> referee.step(step, 0));
    referee.look(packets);
    return referee.mismatches() + (used() > problem.capacity() ? 1 : 0);
  }

  /** What fills an empty switch: the rest is in the layer behind, or at the controller. */
  private List<Step> steps(SwitchProfile profile) {
    int tcam = PlacerRun.tcam(profile);
    int behind = tcam + 1;
    List<WeightedRule> all = new ArrayList<>();
    for (int i = 0; i < problem.size(); i++) {
      all.add(problem.rule(i));
    }
    List<Step> steps = new ArrayList<>();
    steps.add(
        new Step(
            Step.Kind.NOTE,
            -1,
            all.get(0).rule().key(),
            all.get(0).rule().key(),
            null,
            true,
            new LogicalChange.Fill(all, Map.of())));
    for (int i = 0; i < problem.size(); i++) {
      if (problem.earlyLayer(i) >= 0) {
        steps.add(add(problem.earlyLayer(i), i, false));
        continue;
      }
      if (!rules.get(i) && behind < profile.controller()) {
        steps.add(add(behind, i, false));
      }
      if (rules.get(i) || covers.get(i)) {
        steps.add(add(tcam, i, covers.get(i)));
      }
    }
    return steps;
  }

  private Step add(int layer, int number, boolean isCover) {
    WeightedRule one = problem.rule(number);
    return new Step(
        Step.Kind.ADD,
        layer,
        one.rule().key(),
        one.rule().key(),
        isCover ? null : one.rule().treatment(),
        false,
        null);
  }
}
