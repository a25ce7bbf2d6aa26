package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.ClusterVersions;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.engine.ReplicaMeasures;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.StepDownOutcome;
import io.lockstep.store.engine.bftsmart.library.LibraryPatches;
import io.lockstep.store.machine.ReplacedMachines;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One replica of the ordered service. How to run it:
 *
 * <pre>{@code
 * List<Member> members = List.of(
 *     new Member(0, "10.0.0.1", 7400), new Member(1, "10.0.0.2", 7400), ...);
 * OrderingReplica replica = BftSmartReplica.start(
 *     ReplicaConfig.of("campus", ownId, members),
 *     service,
 *     onFailure -> new MemoryLog(MemoryLog.Bounds.STANDARD),
 *     reason -> Runtime.getRuntime().halt(70));
 * OrderingClient client = BftSmartClient.connect(
 *     ClientConfig.of("campus", members, clientId));
 * }</pre>
 *
 * <p>The log decides whether the replica's data survive the process. With a log in memory a
 * restarted replica is empty. It takes part again after it has heard all other replicas and fetched
 * their data. If all replicas end, they start as a new, empty cluster. For a log on disk see
 * docs/adr/0005-durable-log.md.
 *
 * <p>A replica that detects its own failure halts and calls the hook. The process must then end and
 * its launcher must start it again, because a replica cannot start twice in one process. The hook
 * must not block. Any thread may call it.
 *
 * <p>With keys ({@link ReplicaConfig#withKeys}) both ports take connections of the cluster's nodes
 * only, and encrypt them: docs/adr/0037-keys-of-a-cluster.md. <b>Without keys</b> both ports of
 * every member must be reachable only from the machines of the cluster.
 *
 * <p>Thread-safe. Several replicas may run in one process, each in its own way to the network.
 */
public final class BftSmartReplica implements OrderingReplica {
  private final ReplicaCore core;

  private BftSmartReplica(ReplicaCore core) {
    this.core = core;
  }

  /**
   * Starts a replica; returns when it listens, usually within a second, before it takes part.
   *
   * @param service called by one thread at a time, never concurrently
   * @param log opens what this replica remembers
   * @param onHalt called once with the reason when the replica halts by itself
   * @throws IllegalStateException if a port cannot be bound, or the ordering library is not the
   *     version this engine was written for
   */
  public static BftSmartReplica start(
      ReplicaConfig config, OrderedService service, LogOpener log, Consumer<String> onHalt) {
    return start(config, service, log, onHalt, onHalt);
  }

  /**
   * Like {@link #start(ReplicaConfig, OrderedService, LogOpener, Consumer)}, with a separate hook
   * for an old copy of a log.
   *
   * @param onRefused called once with the reason, in place of {@code onHalt}, if the log is an old
   *     copy: the replica would end again after each start until an operator repairs it
   */
  public static BftSmartReplica start(
      ReplicaConfig config,
      OrderedService service,
      LogOpener log,
      Consumer<String> onHalt,
      Consumer<String> onRefused) {
    // Before anything loads a class of the library.
    LibraryPatches.install();
    AtomicReference<Object> outcome = new AtomicReference<>();
    Thread starter =
        new Thread(
            () -> {
              try {
                outcome.set(ReplicaCore.start(config, service, log, onHalt, onRefused));
              } catch (RuntimeException | Error e) {
                outcome.set(e);
              }
            },
            "replica-start");
    // The library's threads inherit the daemon status, so they do not keep the process alive.
    starter.setDaemon(true);
    starter.start();
    joinUninterruptibly(starter);
    if (outcome.get() instanceof ReplicaCore core) {
      return new BftSmartReplica(core);
    }
    throw new IllegalStateException(
        "replica " + config.replicaId() + " did not start", (Throwable) outcome.get());
  }

  private static void joinUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public ReplicaStatus status() {
    return core.status();
  }

  @Override
  public Map<String, Long> counts() {
    return core.counts();
  }

  @Override
  public ClusterVersions versions() {
    return core.versions();
  }

  @Override
  public ReplicaMeasures measures() {
    return core.measures();
  }

  @Override
  public ReplacedMachines machines() {
    return core.machines().machines();
  }

  @Override
  public void setWilling(boolean willing) {
    core.setWilling(willing);
  }

  @Override
  public CompletableFuture<StepDownOutcome> stepDown() {
    return core.stepDown();
  }

  @Override
  public void close() {
    core.close();
  }
}
