package io.lockstep.core.link;

import io.lockstep.core.southbound.SwitchConnection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What discovery needs of the node. */
public interface LinkSurroundings {
  /** The links in the store as known now: a live view that bears changes while it is read. */
  Set<DirectedLink> links();

  /** The edge ports in the store as known now: a live view like {@link #links}. */
  Set<SwitchPort> edges();

  /** Links or edges that only this node knows so far changed; on the control loop. */
  void changed();

  /** This node's connection to a switch, whoever masters it; null where there is none. */
  @Nullable SwitchConnection connected(long dpid);

  /** Whether another living node is connected to a switch. */
  boolean isConnectedElsewhere(long dpid);

  /**
   * Whether a host at a port may be awake. Asks the hosts, and removes those that are silent, so
   * the answer is no when it is asked often enough. Control loop only.
   *
   * @param cameUpNanos when the port came up; null where that is not known
   */
  boolean isHostAwake(SwitchPort port, @Nullable Long cameUpNanos);
}
