package io.lockstep.demo.emulate;

import io.lockstep.dataplane.host.EmulatedHost;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Pings between random pairs of hosts at a steady rate, each between two hosts that rarely spoke
 * before: so most begin with a question for the address, which the whole network hears. The owner's
 * thread sends; answers come on the loops of the hosts.
 */
final class RandomPings {
  /** Without an answer for so long a ping is lost. */
  static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** After a pause of the owner, what has been missed for longer is left out. */
  private static final long MAX_BEHIND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final List<EmulatedHost> hosts;
  private final long intervalNanos;
  private final Random random = new Random(1);
  private final PingTally tally = new PingTally();
  private boolean begun;
  private long dueNanos;

  /**
   * @param hosts at least two
   * @param perSecond at least one
   */
  RandomPings(List<EmulatedHost> hosts, int perSecond) {
    this.hosts = List.copyOf(hosts);
    this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  /** Sends what is due. */
  void sendDue(long nowNanos) {
    if (!begun) {
      begun = true;
      dueNanos = nowNanos;
    }
    dueNanos = Math.max(dueNanos, nowNanos - MAX_BEHIND_NANOS);
    while (dueNanos <= nowNanos) {
      dueNanos += intervalNanos;
      int from = random.nextInt(hosts.size());
      int to = (from + 1 + random.nextInt(hosts.size() - 1)) % hosts.size();
      tally.sent();
      hosts.get(from).pingOnce(hosts.get(to).address(), TIMEOUT, tally::decided);
    }
  }

  PingTally.Counts counts() {
    return tally.counts();
  }
}
