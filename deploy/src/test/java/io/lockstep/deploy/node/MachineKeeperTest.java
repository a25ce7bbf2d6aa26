package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.ClusterComponents;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.engine.local.LocalEngine;
import io.lockstep.store.machine.ReplacedMachine;
import io.lockstep.store.machine.ReplacedMachines;
import io.lockstep.store.typed.Store;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MachineKeeperTest {
  private static final ReplacedMachines REPLACED =
      new ReplacedMachines(List.of(new ReplacedMachine(2, 7, "new", 7100, false)));

  private final StoreStateMachine machine = new StoreStateMachine(List.of());
  private final LocalEngine engine = LocalEngine.start(machine);
  private final BatchingStoreClient client =
      BatchingStoreClient.open(
          engine.connect(16),
          ClientOptions.of("test")
              .withTimeToLiveMillis(600_000)
              .withTables(ClusterComponents.tables()),
          System::nanoTime,
          () -> 1L);
  private final List<ReplacedMachines> moved = new CopyOnWriteArrayList<>();
  private final List<String> replaced = new CopyOnWriteArrayList<>();

  /** A replica that says what a test wants. */
  private record Said(Phase phase, ReplacedMachines machines) implements OrderingReplica {
    @Override
    public ReplicaStatus status() {
      return new ReplicaStatus(
          2,
          phase,
          0,
          0,
          1,
          List.of(),
          List.of(),
          true,
          new ReplicaStatus.Memory(true, 0, 0, List.of()));
    }

    @Override
    public void close() {}
  }

  private MachineKeeper keeper(int incarnation, Phase phase, ReplacedMachines known) {
    return new MachineKeeper(
        2,
        incarnation,
        new Said(phase, known),
        Store.sharing(client, client.loop()),
        moved::add,
        replaced::add);
  }

  private void store(ReplacedMachines machines) throws Exception {
    Reply reply =
        client
            .submit(
                new Command.Put(ReplacedMachines.TABLE, ReplacedMachines.KEY, machines.encode()))
            .get(30, TimeUnit.SECONDS);
    assertThat(reply).isInstanceOf(Reply.Applied.class);
  }

  private static void await(BooleanSupplier done) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!done.getAsBoolean() && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    assertThat(done.getAsBoolean()).isTrue();
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    engine.close();
  }

  @Test
  void newMachineReportsThatItTakesPartAndClientsGoToIt() throws Exception {
    store(REPLACED);
    keeper(7, Phase.OPERATIONAL, REPLACED).look();
    await(() -> machine.machines().rows().get(0).arrived());
    assertThat(moved).containsExactly(REPLACED);
    assertThat(replaced).isEmpty();
  }

  @Test
  void machineThatWasReplacedEndsWhereNoReplicaTellsIt() throws Exception {
    store(REPLACED);
    keeper(0, Phase.STARTING, ReplacedMachines.NONE).look();
    await(() -> !replaced.isEmpty());
    assertThat(replaced.get(0)).contains("has been replaced by new:7100, incarnation 7");
    assertThat(machine.machines()).isEqualTo(REPLACED);
  }
}
