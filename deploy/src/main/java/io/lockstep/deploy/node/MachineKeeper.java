package io.lockstep.deploy.node;

import io.lockstep.core.cluster.MachineTable;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.machine.ReplacedMachine;
import io.lockstep.store.machine.ReplacedMachines;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.Versioned;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What a process does about replaced machines (docs/adr/0044): its client of the store goes to the
 * new addresses; the new machine reports that it takes part; and a machine that has been replaced
 * ends, also where no replica tells it.
 *
 * <p>A thread of its own looks every second.
 */
final class MachineKeeper implements AutoCloseable {
  private static final BoundedLog log = BoundedLog.of(MachineKeeper.class);
  private static final long PERIOD_MILLIS = 1_000;

  private static final TableDef<String, ReplacedMachines> MACHINES = machines(new MachineTable());

  private final int replicaNumber;
  private final int incarnation;
  private final OrderingReplica replica;
  private final Store store;
  private final Consumer<ReplacedMachines> moved;
  private final Consumer<String> onReplaced;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread created = new Thread(task, "machines");
            created.setDaemon(true);
            return created;
          });

  /** Owned by the thread. */
  private ReplacedMachines present = ReplacedMachines.NONE;

  MachineKeeper(
      int replicaNumber,
      int incarnation,
      OrderingReplica replica,
      Store store,
      Consumer<ReplacedMachines> moved,
      Consumer<String> onReplaced) {
    this.replicaNumber = replicaNumber;
    this.incarnation = incarnation;
    this.replica = replica;
    this.store = store;
    this.moved = moved;
    this.onReplaced = onReplaced;
  }

  private static TableDef<String, ReplacedMachines> machines(MachineTable codec) {
    return TableDef.of(
        MachineTable.NAME,
        Codec.of(codec::encodeKey, codec::decodeKey),
        Codec.of(codec::encodeValue, codec::decodeValue));
  }

  /** Of a process with a replica inside. */
  static MachineKeeper of(
      NodeSettings settings,
      StoreAccess access,
      OrderingReplica inside,
      BatchingStoreClient client) {
    return new MachineKeeper(
        settings.replicaNumber(),
        settings.ownReplica().map(NodeSettings.Replica::incarnation).orElse(0),
        inside,
        Store.sharing(client, client.loop()),
        access::moved,
        Halt::replicaRefused);
  }

  void start() {
    // A look logs its failure and throws nothing.
    var unused =
        thread.scheduleWithFixedDelay(
            this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** On the thread. */
  void look() {
    try {
      ReplacedMachines now = replica.machines();
      if (!now.sameMachines(present)) {
        present = now;
        moved.accept(now);
      }
      boolean takesPart = replica.status().phase() == Phase.OPERATIONAL;
      ReplacedMachine own = now.of(replicaNumber);
      boolean arrives =
          takesPart && own != null && own.incarnation() == incarnation && !own.arrived();
      if (arrives || !takesPart) {
        read(arrives);
      }
    } catch (RuntimeException e) {
      log.error("look", "cannot look which machines were replaced; looks again", e);
    }
  }

  private void read(boolean arrives) {
    // Where it fails, the next look tries again.
    var unused =
        store
            .table(MACHINES)
            .get(MachineTable.KEY)
            .thenAccept(read -> read.ifRead(value -> found(value, arrives), why -> {}));
  }

  private void found(Optional<Versioned<ReplacedMachines>> found, boolean arrives) {
    if (found.isEmpty()) {
      return;
    }
    ReplacedMachine row = found.get().value().of(replicaNumber);
    if (row != null && row.incarnation() > incarnation) {
      onReplaced.accept(
          "this machine has been replaced by "
              + row.host()
              + ":"
              + row.port()
              + ", incarnation "
              + row.incarnation()
              + "; do not start it again under this id");
    } else if (arrives) {
      ReplacedMachines next = found.get().value().arrived(replicaNumber, incarnation);
      // Where it was not written, the next look tries again.
      var unused = store.table(MACHINES).replace(MachineTable.KEY, found.get().version(), next);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
