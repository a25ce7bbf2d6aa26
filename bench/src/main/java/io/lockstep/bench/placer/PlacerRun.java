package io.lockstep.bench.placer;

import io.lockstep.placer.Change;
import io.lockstep.placer.Outcome;
import io.lockstep.placer.Placer;
import io.lockstep.placer.PlacerOptions;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Rule;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.Step;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.choice.Policy;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.LayerKind;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One policy on one rule set: filling, then changes, every step looked at. */
final class PlacerRun {
  private final SwitchProfile profile;
  private final Placer placer;
  private final Referee referee;
  private final Random random;
  private final List<WeightedRule> rules;
  private long flowMods;
  private double hardwareShare;
  private double millis;

  PlacerRun(SwitchProfile profile, Policy policy, List<WeightedRule> rules, long seed) {
    this.profile = profile;
    this.rules = new ArrayList<>(rules);
    random = new Random(seed);
    placer = new Placer("bench", profile, PlacerOptions.standard().withPolicy(policy));
    referee = new Referee(profile.controller(), random);
  }

  /** A built-in profile whose TCAM has room for a share of so many rules, and no reserve. */
  static SwitchProfile scaled(String name, int rules, double share) {
    SwitchProfile whole = BuiltInProfiles.get(name);
    int tcam = tcam(whole);
    LayerProfile layer = whole.layers().get(tcam);
    int price = layer.capacity().unitsOf(-1 >>> 1);
    long units = Math.max(1, (long) (rules * share)) * price;
    Capacity capacity = new Capacity(units, layer.capacity().costs(), 0);
    return whole.withCapacity(tcam, capacity, 0);
  }

  /** The layer that takes rules of every kind: the last one in hardware. */
  static int tcam(SwitchProfile profile) {
    int tcam = 0;
    for (int i = 0; i < profile.layers().size(); i++) {
      tcam = profile.layers().get(i).kind() == LayerKind.HARDWARE ? i : tcam;
    }
    return tcam;
  }

  /**
   * Places the rules, then makes changes.
   *
   * @param packets looked at in all
   */
  PlacerRun run(int changes, long packets) {
    long before = System.nanoTime();
    Plan plan = (Plan) placer.plan(new Change.Fill(rules));
    millis = (System.nanoTime() - before) / 1e6;
    int expected = plan.steps().size() + 2 * changes;
    int look = (int) Math.min(Integer.MAX_VALUE, (packets + expected - 1) / expected);
    carryOut(plan, look);
    hardwareShare = hardwareShare();
    for (int i = 0; i < changes; i++) {
      Outcome outcome = placer.plan(change());
      if (outcome instanceof Plan next) {
        carryOut(next, look);
      }
    }
    referee.look((int) Math.max(0, packets - referee.packets()));
    return this;
  }

  /**
   * Adds one rule after the other, of unknown traffic, and moves none of them afterwards.
   *
   * @param packets looked at in all
   */
  PlacerRun arrive(long packets) {
    long before = System.nanoTime();
    for (WeightedRule wanted : rules) {
      Outcome outcome = placer.plan(new Change.Add(new WeightedRule(wanted.rule(), 0)));
      if (outcome instanceof Plan plan) {
        carryOut(plan, 0);
      }
    }
    millis = (System.nanoTime() - before) / 1e6;
    hardwareShare = hardwareShare();
    referee.look((int) packets);
    return this;
  }

  private void carryOut(Plan plan, int look) {
    for (Step step : plan.steps()) {
      placer.confirm(step, 0);
      referee.step(step, look);
      flowMods += step.flowMod() ? 1 : 0;
    }
  }

  private Change change() {
    int at = random.nextInt(rules.size());
    WeightedRule some = rules.get(at);
    RuleKey key = some.rule().key();
    switch (random.nextInt(6)) {
      case 0, 1 -> {
        placer.weigh(key, some.weight() * 4 * random.nextDouble());
        return new Change.Improve();
      }
      case 2 -> {
        return new Change.Treat(key, RuleFamily.output(random.nextInt(48)));
      }
      case 3 -> {
        int priority = key.priority() + rules.size() * (random.nextInt(3) - 1);
        return new Change.Reprioritize(key, priority);
      }
      default -> {
        // Away, or back again where it was away already.
        boolean there = placer.layerOf(key) >= 0;
        Rule rule = some.rule();
        return there
            ? new Change.Remove(key)
            : new Change.Add(new WeightedRule(rule, some.weight()));
      }
    }
  }

  private double hardwareShare() {
    double all = 0;
    double hardware = 0;
    for (WeightedRule wanted : rules) {
      int layer = placer.layerOf(wanted.rule().key());
      boolean served =
          layer >= 0
              && layer < profile.controller()
              && profile.layers().get(layer).kind() == LayerKind.HARDWARE;
      all += wanted.weight();
      hardware += served ? wanted.weight() : 0;
    }
    return all == 0 ? 0 : hardware / all;
  }

  double hardwareTrafficShare() {
    return hardwareShare;
  }

  long flowMods() {
    return flowMods;
  }

  long packets() {
    return referee.packets();
  }

  long mismatches() {
    return referee.mismatches();
  }

  double millis() {
    return millis;
  }
}
