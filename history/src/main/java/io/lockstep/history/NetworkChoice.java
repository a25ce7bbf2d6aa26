package io.lockstep.history;

/** Of {@code --network}. */
enum NetworkChoice {
  /** Namespaces where there are partitions and it is possible, else relays. */
  AUTO,
  /** Network namespaces, or nothing. */
  NAMESPACES,
  /** Relays between replicas. */
  RELAY
}
