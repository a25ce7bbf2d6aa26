package io.lockstep.dataplane.host;

import io.lockstep.dataplane.packet.Ipv4;

/**
 * What became of some echo requests.
 *
 * @param from name of the pinging host
 * @param lost requests without an answer within the time allowed for each
 * @param minRttNanos shortest round trip, 0 when none was answered
 * @param maxRttNanos longest round trip, 0 when none was answered
 * @param totalRttNanos sum over the answered ones
 */
public record PingResult(
    String from,
    Ipv4 target,
    int sent,
    int lost,
    long minRttNanos,
    long maxRttNanos,
    long totalRttNanos) {
  /** Whether every request was answered. */
  public boolean complete() {
    return lost == 0;
  }

  /** Mean round trip of the answered requests, 0 when there was none. */
  public long meanRttNanos() {
    return sent == lost ? 0 : totalRttNanos / (sent - lost);
  }
}
