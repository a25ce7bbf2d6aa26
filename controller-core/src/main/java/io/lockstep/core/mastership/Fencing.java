package io.lockstep.core.mastership;

import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;

/** Gives the fence for what a node writes on behalf of a switch. Thread-safe and cheap. */
public interface Fencing {

  /**
   * The fence of a switch that this node masters according to its view of the store, whether the
   * switch is connected or not; null where another node masters it or the lease ran out. A fence is
   * taken when the decision to write is made, not when the write is sent.
   */
  @Nullable Fence fence(DeviceId device);
}
