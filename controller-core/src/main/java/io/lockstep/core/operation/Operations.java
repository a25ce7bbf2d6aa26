package io.lockstep.core.operation;

import io.lockstep.core.access.Users;
import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.mastership.Ownership;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.core.state.NodeState;
import io.lockstep.store.typed.Store;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * What a node offers operators: domains, masters, drains, users and replacements of machines.
 * Thread-safe.
 */
public final class Operations {
  private final Store store;
  private final NodeConfig config;
  private final Users users;
  private final Surroundings surroundings;
  private final LongSupplier wallMillis;

  /** For the rooms of a node; declares the table of users. */
  public Operations(
      NodeConfig config,
      Store store,
      NodeState state,
      Membership membership,
      Connections connections,
      Ownership ownership,
      LongSupplier wallMillis) {
    this.store = store;
    this.config = config;
    this.users = new Users(state);
    this.surroundings = new Surroundings(config, membership, connections, ownership);
    this.wallMillis = wallMillis;
  }

  /** Who may operate the cluster, as this node knows it. */
  public Users users() {
    return users;
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
        new DrainOffer(store, surroundings, replicas, wallMillis),
        new UserOffer(store, wallMillis),
        new ReplacementOffer(store, config, new SecureRandom()::nextInt));
  }
}
