package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.FlowMod;
import org.jspecify.annotations.Nullable;

/**
 * The last flow-mods sent without a barrier, so that an error names the one it is about. A ring: an
 * old one makes room. Owned by the event loop.
 */
final class RecentFlowMods {
  private static final int SIZE = 256;

  private final @Nullable FlowMod[] mods = new FlowMod[SIZE];
  private final int[] xids = new int[SIZE];
  private int next;

  void add(int xid, FlowMod mod) {
    xids[next] = xid;
    mods[next] = mod;
    next = (next + 1) % SIZE;
  }

  /** Takes the flow-mod out, or null where it is not (or no longer) here. */
  @Nullable FlowMod take(int xid) {
    for (int i = 0; i < SIZE; i++) {
      FlowMod mod = mods[i];
      if (xids[i] == xid && mod != null) {
        mods[i] = null;
        return mod;
      }
    }
    return null;
  }
}
