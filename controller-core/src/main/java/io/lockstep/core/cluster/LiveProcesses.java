package io.lockstep.core.cluster;

import io.lockstep.core.state.TableView;
import java.util.Set;
import java.util.TreeSet;

/** The processes whose session with the store is open. Thread-safe. */
record LiveProcesses(TableView<String, NodeRecord> nodes, TableView<Long, String> sessions) {

  /** The ids of the nodes, and {@link ListedProcess#replicaName} of the replicas. */
  Set<String> names() {
    Set<String> names = new TreeSet<>();
    nodes
        .entries()
        .forEach(
            (node, held) -> {
              if (sessions.held(held.value().sessionId()) != null) {
                names.add(node);
              }
            });
    sessions
        .entries()
        .values()
        .forEach(
            held -> {
              if (ListedProcess.isReplicaName(held.value())) {
                names.add(held.value());
              }
            });
    return names;
  }
}
