package io.lockstep.placer;

import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Places the rules of one switch. It answers a change with a plan. Its owner sends the steps one by
 * one, waits each time for the switch, and confirms the step to the placer. A plan changes nothing
 * by itself. If the switch refuses a step, {@link #refused} returns the plan to continue with.
 * Owned by one thread.
 */
public final class Placer {
  private final Placement placement;
  private final PlacerOptions options;
  private final ChangeSteps steps;

  /**
   * Creates a placer for a switch that holds no entries of this controller.
   *
   * @param switchName for messages
   */
  public Placer(String switchName, SwitchProfile profile, PlacerOptions options) {
    this(new Placement(switchName, profile, options.rewrites()), options);
  }

  Placer(Placement placement, PlacerOptions options) {
    this.placement = placement;
    this.options = options;
    this.steps = new ChangeSteps(options);
  }

  /**
   * Creates a placer from an image.
   *
   * @param pending the changes of the logical table by the plan that was interrupted, in the order
   *     of its steps; the image has the rules before it
   * @return a placer whose records include those pending changes that the switch shows, or a
   *     refusal if rules contradict each other
   */
  public static Optional<RestoredPlacer> restore(
      String switchName,
      SwitchProfile profile,
      PlacerOptions options,
      PlacementImage image,
      List<LogicalChange> pending) {
    RestoredPlacer first = null;
    try {
      for (int done = 0; done <= pending.size(); done++) {
        PlacementImage behind =
            image.withRules(PlacementRestorer.after(image.rules(), pending.subList(0, done)));
        RestoredPlacer restored =
            PlacementRestorer.restore(switchName, profile, options, behind, done);
        if (restored.conforms()) {
          return Optional.of(restored);
        }
        first = first == null ? restored : first;
      }
    } catch (PlacementRefusedException contradiction) {
      return Optional.empty();
    }
    return Optional.ofNullable(first);
  }

  /** Returns a plan for a change, or a refusal. This call changes nothing. */
  public Outcome plan(Change change) {
    boolean bounded = !(change instanceof Change.Fill || change instanceof Change.Resize);
    return plan(change, bounded ? placement.profile.maxFlowModsPerChange() : Integer.MAX_VALUE);
  }

  /**
   * The same with another bound.
   *
   * @param maxFlowMods the most flow-mods that the change may cost
   */
  public Outcome plan(Change change, int maxFlowMods) {
    Draft draft = new Draft(placement, maxFlowMods, options.controllerServes());
    try {
      change.accept(steps, draft);
      return new Plan(change, draft.finish());
    } catch (PlacementRefusedException blocked) {
      return blocked.refusal();
    } finally {
      draft.finish();
    }
  }

  /**
   * Why the switch cannot get all of these new rules, one after the other and each within the bound
   * of a change; null where it can. This call changes nothing.
   */
  public @Nullable Refusal whyNotAll(List<WeightedRule> wanted) {
    Draft draft =
        new Draft(placement, placement.profile.maxFlowModsPerChange(), options.controllerServes());
    Changes changes = new Changes(draft, options);
    try {
      for (WeightedRule one : wanted) {
        draft.nextChange();
        changes.add(one);
      }
      return null;
    } catch (PlacementRefusedException blocked) {
      return blocked.refusal();
    } finally {
      draft.finish();
    }
  }

  /**
   * Confirms a step: the switch carried it out, or it is a note, and all earlier steps are
   * confirmed.
   *
   * @param nowMillis the time, for {@link Explanation#sinceMillis}
   */
  public void confirm(Step step, long nowMillis) {
    placement.apply(step, nowMillis);
  }

  /** Confirms a whole plan. */
  public void confirm(Plan plan, long nowMillis) {
    plan.steps().forEach(step -> confirm(step, nowMillis));
  }

  /**
   * Reports that the switch refused a step, after all earlier steps were confirmed. The placer does
   * not plan the refused entry again for a while.
   *
   * @param full whether the switch said that the table is full; the present use of the layer then
   *     counts as its capacity
   * @return the plan to continue with: another way to make the change or, if the change is visible
   *     already, the rest of its clean-up; or a refusal. After a refusal a {@link Change.Tidy}
   *     deletes the entries that were prepared
   */
  public Outcome refused(Plan plan, int step, boolean full) {
    Step refused = plan.steps().get(step);
    LayerTable table = placement.layers.get(refused.layer());
    boolean adds = refused.kind() == Step.Kind.ADD;
    if (full && adds) {
      table.capacity = Math.min(table.capacity, table.used);
    } else if (refused.kind() != Step.Kind.DELETE) {
      table.learnRefused(refused.entry(), refused.cover());
    }
    boolean done = false;
    boolean toCome = false;
    for (int i = 0; i < plan.steps().size(); i++) {
      LogicalChange logical = plan.steps().get(i).logical();
      boolean changes = logical != null && !(logical instanceof LogicalChange.Live);
      done |= changes && i < step;
      toCome |= changes && i >= step;
    }
    if (toCome) {
      abandon(plan.steps().subList(0, step));
    }
    if (!toCome) {
      return plan.change() instanceof Change.Fill ? goOn(plan, step) : plan(new Change.Tidy());
    }
    if (refused.visible() && !adds) {
      return Draft.refusal(
          placement,
          Refusal.Reason.REFUSED_BY_SWITCH,
          refused.layer(),
          refused.rule(),
          "the switch refused the " + refused.kind() + " on which the change turns");
    }
    return done && plan.change() instanceof Change.Reprioritize half
        ? plan(new Change.Remove(half.key()))
        : plan(plan.change());
  }

  /** Plans the rest of a fill, without the entries that are not possible any more. */
  private Plan goOn(Plan plan, int step) {
    Draft draft = new Draft(placement, Integer.MAX_VALUE, options.controllerServes());
    Moves moves = new Moves(draft);
    for (Step rest : plan.steps().subList(step, plan.steps().size())) {
      PlacedRule rule = placement.known(rest.rule());
      if (rest.treatment() != null && rule.home > rest.layer()) {
        int mark = draft.mark();
        try {
          moves.promote(rule, rest.layer());
        } catch (PlacementRefusedException stays) {
          draft.backTo(mark); // the controller continues to serve it
        }
      }
    }
    return new Plan(plan.change(), draft.finish());
  }

  /** Rules that should have become live stay shadowed. Their entries do no harm. */
  private void abandon(List<Step> confirmed) {
    for (Step step : confirmed) {
      if (step.logical() instanceof LogicalChange.Live live && live.live()) {
        PlacedRule rule = placement.rule(live.key());
        if (rule != null) {
          rule.live = false;
        }
      }
    }
  }

  /** Forgets which entries the switch refused, since the switch may have changed. */
  public void forgetRefusals() {
    placement.layers.forEach(LayerTable::forget);
  }

  /** Sets the traffic of a rule; moves no rule before the next improvement. */
  public void weigh(RuleKey key, double weight) {
    PlacedRule rule = placement.rule(key);
    if (rule != null && weight >= 0) {
      rule.weight = weight;
    }
  }

  /**
   * Explains why a rule is in its layer; empty if there is no such rule.
   *
   * @param pinned the rules whose weight is not their traffic, and which no other rule replaces
   */
  public Optional<Explanation> explain(RuleKey key, Predicate<RuleKey> pinned) {
    return Optional.ofNullable(placement.rule(key))
        .map(new ExplanationWriter(placement, pinned)::explain);
  }

  /** The same if the weight of every rule is its traffic. */
  public Optional<Explanation> explain(RuleKey key) {
    return explain(key, any -> false);
  }

  /** The layer that serves a rule, or that of the controller; -1 if there is no such rule. */
  public int layerOf(RuleKey key) {
    PlacedRule rule = placement.rule(key);
    return rule == null ? -1 : rule.home;
  }

  /** The traffic that a layer serves. */
  public double weightIn(int layer) {
    double weight = 0;
    for (PlacedRule rule : placement.rules()) {
      weight += rule.home == layer && rule.live ? rule.weight : 0;
    }
    return weight;
  }

  /** The units used of a layer. */
  public long usedIn(int layer) {
    return placement.layers.get(layer).used;
  }

  /**
   * The units that a layer holds according to the profile, or fewer if the switch refused to hold
   * them.
   */
  public long capacityOf(int layer) {
    return placement.layers.get(layer).capacity;
  }

  /**
   * Whether a rule can win a packet, to the knowledge of the placer; false if there is no such
   * rule.
   */
  public boolean live(RuleKey key) {
    PlacedRule rule = placement.rule(key);
    return rule != null && rule.live;
  }

  /** The placement as plain data. */
  public PlacementImage image() {
    List<PlacementImage.Known> rules = new ArrayList<>();
    placement.rules().stream()
        .sorted((a, b) -> Long.compare(a.arrival, b.arrival))
        .forEach(
            r -> rules.add(new PlacementImage.Known(r.rule(), r.weight, r.sinceMillis, r.live)));
    List<PlacementImage.InLayer> entries = new ArrayList<>();
    List<Long> capacities = new ArrayList<>();
    for (LayerTable table : placement.layers) {
      capacities.add(table.configured());
      table.entries.values().stream()
          .sorted((a, b) -> Integer.compare(b.key.priority(), a.key.priority()))
          .forEach(e -> entries.add(new PlacementImage.InLayer(e.layer, e.key, e.treatment)));
    }
    return new PlacementImage(rules, entries, capacities);
  }

  /** The violations of the invariant of ADR 0008; always empty, unless the placer has a bug. */
  public List<String> violations() {
    return Invariant.violations(placement);
  }
}
