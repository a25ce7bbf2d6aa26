package io.lockstep.core.operation;

import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.mastership.Ownership;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.store.typed.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** What a node offers operators: domains, masters and drains. Thread-safe. */
public final class Operations {
  private final Store store;
  private final Surroundings surroundings;
  private final LongSupplier wallMillis;

  /** For the rooms of a node. */
  public Operations(
      NodeConfig config,
      Store store,
      Membership membership,
      Connections connections,
      Ownership ownership,
      LongSupplier wallMillis) {
    this.store = store;
    this.surroundings = new Surroundings(config, membership, connections, ownership);
    this.wallMillis = wallMillis;
  }

  /**
   * The resources; completed on the loop of the store's client.
   *
   * @param switchesOf reads switches as people write them, one or a range; empty where it is none
   */
  public List<ResourceOffer> offers(
      LivingReplicas replicas, Function<String, Optional<DpidRange>> switchesOf) {
    return List.of(
        new DomainOffer(store, surroundings, switchesOf),
        new MasterOffer(store, surroundings),
        new DrainOffer(store, surroundings, replicas, wallMillis));
  }
}
