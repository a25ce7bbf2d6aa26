package io.lockstep.store.engine;

import java.util.Collection;
import java.util.function.LongConsumer;

/**
 * Hints that a replica has applied changes of some tables, so that who follows them need not ask
 * the order all the time. The replica runs in this process, or its hints come over the network. A
 * hint is no change: who gets one asks through the order as before. So a hint that is lost, late or
 * one too many does no harm (docs/adr/0023).
 */
public interface ChangeHints {
  /** Hints of a service that gives none. */
  ChangeHints NONE =
      new ChangeHints() {
        @Override
        public Following follow(Collection<String> tables, LongConsumer hint) {
          return () -> {};
        }

        @Override
        public boolean given() {
          return false;
        }
      };

  /** Ends the hints that {@link #follow} began. */
  @FunctionalInterface
  interface Following {
    /** One more hint may follow. Any thread. */
    void end();
  }

  /**
   * Follows tables until the following ends. Any thread.
   *
   * @param hint gets the index of the newest change of these tables, perhaps again, on a thread of
   *     the replica or of the client, at most once for each batch; must return at once
   */
  Following follow(Collection<String> tables, LongConsumer hint);

  /** Whether hints come at present, so that who follows may ask seldom. Any thread. */
  default boolean given() {
    return true;
  }
}
