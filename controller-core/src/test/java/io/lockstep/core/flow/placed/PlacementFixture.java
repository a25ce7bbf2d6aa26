package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.entry.HeaderSpace.Inexpressible;
import io.lockstep.core.flow.placed.LogicalRule.Origin;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchErrors;
import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.placer.Change;
import io.lockstep.placer.Placer;
import io.lockstep.placer.PlacerOptions;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Rule;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.onlab.packet.IpPrefix;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;

/** The placement of an empty switch with two bounded tables, without a switch or a store. */
final class PlacementFixture {
  static final long NOW = 1_000_000;

  /** Of which only the clock and the budget are used. */
  static final SwitchEnvironment ENVIRONMENT =
      new SwitchEnvironment(
          (device, writes) -> CompletableFuture.failedFuture(new IllegalStateException()),
          Runnable::run,
          (millis, task) -> {},
          () -> NOW,
          new PacketInBudget());

  static final FlowModOutcome INSTALLED = new FlowModOutcome.Installed();
  static final FlowModOutcome FULL = new FlowModOutcome.Refused(SwitchErrors.TABLE_FULL);
  static final FlowModOutcome UNKNOWN = new FlowModOutcome.Unknown("no barrier reply");

  final SwitchPlacement placement;
  final RuleTraffic traffic = new RuleTraffic();
  final TrafficAdmission admission;
  final ChangeQueue queue = new ChangeQueue();

  PlacementFixture(int first, int second) {
    SwitchProfile profile =
        BuiltInProfiles.get("ovs-small")
            .withCapacity(0, Capacity.ofEntries(first), 1)
            .withCapacity(1, Capacity.ofEntries(second), 1);
    SwitchFeatures features =
        new SwitchFeatures("OpenFlow 1.3", "127.0.0.1:1", "", "", "", "", "", 0, 2);
    PlacementLedger ledger = new PlacementLedger(1, 4, profile.name(), List.of(), null);
    ledger.capacities(List.of((long) first, (long) second));
    placement = new SwitchPlacement("of:1", new SwitchPipeline(profile, features), ledger);
    placement.recovered(
        new Placer("of:1", profile, PlacerOptions.standard().withControllerServes(false)));
    admission = new TrafficAdmission(placement, traffic, ENVIRONMENT);
  }

  static LogicalRule rule(int priority, String destination, long port) {
    try {
      return LogicalRule.of(
          priority,
          DefaultTrafficSelector.builder()
              .matchEthType((short) 0x800)
              .matchIPDst(IpPrefix.valueOf(destination))
              .build(),
          DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(port)).build(),
          Origin.INTENDED);
    } catch (Inexpressible e) {
      throw new AssertionError(e);
    }
  }

  /** A rule that shares no packet with another of these. */
  static LogicalRule separate(int number) {
    return rule(10 + number, "10." + number + ".0.0/16", 2);
  }

  Plan planFor(LogicalRule rule) {
    Change add = new Change.Add(new WeightedRule(new Rule(rule.key(), rule.treatment()), 0));
    return (Plan) placement.placer().plan(add);
  }

  /** Requests a rule and brings it into the switch. */
  void install(LogicalRule rule) {
    placement.request(rule);
    Sent<?> sent = lead(new PlanRun(placement, rule, planFor(rule)), List.of());
    if (sent.action instanceof RunAction.ReadAnew) {
      throw new AssertionError("not installed: " + rule);
    }
  }

  /** Leaves no layer room for one more entry, not even in its reserve. */
  void fill() {
    for (int layer = 0; layer < 2; layer++) {
      Change shrink = new Change.Resize(layer, placement.placer().usedIn(layer));
      placement.placer().confirm((Plan) placement.placer().plan(shrink), NOW);
    }
  }

  /** What a run sent, and the action that it stopped with. */
  record Sent<R>(List<FlowMod> mods, int stores, RunAction<R> action) {}

  /** Leads a run to its end; single flow-mods are answered like this, then all as installed. */
  static <R> Sent<R> lead(SwitchRun<R> run, List<FlowModOutcome> answers) {
    List<FlowMod> mods = new ArrayList<>();
    int stores = 0;
    int next = 0;
    RunAction<R> action = run.start(NOW);
    while (true) {
      if (action instanceof RunAction.Store<R>) {
        stores++;
        action = run.stored(NOW);
      } else if (action instanceof RunAction.Send<R> send) {
        mods.addAll(send.mods());
        List<FlowModOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < send.mods().size(); i++) {
          outcomes.add(next < answers.size() ? answers.get(next) : INSTALLED);
          next++;
        }
        action = run.answered(outcomes, NOW);
      } else {
        return new Sent<>(mods, stores, action);
      }
    }
  }
}
