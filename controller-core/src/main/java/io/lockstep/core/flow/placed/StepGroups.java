package io.lockstep.core.flow.placed;

import io.lockstep.placer.Change;
import io.lockstep.placer.LogicalChange;
import io.lockstep.placer.Placer;
import io.lockstep.placer.Plan;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.Step;
import io.lockstep.placer.profile.LayerProfile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Divides the steps of a plan into groups that the switch gets together, in any order. A packet
 * meets only entries that match it, and two entries that match one packet overlap. So steps whose
 * entries do not overlap may be done in any order, or in part: each packet sees a state of the
 * plan. Overlapping steps keep their order, in different groups. A step that changes the logical
 * table is a group of its own, behind all steps before it. See ADR 0047.
 *
 * <p>Steps that give hidden rules their entries may overlap each other: until the rule that hides
 * them leaves, no packet reaches them. Control loop only.
 */
final class StepGroups {
  /** Flow-mods before one barrier; also the most steps that one search passes over. */
  static final int MOST = 512;

  private final List<Step> steps;
  private final Placer placer;
  private final List<LayerProfile> layers;
  private final @Nullable RuleKey hiding;
  private final Set<RuleKey> hidden = new HashSet<>();
  private final BitSet done = new BitSet();

  StepGroups(Plan plan, SwitchPlacement placement) {
    steps = plan.steps();
    placer = placement.placer();
    layers = placement.pipeline().profile().layers();
    hiding = plan.change() instanceof Change.Prepare prepare ? prepare.leaving() : null;
    for (Step step : steps) {
      if (step.logical() instanceof LogicalChange.Live live && live.live()) {
        hidden.add(live.key());
      }
    }
  }

  /**
   * Takes the next group: the numbers of its steps, ascending. The caller confirms them before it
   * calls again. Empty at the end of the plan.
   */
  List<Integer> next() {
    List<Integer> group = new ArrayList<>();
    Passed sent = new Passed();
    Passed waiting = new Passed();
    long[] room = new long[layers.size()];
    for (int layer = 0; layer < room.length; layer++) {
      room[layer] = placer.capacityOf(layer) - placer.usedIn(layer);
    }
    for (int i = done.nextClearBit(0); i < steps.size(); i = done.nextClearBit(i + 1)) {
      Step step = steps.get(i);
      if (turns(step)) {
        if (group.isEmpty()) {
          group.add(i);
        }
        break;
      }
      boolean fits = step.kind() != Step.Kind.ADD || (room[step.layer()] -= units(step)) >= 0;
      boolean reached = isReached(step);
      boolean first = group.isEmpty() && waiting.size == 0;
      boolean waits = waiting.meets(step, reached) || (step.flowMod() && sent.meets(step, reached));
      if (first || (fits && !waits)) {
        group.add(i);
        if (step.flowMod()) {
          sent.add(step, reached);
        }
      } else {
        waiting.add(step, reached);
      }
      if (sent.size == MOST || waiting.size == MOST) {
        break;
      }
    }
    group.forEach(done::set);
    return group;
  }

  /** Steps that a later one must not join or overtake if a packet can meet both. */
  private static final class Passed {
    private final List<Step> reached = new ArrayList<>();
    private final List<Step> unreached = new ArrayList<>();
    private int size;

    void add(Step step, boolean isReached) {
      (isReached ? reached : unreached).add(step);
      size++;
    }

    boolean meets(Step step, boolean isReached) {
      return overlaps(reached, step) || (isReached && overlaps(unreached, step));
    }

    private static boolean overlaps(List<Step> steps, Step step) {
      for (Step other : steps) {
        if (step.entry().match().overlaps(other.entry().match())) {
          return true;
        }
      }
      return false;
    }
  }

  /** Whether the logical table or a capacity changes with a step. */
  private static boolean turns(Step step) {
    boolean onlyLive = step.logical() == null || step.logical() instanceof LogicalChange.Live;
    return step.visible() || !onlyLive;
  }

  private int units(Step add) {
    return layers.get(add.layer()).capacity().plannedUnitsOf(add.entry().match().fields());
  }

  /** No packet reaches a new entry of a hidden rule while the rule that hides it is there. */
  private boolean isReached(Step step) {
    RuleKey above = hiding;
    return above == null
        || step.kind() != Step.Kind.ADD
        || !hidden.contains(step.rule())
        || placer.layerOf(above) > step.layer()
        || !above.match().covers(step.entry().match());
  }
}
