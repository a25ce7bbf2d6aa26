package io.lockstep.core.link;

import io.lockstep.core.mastership.DomainWriter;
import io.lockstep.core.mastership.FencedWrite.Write;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Writes that are not repeated until they had time to arrive. Owned by the control loop. */
final class RecentWrites {
  private static final long RETRY_MILLIS = 500;

  private final DomainWriter writer;
  private final Map<Object, Long> writtenNanos = new HashMap<>();

  RecentWrites(DomainWriter writer) {
    this.writer = writer;
  }

  /** Forgets what may be written again. */
  void forget(long now) {
    long retryNanos = TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
    writtenNanos.values().removeIf(at -> now - at > retryNanos);
  }

  /** Writes, unless the same was written just now. */
  void once(Object what, long dpid, Write write, long now) {
    if (writtenNanos.putIfAbsent(what, now) == null) {
      writer.writeUnanswered(SwitchPort.device(dpid), List.of(write));
    }
  }
}
