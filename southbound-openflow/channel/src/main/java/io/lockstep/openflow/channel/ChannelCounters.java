package io.lockstep.openflow.channel;

import java.util.concurrent.atomic.LongAdder;

/** Connections that the server closed to protect itself, since its start. Thread-safe. */
public final class ChannelCounters {
  private final LongAdder unread = new LongAdder();
  private final LongAdder unreadInHandshake = new LongAdder();
  private final LongAdder reportFloods = new LongAdder();

  ChannelCounters() {}

  /**
   * The counts.
   *
   * @param unread switches that did not read what waited for them
   * @param unreadInHandshake connections that did not read in their handshake
   * @param reportFloods switches that reported more than {@link ReportQuota} allows
   */
  public record Counts(long unread, long unreadInHandshake, long reportFloods) {}

  /** What happened so far. */
  public Counts counts() {
    return new Counts(unread.sum(), unreadInHandshake.sum(), reportFloods.sum());
  }

  void unread(boolean established) {
    (established ? unread : unreadInHandshake).increment();
  }

  void reportFlood() {
    reportFloods.increment();
  }
}
