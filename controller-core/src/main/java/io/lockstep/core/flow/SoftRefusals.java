package io.lockstep.core.flow;

import io.lockstep.core.flow.entry.Cookies;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Soft entries of applications that switches with bounded tables did not take, counted since the
 * start of the node. Where one entry of a decision is refused those that came with it are, too, and
 * each counts; guards count by themselves. Thread-safe.
 */
final class SoftRefusals {
  private final Map<Long, LongAdder> byOwner = new ConcurrentHashMap<>();

  /**
   * Counts one entry.
   *
   * @param cookie of the application that requested it
   */
  void count(long cookie) {
    byOwner.computeIfAbsent(cookie & Cookies.OWNER_MASK, owner -> new LongAdder()).increment();
  }

  /** How many there were of an application. */
  long of(String application) {
    LongAdder count = byOwner.get(Cookies.softEntriesOf(application));
    return count == null ? 0 : count.sum();
  }
}
