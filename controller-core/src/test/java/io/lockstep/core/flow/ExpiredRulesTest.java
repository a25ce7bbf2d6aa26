package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.placed.PlacementTables;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.node.CoreTables;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.core.testing.ScriptedStore;
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
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;

/** What expired rules leave for the store, whose replies the test gives. */
class ExpiredRulesTest {
  private static final int RULES = RuleOutcomes.MAX_EXPIRING + 44;

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
  private final ScriptedStore slow = new ScriptedStore();
  private final FakeSwitch connection = new FakeSwitch(1, 2);

  @AfterEach
  void close() {
    state.close();
    loop.close();
    store.close();
    engine.close();
    assertThat(fatal).isEmpty();
  }

  private <T> T onLoop(Supplier<T> task) throws Exception {
    CompletableFuture<T> done = new CompletableFuture<>();
    loop.execute(() -> done.complete(task.get()));
    return done.get(60, TimeUnit.SECONDS);
  }

  private void intendTemporaryRules() {
    RuleInstaller installer =
        new RuleInstaller(
            tables,
            new PlacementTables(state),
            SwitchProfiles.NONE,
            store,
            (device, writes) -> new CompletableFuture<>(),
            loop,
            loop::schedule,
            System::currentTimeMillis,
            new InputCounters());
    IntendedRules rules =
        new IntendedRules(tables, installer, store, device -> List.of(), loop::schedule, loop);
    loop.start();
    state.start(new StoreFeed(store, store.loop()));
    for (int priority = 1; priority <= RULES; priority++) {
      rules.applyFlowRules(
          DefaultFlowRule.builder()
              .forDevice(connection.deviceId())
              .withSelector(DefaultTrafficSelector.emptySelector())
              .withTreatment(DefaultTrafficTreatment.builder().drop().build())
              .withPriority(priority)
              .fromApp(new DefaultApplicationId(7, "org.example"))
              .makeTemporary(10)
              .build());
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (tables.keysOf(1).size() < RULES) {
      assertThat(System.nanoTime()).as("all are intended in time").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  @Test
  void eachIsRemovedOnceAndABoundedNumberAtATime() throws Exception {
    intendTemporaryRules();
    RuleOutcomes outcomes =
        new RuleOutcomes(
            tables,
            slow,
            (device, writes) -> new CompletableFuture<>(),
            loop,
            loop::schedule,
            1,
            null);
    int asked =
        onLoop(
            () -> {
              for (int again = 0; again < 3; again++) {
                tables.keysOf(1).forEach(outcomes::expire);
              }
              return slow.asked.size();
            });
    assertThat(asked).isEqualTo(RuleOutcomes.MAX_EXPIRING);
    int removed = 0;
    while (onLoop(() -> !slow.asked.isEmpty())) {
      onLoop(
          () -> {
            slow.answer(new Reply.Applied(1));
            return true;
          });
      removed++;
      assertThat(removed).isLessThanOrEqualTo(RULES);
    }
    assertThat(removed).as("one removal for each rule").isEqualTo(RULES);
  }
}
