package io.lockstep.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.host.DeviceAccess;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.InputCounters.Input;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.flow.DefaultTrafficSelector;

/**
 * Switches report more than the control loop's queue holds while the loop is held up: nothing they
 * do is fatal, and the node goes on.
 */
class ReportFloodTest {
  private static final int FLOOD = ControlLoop.MAX_QUEUED + 1_000;
  private static final long INTENDED = 0xB000_0000_0000_0000L;

  private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final TestClock clock = new TestClock();
  private final LocalEngine engine =
      LocalEngine.start(new StoreStateMachine(CoreComponents.all()), clock::millis);
  private final AtomicLong nonces = new AtomicLong(1);
  private final BatchingStoreClient store =
      BatchingStoreClient.open(
          engine.connect(16),
          ClientOptions.of("n1").withTimeToLiveMillis(600_000).withTables(CoreTables.all()),
          clock::nanos,
          nonces::getAndIncrement);
  private final ExecutorService switchLoop = Executors.newSingleThreadExecutor();
  private final ControllerNode node =
      new ControllerNode(
          new ControllerNode.Parts(
              new NodeConfig(
                  "test",
                  "n1",
                  List.of(new Member("n1", "127.0.0.1", 0)),
                  List.of(new DomainConfig("d", List.of(new DpidRange(1, 9)), List.of("n1"))),
                  1_000),
              "test",
              store,
              store.loop(),
              new StoreFeed(store, store.loop()),
              clock::nanos,
              clock::millis,
              (where, failure) -> fatal.add(failure)),
          List.of(
              NetworkRoom.serving(
                  NetworkConfig.DEFAULT, List.of(), Map.of(), DeviceAccess.Factory.OWN)));
  private final FakeSwitch noisy = new FakeSwitch(1, 3, this::onSwitchLoop);

  private void onSwitchLoop(Runnable task) {
    try {
      switchLoop.execute(task);
    } catch (RejectedExecutionException e) {
      // The test is over.
    }
  }

  @BeforeEach
  void start() throws IOException {
    node.start();
    onSwitchLoop(() -> node.switches().connected(noisy));
    awaitMastered(noisy);
  }

  @AfterEach
  void close() {
    switchLoop.shutdownNow();
    node.close();
    store.close();
    engine.close();
  }

  private void awaitMastered(FakeSwitch device) {
    MastershipService roles = node.services().get(MastershipService.class);
    clock.await("the switch is mastered", () -> roles.isLocalMaster(device.deviceId()));
  }

  /** Floods while the control loop is held up, then waits until it has caught up. */
  private void flood(IntConsumer report) throws Exception {
    NetworkRoom room = node.services().get(NetworkRoom.class);
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<Boolean> holding =
        room.askRules(
            installer -> {
              held.countDown();
              try {
                return release.await(60, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    CountDownLatch flooded = new CountDownLatch(1);
    try {
      assertThat(held.await(60, TimeUnit.SECONDS)).isTrue();
      onSwitchLoop(
          () -> {
            for (int i = 0; i < FLOOD; i++) {
              report.accept(i);
            }
            flooded.countDown();
          });
      assertThat(flooded.await(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      release.countDown();
    }
    assertThat(holding.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(room.askRules(installer -> "alive").get(60, TimeUnit.SECONDS)).isEqualTo("alive");
    assertThat(fatal).isEmpty();
    assertThat(noisy.open).isTrue();
  }

  private long counted(Input input) {
    return node.services().get(NetworkRoom.class).counters().inputs().of(input);
  }

  @Test
  void flowRemoved() throws Exception {
    flood(i -> node.switches().flowRemoved(noisy, expiry(i)));
    assertThat(counted(Input.FLOW_REMOVED_DROPPED)).isGreaterThan(FLOOD - 2_000);
  }

  private static FlowRemoved expiry(int number) {
    return new FlowRemoved(
        0,
        1,
        INTENDED + number,
        FlowRemoved.Reason.HARD_TIMEOUT,
        1,
        0,
        0,
        DefaultTrafficSelector.emptySelector());
  }

  @Test
  void portStatus() throws Exception {
    flood(
        i ->
            node.switches()
                .portStatus(noisy, PortChange.MODIFIED, noisy.setPort(1 + i % 3, i % 2 == 0)));
    assertThat(counted(Input.PORT_STATUS_MERGED)).isGreaterThan(FLOOD - 2_000);
  }

  @Test
  void connectionsThatComeAndGo() throws Exception {
    FakeSwitch restless = new FakeSwitch(2, 1, this::onSwitchLoop);
    flood(
        i -> {
          if (i % 2 == 0) {
            node.switches().connected(restless);
          } else {
            node.switches().disconnected(restless, "it left");
          }
        });
    onSwitchLoop(() -> node.switches().connected(restless));
    awaitMastered(restless);
  }

  @Test
  void rolesTakenAway() throws Exception {
    flood(i -> node.switches().roleLost(noisy, "another controller is master"));
    awaitMastered(noisy);
  }
}
