package io.lockstep.core.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.node.CoreTables;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import io.lockstep.store.typed.Store;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two nodes that follow one store. */
class ApplicationStatesTest {
  private static final long DEADLINE_SECONDS = 60;

  private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final LocalEngine engine = LocalEngine.start(new StoreStateMachine(List.of()));
  private final Node one = new Node("n1");
  private final Node two = new Node("n2");

  private final class Node implements AutoCloseable {
    final BatchingStoreClient client;
    final ControlLoop loop;
    final NodeState state;
    final ApplicationStates states;
    final BlockingQueue<String> activated = new LinkedBlockingQueue<>();

    Node(String name) {
      client =
          BatchingStoreClient.open(
              engine.connect(16),
              ClientOptions.of(name).withTimeToLiveMillis(600_000).withTables(CoreTables.all()),
              System::nanoTime,
              () -> name.hashCode());
      loop = new ControlLoop(name, (where, e) -> fatal.add(e));
      state = new NodeState(loop);
      states = new ApplicationStates(state, Store.sharing(client, client.loop()), () -> 7L);
      states.onActivation(activated::add);
      loop.start();
      state.start(new StoreFeed(client, client.loop()));
    }

    boolean set(String application, boolean active) throws Exception {
      return states
          .set(application, active)
          .get(DEADLINE_SECONDS, TimeUnit.SECONDS)
          .fold(
              known -> known.fold(done -> done, conflict -> false, failure -> false),
              unknown -> false);
    }

    @Override
    public void close() {
      state.close();
      loop.close();
      client.close();
    }
  }

  @AfterEach
  void close() {
    one.close();
    two.close();
    engine.close();
    assertThat(fatal).isEmpty();
  }

  private static void await(Node node, String application, boolean active)
      throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (node.states.isActive(application) != active && System.nanoTime() < until) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    assertThat(node.states.isActive(application)).isEqualTo(active);
  }

  @Test
  void everyNodeFollowsWhatOneWasAskedFor() throws Exception {
    assertThat(two.states.isActive("switching")).isTrue();
    assertThat(one.set("switching", false)).isTrue();
    await(one, "switching", false);
    await(two, "switching", false);
    assertThat(two.states.isActive("other")).isTrue();
    assertThat(one.set("switching", false)).as("once more").isTrue();

    assertThat(two.set("switching", true)).isTrue();
    await(one, "switching", true);
    assertThat(one.activated.poll(DEADLINE_SECONDS, TimeUnit.SECONDS)).isEqualTo("switching");
    assertThat(two.activated.poll(DEADLINE_SECONDS, TimeUnit.SECONDS)).isEqualTo("switching");
    assertThat(two.set("switching", true)).as("nothing to change").isFalse();
    assertThat(one.activated).as("no more than once").isEmpty();
  }
}
