package io.lockstep.core.host;

import io.lockstep.core.packet.FrameView;
import io.lockstep.core.recording.StoreTraffic;
import io.lockstep.store.StoreClient;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What happens in the store when a packet of a device came in at an edge port. The product's own
 * way is {@link HostTracker} itself: it knows the device from the node's copy of the store, and
 * changes the record where something changed. Measurements put another way in its place; then the
 * tracker does nothing, and {@code net.host-entities} and its indexes stay empty.
 */
@FunctionalInterface
public interface DeviceAccess {

  /**
   * A packet of a device came in. On the event loop of its switch: must be quick and not throw. The
   * packet is read during the call only, and goes on to the applications at once.
   */
  void packetIn(FrameView packet);

  /** Makes the access of a node. */
  @FunctionalInterface
  interface Factory {
    /** {@link HostTracker}'s own way. */
    Factory OWN = (store, traffic, nanoTime) -> null;

    /**
     * The access of one node; null where the tracker goes its own way.
     *
     * @param store of the node
     * @param traffic of {@code store}, to say for which event the access asks
     * @param nanoTime the clock of the store's client
     */
    @Nullable DeviceAccess over(StoreClient store, StoreTraffic traffic, LongSupplier nanoTime);
  }
}
