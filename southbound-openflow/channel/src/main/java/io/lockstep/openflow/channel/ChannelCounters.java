package io.lockstep.openflow.channel;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Connections that the server closed to protect itself, since its start. Thread-safe. */
public final class ChannelCounters {
  private final MessageCounters messages = new MessageCounters();
  private final LongAdder unread = new LongAdder();
  private final LongAdder unreadInHandshake = new LongAdder();
  private final LongAdder echoesInHandshake = new LongAdder();
  private final LongAdder reportFloods = new LongAdder();
  private final LongAdder unfinished = new LongAdder();
  private final LongAdder refused = new LongAdder();

  ChannelCounters() {}

  /**
   * The counts.
   *
   * @param unread switches that did not read what waited for them
   * @param unreadInHandshake connections that did not read in their handshake
   * @param echoesInHandshake connections with more echo requests in their handshake than {@link
   *     HandshakeEchoes} answers
   * @param reportFloods switches that reported more than {@link ReportQuota} allows
   * @param unfinished connections that left messages unfinished ({@link InboundBudget})
   * @param refused connections without what lets them be a switch, or that one ({@link
   *     io.lockstep.openflow.channel.access})
   */
  public record Counts(
      long unread,
      long unreadInHandshake,
      long echoesInHandshake,
      long reportFloods,
      long unfinished,
      long refused) {
    /** The same by why the connections were closed. */
    public Map<String, Long> byCause() {
      return Map.of(
          "unread", unread,
          "unread_in_handshake", unreadInHandshake,
          "echoes_in_handshake", echoesInHandshake,
          "report_flood", reportFloods,
          "unfinished", unfinished,
          "refused", refused);
    }
  }

  /** What happened so far. */
  public Counts counts() {
    return new Counts(
        unread.sum(),
        unreadInHandshake.sum(),
        echoesInHandshake.sum(),
        reportFloods.sum(),
        unfinished.sum(),
        refused.sum());
  }

  /** Connections and messages. */
  public MessageCounters messages() {
    return messages;
  }

  void unread(boolean established) {
    (established ? unread : unreadInHandshake).increment();
  }

  void echoesInHandshake() {
    echoesInHandshake.increment();
  }

  void reportFlood() {
    reportFloods.increment();
  }

  void unfinished() {
    unfinished.increment();
  }

  void refused() {
    refused.increment();
  }
}
