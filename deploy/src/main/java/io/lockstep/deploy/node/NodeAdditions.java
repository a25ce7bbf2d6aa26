package io.lockstep.deploy.node;

import io.lockstep.core.host.DeviceAccess;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.StoreClient;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What a measurement changes in the nodes that it starts. The product adds nothing ({@link #NONE}).
 *
 * @param components further micro components for the replica; all replicas of a cluster need the
 *     same
 * @param store stands between the node and its client of the store, to see what passes
 * @param devices what happens in the store when a packet of a device came in
 */
public record NodeAdditions(
    List<MicroComponent> components,
    UnaryOperator<StoreClient> store,
    DeviceAccess.Factory devices) {
  /** Nothing is added. */
  public static final NodeAdditions NONE =
      new NodeAdditions(List.of(), UnaryOperator.identity(), DeviceAccess.Factory.OWN);

  public NodeAdditions {
    components = List.copyOf(components);
  }
}
