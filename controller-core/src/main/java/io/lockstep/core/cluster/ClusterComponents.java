package io.lockstep.core.cluster;

import io.lockstep.store.MicroComponent;
import java.util.List;

/** The micro components of the cluster room, for registration in every replica. */
public final class ClusterComponents {
  private ClusterComponents() {}

  /** All of them; each is stateless. */
  public static List<MicroComponent> all() {
    return List.of(new JoinCluster(), new PublishConnections(), new RegisterApplication());
  }
}
