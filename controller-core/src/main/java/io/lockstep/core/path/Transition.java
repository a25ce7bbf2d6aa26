package io.lockstep.core.path;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one version of a path becomes another without a loop and without a loss; the proof is in
 * docs/adr/0033. Pure.
 *
 * @param prepared rules that no packet of the old version meets, or that both versions have
 * @param steps done one after the other, each confirmed and followed by the time in flight
 * @param gone rules of the old version that no packet meets any more behind the last step
 */
record Transition(List<SlotRule> prepared, List<Step> steps, List<SlotRule> gone) {

  /**
   * A change of one rule that packets of the old version meet.
   *
   * @param now the rule afterwards; null where there is none
   * @param before the rule until then; null where there was none
   */
  record Step(@Nullable SlotRule now, @Nullable SlotRule before) {
    /** The same in the other direction. */
    Step reversed() {
      return new Step(before, now);
    }

    /** The slot that the step changes. */
    PathSlot slot() {
      SlotRule one = now != null ? now : before;
      if (one == null) {
        throw new IllegalStateException("a step that changes nothing");
      }
      return one.slot();
    }
  }

  /** The way from one version to another. */
  static Transition of(Route from, Route to) {
    Map<PathSlot, SlotRule> old = bySlot(from);
    Map<PathSlot, SlotRule> next = bySlot(to);
    List<SlotRule> backwards = new ArrayList<>(next.values());
    Collections.reverse(backwards);
    List<SlotRule> prepared = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    for (SlotRule rule : backwards) {
      SlotRule before = old.get(rule.slot());
      boolean changed = before != null && !before.equals(rule);
      boolean entersHere = before == null && rule.slot().equals(to.ingress());
      if (changed || entersHere) {
        steps.add(new Step(rule, before));
      } else {
        prepared.add(rule);
      }
    }
    List<SlotRule> gone = new ArrayList<>();
    for (SlotRule rule : old.values()) {
      if (next.containsKey(rule.slot())) {
        continue;
      }
      if (rule.slot().equals(from.ingress())) {
        steps.add(new Step(null, rule));
      } else {
        gone.add(rule);
      }
    }
    return new Transition(prepared, steps, gone);
  }

  private static Map<PathSlot, SlotRule> bySlot(Route route) {
    Map<PathSlot, SlotRule> rules = new LinkedHashMap<>();
    route.rules().forEach(rule -> rules.put(rule.slot(), rule));
    return rules;
  }
}
