package io.lockstep.core.statistics;

import io.lockstep.core.southbound.PortStats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One answer about all ports of a switch, and what changed since the answer before. Immutable.
 *
 * @param readNanos when the answer came, by the node's monotone clock
 * @param ports the counters by port number
 * @param deltas what was counted since the answer before, by port number; a port is left out where
 *     that is not known
 */
record PortSample(long readNanos, Map<Long, PortStats> ports, Map<Long, PortStats> deltas) {

  /**
   * The sample that an answer makes. Entries for ports that the switch does not have are left out,
   * and of two entries for one port the later one counts.
   *
   * @param before the sample before this one; null where the answer is the first
   */
  static PortSample of(
      List<PortStats> answer, LongPredicate isPort, @Nullable PortSample before, long readNanos) {
    Map<Long, PortStats> ports = new LinkedHashMap<>();
    for (PortStats one : answer) {
      if (isPort.test(one.port())) {
        ports.put(one.port(), one);
      }
    }
    Map<Long, PortStats> deltas = new LinkedHashMap<>();
    if (before != null) {
      ports.forEach(
          (number, now) -> {
            PortStats old = before.ports.get(number);
            PortStats delta = old == null ? null : delta(old, now, readNanos - before.readNanos);
            if (delta != null) {
              deltas.put(number, delta);
            }
          });
    }
    return new PortSample(readNanos, ports, deltas);
  }

  /**
   * What a port counted between two answers; null where a counter or the duration went back, since
   * the switch then began to count anew. The time between is the switch's where it counts it, else
   * the node's.
   *
   * @param passedNanos between the answers, by the node's clock
   */
  static @Nullable PortStats delta(PortStats old, PortStats now, long passedNanos) {
    long nanos = passedNanos;
    if (old.durationSeconds() != PortStats.UNKNOWN && now.durationSeconds() != PortStats.UNKNOWN) {
      nanos = durationNanos(now) - durationNanos(old);
    }
    if (nanos < 0
        || wentBack(old.rxPackets(), now.rxPackets())
        || wentBack(old.txPackets(), now.txPackets())
        || wentBack(old.rxBytes(), now.rxBytes())
        || wentBack(old.txBytes(), now.txBytes())
        || wentBack(old.rxDropped(), now.rxDropped())
        || wentBack(old.txDropped(), now.txDropped())
        || wentBack(old.rxErrors(), now.rxErrors())
        || wentBack(old.txErrors(), now.txErrors())) {
      return null;
    }
    return new PortStats(
        now.port(),
        difference(old.rxPackets(), now.rxPackets()),
        difference(old.txPackets(), now.txPackets()),
        difference(old.rxBytes(), now.rxBytes()),
        difference(old.txBytes(), now.txBytes()),
        difference(old.rxDropped(), now.rxDropped()),
        difference(old.txDropped(), now.txDropped()),
        difference(old.rxErrors(), now.rxErrors()),
        difference(old.txErrors(), now.txErrors()),
        TimeUnit.NANOSECONDS.toSeconds(nanos),
        nanos % TimeUnit.SECONDS.toNanos(1));
  }

  private static long durationNanos(PortStats stats) {
    return TimeUnit.SECONDS.toNanos(stats.durationSeconds()) + stats.durationNanos();
  }

  private static boolean isUnknown(long old, long now) {
    return old == PortStats.UNKNOWN || now == PortStats.UNKNOWN;
  }

  private static boolean wentBack(long old, long now) {
    return !isUnknown(old, now) && Long.compareUnsigned(now, old) < 0;
  }

  private static long difference(long old, long now) {
    return isUnknown(old, now) ? PortStats.UNKNOWN : now - old;
  }
}
