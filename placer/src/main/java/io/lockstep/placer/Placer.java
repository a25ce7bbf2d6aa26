package io.lockstep.placer;

import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  /** The most flow-mods that bring one hidden rule into its layer. No packet waits for it. */
  private static final int PREPARING_FLOW_MODS = 1024;

  final Placement placement;
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
    if (change instanceof Change.Prepare) {
      return plan(change, PREPARING_FLOW_MODS);
    }
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
      return draft.whyNot(blocked);
    } finally {
      draft.finish();
    }
  }

  /**
   * Why the switch cannot get all of these new rules, one after the other; null where it can. Each
   * is planned within the bound of a change, and where that is not enough once more with another
   * bound, as its owner plans it then. This call changes nothing.
   *
   * @param maxFlowMods the most flow-mods that one of them may cost
   */
  public @Nullable Refusal whyNotAll(List<WeightedRule> wanted, int maxFlowMods) {
    return whyNotAll(List.of(), wanted, maxFlowMods);
  }

  /**
   * The same behind the removal of other rules, one after the other and within the same bounds.
   *
   * @param leaving rules of the logical table
   */
  public @Nullable Refusal whyNotAll(
      List<RuleKey> leaving, List<WeightedRule> wanted, int maxFlowMods) {
    List<Change> all = new ArrayList<>();
    leaving.forEach(key -> all.add(new Change.Remove(key)));
    wanted.forEach(rule -> all.add(new Change.Add(rule)));
    Draft draft =
        new Draft(placement, placement.profile.maxFlowModsPerChange(), options.controllerServes());
    try {
      for (Change one : all) {
        Refusal refusal = draft.whyNotNext(one, steps, maxFlowMods);
        if (refusal != null) {
          return refusal;
        }
      }
      return null;
    } finally {
      draft.finish();
    }
  }

  /**
   * Plans a part of what has to be done before a rule that hides others can leave. The owner
   * carries it out, takes the homeless rules out of the logical table, and asks again, until there
   * is neither. Then the removal is a short plan, also where the rule hid many. This call changes
   * nothing.
   *
   * @param most hidden rules to look at
   */
  public Preparation prepare(RuleKey leaving, int most) {
    Change change = new Change.Prepare(leaving, most);
    Draft draft = new Draft(placement, PREPARING_FLOW_MODS, options.controllerServes());
    try {
      Map<RuleKey, Refusal> homeless = new Changes(draft, options).prepare(leaving, most);
      return new Preparation(new Plan(change, draft.finish()), homeless);
    } catch (PlacementRefusedException unknown) {
      return new Preparation(new Plan(change, List.of()), Map.of());
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
    boolean adds = refused.kind() == Step.Kind.ADD;
    learnRefused(refused, full);
    if (plan.change() instanceof Change.Prepare) {
      abandon(plan.steps());
      return plan(plan.change());
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
      abandon(plan.steps());
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
        ? planAnew(new Change.Remove(half.key()))
        : planAnew(plan.change());
  }

  /** Plans a change again; at any cost, since its owner may have begun it like that. */
  private Outcome planAnew(Change change) {
    Outcome outcome = plan(change);
    return outcome instanceof Refusal refusal && refusal.reason() == Refusal.Reason.TOO_MANY_STEPS
        ? plan(change, Integer.MAX_VALUE)
        : outcome;
  }

  /**
   * Reports that the switch refused a step that went to it together with others of its plan: as
   * {@link #refused}, which the owner calls for the last of them, when it confirmed all that the
   * switch carried out.
   */
  public void learnRefused(Step refused, boolean full) {
    LayerTable table = placement.layers.get(refused.layer());
    if (full && refused.kind() == Step.Kind.ADD) {
      table.capacity = Math.min(table.capacity, table.used);
    } else if (refused.kind() != Step.Kind.DELETE) {
      table.learnRefused(refused.entry(), refused.cover());
    }
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
  private void abandon(List<Step> steps) {
    for (Step step : steps) {
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

  /** The traffic, by the weights, that layers in hardware serve more after a plan than now. */
  public double gainOf(Plan plan) {
    return PlanGain.of(plan, placement);
  }

  /** Whether rules use units of a layer that should stay free for moves. */
  public boolean reserveUsed() {
    return placement.layers.stream().anyMatch(table -> table.used > table.steady());
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

  /** The violations of the invariant of ADR 0046; always empty, unless the placer has a bug. */
  public List<String> violations() {
    return Invariant.violations(placement);
  }
}
