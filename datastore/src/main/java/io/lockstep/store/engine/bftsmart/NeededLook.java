package io.lockstep.store.engine.bftsmart;

import io.netty.util.concurrent.EventExecutor;
import java.util.function.BooleanSupplier;

/**
 * Looks at something again and again for as long as there is something to look at, and not at all
 * where there is nothing: a replica at rest has no timer for it. Owned by the loop.
 */
final class NeededLook {
  private final EventExecutor loop;
  private final String what;
  private final long pauseMillis;
  private final BooleanSupplier look;
  private boolean due;

  /**
   * @param what names the look in the log
   * @param pauseMillis before each look
   * @param look returns whether there is something to look at again; where it fails there is
   */
  NeededLook(EventExecutor loop, String what, long pauseMillis, BooleanSupplier look) {
    this.loop = loop;
    this.what = what;
    this.pauseMillis = pauseMillis;
    this.look = look;
  }

  /** There is something to look at. */
  void needed() {
    if (!due) {
      due = true;
      LoggedFailures.after(loop, what, pauseMillis, this::run);
    }
  }

  private void run() {
    due = false;
    boolean again = true;
    try {
      again = look.getAsBoolean();
    } finally {
      if (again) {
        needed();
      }
    }
  }
}
