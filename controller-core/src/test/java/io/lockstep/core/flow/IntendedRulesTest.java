package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.app.Instruction.InstallFlow;
import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.placed.PlacementTables;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.node.CoreTables;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleEvent;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleOperationsContext;

/** Intended rules over a real store, with a switch that does what the test says. */
class IntendedRulesTest {
  private static final long DEADLINE_SECONDS = 60;
  private static final ApplicationId APP = new DefaultApplicationId(7, "org.example");

  private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final LocalEngine engine = LocalEngine.start(new StoreStateMachine(List.of()));
  private final BatchingStoreClient store =
      BatchingStoreClient.open(
          engine.connect(16),
          ClientOptions.of("test").withTimeToLiveMillis(600_000).withTables(CoreTables.all()),
          System::nanoTime,
          () -> 1L);
  private final ControlLoop loop = new ControlLoop("control", (where, e) -> fatal.add(e));
  private final NodeState state = new NodeState(loop);
  private final RuleTables tables = new RuleTables(state);
  private final InputCounters inputs = new InputCounters();
  private final RuleInstaller installer =
      new RuleInstaller(
          tables,
          new PlacementTables(state),
          SwitchProfiles.NONE,
          store,
          this::write,
          loop,
          loop::schedule,
          System::currentTimeMillis,
          inputs);
  private final IntendedRules rules =
      new IntendedRules(tables, installer, store, device -> List.of(), loop::schedule, loop);
  private final List<FlowRuleEvent> events = new CopyOnWriteArrayList<>();
  private final FakeSwitch connection = new FakeSwitch(1, 2);

  IntendedRulesTest() {
    rules.addListener(events::add);
    loop.start();
    state.start(new StoreFeed(store, store.loop()));
  }

  @AfterEach
  void close() {
    state.close();
    loop.close();
    store.close();
    engine.close();
    assertThat(fatal).isEmpty();
  }

  private CompletableFuture<Reply> write(DeviceId device, List<Write> writes) {
    CompletableFuture<Reply> last = CompletableFuture.completedFuture(new Reply.Absent());
    for (Write write : writes) {
      if (write instanceof Write.Put put) {
        last = store.submit(new Command.Put(put.table(), put.key(), put.value()));
      } else if (write instanceof Write.Remove remove) {
        last = store.submit(new Command.Remove(remove.table(), remove.key()));
      }
    }
    return last.thenApply(PlacedBench::asFenced);
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + DEADLINE_SECONDS + " s: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  private FlowRule rule(int priority, boolean permanent) {
    FlowRule.Builder rule =
        DefaultFlowRule.builder()
            .forDevice(connection.deviceId())
            .withSelector(
                DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(1)).build())
            .withTreatment(
                DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(2)).build())
            .withPriority(priority)
            .fromApp(APP);
    return permanent ? rule.makePermanent().build() : rule.makeTemporary(10).build();
  }

  private static FlowStats entry(FlowRule rule, long cookie, long packets) {
    return new FlowStats(
        0,
        rule.priority(),
        cookie,
        0,
        0,
        3,
        packets,
        64 * packets,
        rule.selector(),
        rule.treatment());
  }

  private FlowEntryState stateOf(FlowRule rule) {
    FlowEntry entry = rules.getFlowEntry(rule);
    return entry == null ? FlowEntryState.REMOVED : entry.state();
  }

  private void awaitState(FlowRule rule, FlowEntryState wanted) {
    await(rule.priority() + " is " + wanted, () -> stateOf(rule) == wanted);
  }

  /** One read-back, seen to its end. */
  private void readBack() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    loop.execute(
        () -> {
          installer.readBack();
          loop.execute(() -> done.complete(null));
        });
    await("the read-back", done::isDone);
  }

  private List<FlowMod.Operation> operations() {
    return connection.confirmed.stream().map(FlowMod::operation).toList();
  }

  @Test
  void ruleWaitsForAMasterAndIsInstalledByIt() {
    FlowRule rule = rule(5, true);
    rules.applyFlowRules(rule);
    awaitState(rule, FlowEntryState.PENDING_ADD);
    assertThat(connection.confirmed).isEmpty();
    installer.gained(connection, 1);
    awaitState(rule, FlowEntryState.ADDED);
    assertThat(connection.confirmed).hasSize(1);
    assertThat(connection.confirmed.get(0).cookie()).isEqualTo(Cookies.intended(rule));
    await(
        "the events",
        () ->
            events.stream()
                .map(FlowRuleEvent::type)
                .toList()
                .equals(
                    List.of(FlowRuleEvent.Type.RULE_ADD_REQUESTED, FlowRuleEvent.Type.RULE_ADDED)));
  }

  @Test
  void takeOverChangesNothingThatIsRight() {
    FlowRule rule = rule(5, true);
    rules.applyFlowRules(rule);
    installer.gained(connection, 1);
    awaitState(rule, FlowEntryState.ADDED);
    connection.entries.add(entry(rule, Cookies.intended(rule), 4));
    FakeSwitch again = new FakeSwitch(1, 2);
    again.entries.addAll(connection.entries);
    installer.lost(connection, "test");
    installer.gained(again, 2);
    readBack();
    await("counters", () -> packets(rule) == 4);
    assertThat(again.confirmed).isEmpty();
    assertThat(again.flowMods).isEmpty();
  }

  private long packets(FlowRule rule) {
    FlowEntry entry = rules.getFlowEntry(rule);
    return entry == null ? -1 : entry.packets();
  }

  @Test
  void removedRuleLeavesSwitchAndStore() {
    FlowRule rule = rule(5, true);
    rules.applyFlowRules(rule);
    installer.gained(connection, 1);
    awaitState(rule, FlowEntryState.ADDED);
    rules.removeFlowRules(rule);
    awaitState(rule, FlowEntryState.REMOVED);
    assertThat(operations())
        .containsExactly(FlowMod.Operation.ADD, FlowMod.Operation.DELETE_STRICT);
    assertThat(rules.getFlowRuleCount()).isZero();
    await("no state is left", () -> tables.states().size() == 0);
  }

  @Test
  void rejectedRuleSaysWhy() {
    connection.onConfirmed = mod -> new FlowModOutcome.Refused("FLOW_MOD_FAILED/TABLE_FULL");
    FlowRule rule = rule(5, true);
    rules.applyFlowRules(rule);
    installer.gained(connection, 1);
    awaitState(rule, FlowEntryState.FAILED);
    assertThat(rules.error(rule))
        .contains("of:", "FLOW_MOD_FAILED/TABLE_FULL", "table 0", "priority 5", "capacity", "used");
  }

  @Test
  void unconfirmedRuleIsSentAgain() {
    connection.onConfirmed = mod -> new FlowModOutcome.Unknown("no barrier reply");
    FlowRule rule = rule(5, true);
    rules.applyFlowRules(rule);
    installer.gained(connection, 1);
    await("it is sent again", () -> connection.confirmed.size() >= 2);
    assertThat(stateOf(rule)).isEqualTo(FlowEntryState.PENDING_ADD);
    connection.onConfirmed = mod -> new FlowModOutcome.Installed();
    awaitState(rule, FlowEntryState.ADDED);
  }

  @Test
  void missingPermanentRuleIsAddedAgain() {
    FlowRule rule = rule(5, true);
    rules.applyFlowRules(rule);
    installer.gained(connection, 1);
    awaitState(rule, FlowEntryState.ADDED);
    readBack();
    readBack();
    await("it is added again", () -> connection.confirmed.size() >= 2);
    assertThat(operations()).containsOnly(FlowMod.Operation.ADD);
  }

  @Test
  void missingTemporaryRuleHasExpiredAndIsNotRevived() {
    FlowRule rule = rule(5, false);
    rules.applyFlowRules(rule);
    installer.gained(connection, 1);
    awaitState(rule, FlowEntryState.ADDED);
    readBack();
    awaitState(rule, FlowEntryState.REMOVED);
    readBack();
    assertThat(connection.confirmed).hasSize(1);
  }

  @Test
  void entriesOfOthersAreNeverTouchedAndOrphansOnlyAtTheSecondSight() {
    FlowRule stranger = rule(9, true);
    connection.entries.add(entry(stranger, 0, 0));
    connection.entries.add(entry(stranger, 0x1234_5678L, 0));
    connection.entries.add(entry(stranger, Cookies.softEntriesOf("learning-switch"), 0));
    connection.entries.add(entry(stranger, Cookies.SYSTEM, 0));
    connection.entries.add(entry(stranger, Cookies.intended(stranger), 0));
    installer.gained(connection, 1);
    await("the first look", () -> state.current().isDone());
    loopIsIdle();
    assertThat(connection.flowMods).isEmpty();
    readBack();
    assertThat(connection.flowMods)
        .singleElement()
        .satisfies(
            mod -> {
              assertThat(mod.operation()).isEqualTo(FlowMod.Operation.DELETE_STRICT);
              assertThat(mod.cookie()).isEqualTo(Cookies.intended(stranger));
            });
    assertThat(connection.confirmed).isEmpty();
  }

  private void loopIsIdle() {
    CompletableFuture<Void> idle = new CompletableFuture<>();
    loop.execute(() -> loop.execute(() -> idle.complete(null)));
    await("the control loop", idle::isDone);
  }

  @Test
  void stagesFollowEachOtherAtTheSwitch() {
    installer.gained(connection, 1);
    FlowRule first = rule(5, true);
    FlowRule second = rule(6, true);
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    rules.apply(
        FlowRuleOperations.builder().add(first).newStage().add(second).build(context(ended)));
    await("the end", ended::isDone);
    assertThat(ended).isCompletedWithValue(true);
    assertThat(connection.confirmed)
        .extracting(FlowMod::priority)
        .containsExactly(first.priority(), second.priority());
  }

  @Test
  void stageThatIsRejectedEndsTheOperations() {
    connection.onConfirmed = mod -> new FlowModOutcome.Refused("TABLE_FULL");
    installer.gained(connection, 1);
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    rules.apply(
        FlowRuleOperations.builder()
            .add(rule(5, true))
            .newStage()
            .add(rule(6, true))
            .build(context(ended)));
    await("the end", ended::isDone);
    assertThat(ended).isCompletedWithValue(false);
    assertThat(stateOf(rule(6, true))).isEqualTo(FlowEntryState.REMOVED);
  }

  private static FlowRuleOperationsContext context(CompletableFuture<Boolean> ended) {
    return new FlowRuleOperationsContext() {
      @Override
      public void onSuccess(FlowRuleOperations ops) {
        ended.complete(true);
      }

      @Override
      public void onError(FlowRuleOperations ops) {
        ended.complete(false);
      }
    };
  }

  @Test
  void ruleThatCannotBeStoredIsRefusedWhole() {
    FlowRule odd =
        DefaultFlowRule.builder()
            .forDevice(connection.deviceId())
            .withSelector(DefaultTrafficSelector.builder().matchTunnelId(1).build())
            .withTreatment(DefaultTrafficTreatment.emptyTreatment())
            .withPriority(1)
            .fromApp(APP)
            .makePermanent()
            .build();
    assertThatThrownBy(() -> rules.applyFlowRules(rule(5, true), odd))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("TUNNEL_ID");
    loopIsIdle();
    assertThat(rules.getFlowRuleCount()).isZero();
  }

  /** A rule at the priority of the discovery entry could take its packets (LLDP poisoning). */
  @Test
  void priorityOfLinkDiscoveryIsReserved() {
    assertThatThrownBy(() -> rules.applyFlowRules(rule(5, true), rule(65_535, true)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65535");
    assertThatThrownBy(
            () ->
                new InstallFlow(
                    DefaultTrafficSelector.emptySelector(),
                    DefaultTrafficTreatment.emptyTreatment(),
                    65_535,
                    1,
                    1))
        .isInstanceOf(IllegalArgumentException.class);
    loopIsIdle();
    assertThat(rules.getFlowRuleCount()).isZero();
  }

  @Test
  void rulesOfOneApplicationCanBeFoundAndRemoved() {
    installer.gained(connection, 1);
    rules.applyFlowRules(rule(5, true), rule(6, true));
    awaitState(rule(6, true), FlowEntryState.ADDED);
    assertThat(rules.getFlowEntriesById(APP)).hasSize(2);
    rules.removeFlowRulesById(APP);
    await("all are gone", () -> rules.getFlowRuleCount() == 0);
  }
}
