package io.lockstep.placer;

import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Places the rules of one switch. It answers a change with a plan; its owner sends the steps one by
 * one, waits for the switch each time, and confirms here. A plan changes nothing by itself. Where
 * the switch refuses a step, {@link #refused} gives the plan to go on with. Owned by one thread.
 */
public final class Placer {
  private final Placement placement;
  private final PlacerOptions options;
  private final ChangeSteps steps;

  /**
   * For a switch with nothing of ours in it.
   *
   * @param switchName for messages
   */
  public Placer(String switchName, SwitchProfile profile, PlacerOptions options) {
    this(new Placement(switchName, profile), options);
  }

  Placer(Placement placement, PlacerOptions options) {
    this.placement = placement;
    this.options = options;
    this.steps = new ChangeSteps(options);
  }

  /**
   * Goes on from an image.
   *
   * @param pending what the plan that was being carried out says of the logical table, in the order
   *     of its steps; the image's rules are those before
   * @return with the books behind as many of the pending changes as the switch shows, or a refusal
   *     where the rules contradict each other
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

  /** How a change is made, or why it is not. Nothing is changed by asking. */
  public Outcome plan(Change change) {
    boolean bounded = !(change instanceof Change.Fill || change instanceof Change.Resize);
    return plan(change, bounded ? placement.profile.maxFlowModsPerChange() : Integer.MAX_VALUE);
  }

  /**
   * The same with another bound.
   *
   * @param maxFlowMods that the change may cost
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
   * A step was carried out by the switch; for a note, its turn has come.
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
   * The switch refused a step; those before it are confirmed. What it refused is not asked of it
   * again for a while.
   *
   * @param full whether it said that the table is full; then the layer holds no more than it has
   * @return how to go on: the same change otherwise, or, where the change is visible already, what
   *     is left to tidy; or why the change cannot be made. Behind such a refusal a {@link
   *     Change.Tidy} takes away what was prepared
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

  /** The rest of a filling, without what is not possible any more. */
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
          draft.backTo(mark); // the controller serves it on
        }
      }
    }
    return new Plan(plan.change(), draft.finish());
  }

  /** Rules that were to come to life are shadowed still; what they have does no harm. */
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

  /** The switch may have changed: what it refused so far is tried again. */
  public void forgetRefusals() {
    placement.layers.forEach(LayerTable::forget);
  }

  /** Tells a rule's traffic; moves nothing until the next improvement. */
  public void weigh(RuleKey key, double weight) {
    PlacedRule rule = placement.rule(key);
    if (rule != null && weight >= 0) {
      rule.weight = weight;
    }
  }

  /**
   * Why a rule is where it is; empty where there is no such rule.
   *
   * @param pinned the rules whose weight is no traffic: no rule takes their place
   */
  public Optional<Explanation> explain(RuleKey key, Predicate<RuleKey> pinned) {
    return Optional.ofNullable(placement.rule(key))
        .map(new ExplanationWriter(placement, pinned)::explain);
  }

  /** The same where the weight of every rule is its traffic. */
  public Optional<Explanation> explain(RuleKey key) {
    return explain(key, any -> false);
  }

  /** The layer that serves a rule, or that of the controller; -1 where there is no such rule. */
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

  /** The units that a layer is believed to hold: as configured, or as few as it was found to. */
  public long capacityOf(int layer) {
    return placement.layers.get(layer).capacity;
  }

  /** Whether a rule can win a packet, as far as is known; false too where there is none. */
  public boolean live(RuleKey key) {
    PlacedRule rule = placement.rule(key);
    return rule != null && rule.live;
  }

  /** Everything, as plain data. */
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

  /** What breaks the invariant of ADR 0008; always empty, unless there is a fault in here. */
  public List<String> violations() {
    return Invariant.violations(placement);
  }
}
