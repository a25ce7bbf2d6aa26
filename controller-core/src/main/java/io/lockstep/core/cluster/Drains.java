package io.lockstep.core.cluster;

import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import java.util.List;

/**
 * The nodes that operators drained, as this node's view of the store shows them. A drained node
 * gives its domains to others and takes none while another node lives. Thread-safe.
 */
public final class Drains {
  private final TableView<String, List<DrainedNode>> view;

  /** Declares the table. */
  public Drains(NodeState state) {
    view = state.declare(DrainTable.NAME, new DrainTable());
  }

  /** Runs a task on the control loop after each change; added before the start. */
  public void onChange(Runnable task) {
    view.addListener((key, old, now) -> task.run());
  }

  /** All drained nodes. */
  public List<DrainedNode> nodes() {
    List<DrainedNode> known = view.known(DrainTable.KEY);
    return known == null ? List.of() : known;
  }

  /** Whether a node is drained. */
  public boolean isDrained(String node) {
    for (DrainedNode one : nodes()) {
      if (one.node().equals(node)) {
        return true;
      }
    }
    return false;
  }
}
