package io.lockstep.store.core;

import java.util.Collection;
import java.util.function.LongConsumer;

/**
 * Hints that a replica in this process has applied changes of some tables, so that who follows them
 * need not ask the order all the time. A hint is no change: who gets one asks through the order as
 * before. So a hint that is lost, late or one too many does no harm (docs/adr/0023).
 */
@FunctionalInterface
public interface ChangeHints {

  /**
   * Follows tables for as long as the replica runs. Any thread.
   *
   * @param hint gets the index of the newest change of these tables, or of others that are followed
   *     in this process, on the replica's thread, at most once for each batch; must return at once
   */
  void follow(Collection<String> tables, LongConsumer hint);
}
