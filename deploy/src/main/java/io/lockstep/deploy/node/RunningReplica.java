package io.lockstep.deploy.node;

import io.lockstep.core.cluster.ReplicaMembership;
import io.lockstep.deploy.admin.AdminServer;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.store.client.BatchingStoreClient;
import java.io.IOException;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica of the store as a process of its own: no node, no switches. As a client of the store it
 * publishes which processes its file lists.
 */
public final class RunningReplica implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RunningReplica.class);

  private final OpenParts openParts = new OpenParts();

  private RunningReplica() {}

  /**
   * Starts the replica and its admin HTTP; returns when it listens, before it takes part.
   *
   * @throws OperatorException where a port is taken or the directory cannot be used, with the
   *     remedy
   */
  public static RunningReplica start(NodeSettings settings) throws OperatorException {
    PortCheck.forReplica(settings);
    RunningReplica running = new RunningReplica();
    try {
      ProcessKeys keys = ProcessKeys.open(settings);
      running.openParts.add("keys", keys);
      RunningParts parts = new RunningParts(true);
      NodeReporter reporter = new NodeReporter(settings, parts);
      AdminServer admin = NodeAdmin.open(settings, keys.links(), reporter);
      running.openParts.add("admin HTTP", admin);
      parts.adminOpened(admin);
      StoreAccess store =
          StoreAccess.withReplica(
              settings, keys.links(), Components.all(), Halt::replicaHalted, Halt::replicaRefused);
      running.openParts.add("replica", store::closeReplica);
      parts.storeStarted(store);
      PeerWatch watch =
          new PeerWatch(
              Objects.requireNonNull(store.replica()),
              settings.replicas().size(),
              store::replicaName);
      running.openParts.add("peer watch", watch);
      watch.start();
      parts.membershipStarted(running.join(settings, store, parts));
      running.openParts.add("lead of the store", store::stepDown);
      log.info("replica {} of cluster {} runs", settings.nodeId(), settings.cluster());
      return running;
    } catch (OperatorException e) {
      running.close();
      throw e;
    } catch (IOException | IllegalStateException e) {
      running.close();
      throw OperatorException.of("the replica does not start", e);
    }
  }

  private ReplicaMembership join(NodeSettings settings, StoreAccess store, RunningParts parts) {
    BatchingStoreClient client = store.openReplicaClient();
    openParts.add("store client", client);
    parts.clientOpened(client);
    ReplicaMembership membership =
        new ReplicaMembership(
            settings.nodeId(),
            settings.file(),
            settings.processes(),
            client,
            client.loop(),
            Halt::invariantBroken);
    openParts.add("membership", membership);
    MachineKeeper machines =
        MachineKeeper.of(settings, store, Objects.requireNonNull(store.replica()), client);
    openParts.add("machines", machines);
    machines.start();
    membership.start(store.replicaFeed(client));
    return membership;
  }

  @Override
  public void close() {
    openParts.close();
  }
}
