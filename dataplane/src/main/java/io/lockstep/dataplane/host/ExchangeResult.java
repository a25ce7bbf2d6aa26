package io.lockstep.dataplane.host;

/**
 * What became of a TCP exchange.
 *
 * @param outcome how it ended
 * @param response what the server sent, empty unless completed
 * @param retransmissions segments the client sent again
 */
public record ExchangeResult(
    Outcome outcome, byte[] response, long durationNanos, int retransmissions) {
  /** The ends an exchange can come to. */
  public enum Outcome {
    COMPLETED,
    REFUSED,
    TIMED_OUT
  }
}
