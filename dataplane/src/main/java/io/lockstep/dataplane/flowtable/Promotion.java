package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.profile.PromotionProfile;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Moves entries from software to hardware while there is room, one each interval. The interval
 * begins when room and an entry for it come together. Owned by the switch's thread.
 */
final class Promotion {
  private final @Nullable PromotionProfile profile;
  private final EntryStore store;
  private final long intervalNanos;
  private long dueNanos = Deadlines.NEVER;

  /**
   * @param profile null for a switch that moves nothing
   */
  Promotion(@Nullable PromotionProfile profile, EntryStore store) {
    this.profile = profile;
    this.store = store;
    this.intervalNanos =
        profile == null ? 0 : (long) (TimeUnit.SECONDS.toNanos(1) / profile.rulesPerSecond());
  }

  /** To be called after every change of the entries, with the time at which it happened. */
  void entriesChanged(long nowNanos) {
    if (profile == null) {
      return;
    }
    boolean possible = store.promotable(profile.order()) != null;
    if (!possible) {
      dueNanos = Deadlines.NEVER;
    } else if (dueNanos == Deadlines.NEVER) {
      dueNanos = nowNanos + intervalNanos;
    }
  }

  /** When the next entry moves; {@link Deadlines#NEVER} for none. */
  long dueNanos() {
    return dueNanos;
  }

  /** Moves what is due. */
  void advance(long untilNanos) {
    while (profile != null && dueNanos <= untilNanos) {
      FlowEntry next = store.promotable(profile.order());
      if (next == null) {
        throw new IllegalStateException("an entry is due and there is none");
      }
      store.promote(next, profile.deadUntilResent());
      long movedNanos = dueNanos;
      dueNanos = Deadlines.NEVER;
      entriesChanged(movedNanos);
    }
  }
}
