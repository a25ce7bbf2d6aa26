package io.lockstep.deploy.node;

import io.lockstep.core.host.DeviceAccess;
import io.lockstep.store.MicroComponent;
import java.util.List;

/**
 * What a measurement changes in the nodes that it starts. The product adds nothing ({@link #NONE}).
 *
 * @param components further micro components for the replica; all replicas of a cluster need the
 *     same
 * @param devices what happens in the store when a packet of a device came in
 */
public record NodeAdditions(List<MicroComponent> components, DeviceAccess.Factory devices) {
  /** Nothing is added. */
  public static final NodeAdditions NONE = new NodeAdditions(List.of(), DeviceAccess.Factory.OWN);

  public NodeAdditions {
    components = List.copyOf(components);
  }
}
