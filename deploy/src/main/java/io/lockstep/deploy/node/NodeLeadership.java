package io.lockstep.deploy.node;

import io.lockstep.core.operation.LivingReplicas;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.engine.ReplicaStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The replicas of a cluster in which each node has one inside. Thread-safe. */
record NodeLeadership(NodeSettings settings, OrderingReplica replica) implements LivingReplicas {

  @Override
  public Optional<Counted> counted() {
    List<NodeSettings.Replica> all = settings.replicasInOrder();
    Set<String> living = new HashSet<>();
    // One that starts sends beats, too, but cannot take the place of one that is stopped.
    for (int id : replica.status().operational()) {
      living.add(name(all, id));
    }
    return Optional.of(new Counted(all.size(), living));
  }

  @Override
  public String leader() {
    ReplicaStatus status = replica.status();
    return status.quorum() ? name(settings.replicasInOrder(), status.leaderId()) : "";
  }

  private static String name(List<NodeSettings.Replica> all, int id) {
    return id >= 0 && id < all.size() ? all.get(id).id() : "";
  }
}
