package io.lockstep.core.operation;

import java.util.Optional;
import java.util.Set;

/** What the process knows of the replicas of the store that run inside of nodes. Thread-safe. */
public interface LivingReplicas {
  /** For nodes without replicas: to stop one of them takes no replica along. */
  LivingReplicas OUTSIDE =
      new LivingReplicas() {
        @Override
        public Optional<Counted> counted() {
          return Optional.empty();
        }

        @Override
        public String leader() {
          return "";
        }
      };

  /**
   * The replicas.
   *
   * @param all how many the cluster has
   * @param living names of the nodes whose replicas were heard of recently
   */
  record Counted(int all, Set<String> living) {
    public Counted {
      living = Set.copyOf(living);
    }

    /** How many the store needs. */
    int majority() {
      return all / 2 + 1;
    }
  }

  /** The replicas; empty where none runs inside of a node. */
  Optional<Counted> counted();

  /** The node whose replica leads the store; empty where that is unknown or no node. */
  String leader();
}
