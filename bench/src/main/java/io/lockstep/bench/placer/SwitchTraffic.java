package io.lockstep.bench.placer;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Sends packets to emulated switches at a steady rate. What a pause or a slow machine has held up
 * follows at once, so that counters grow evenly. Used by one thread.
 */
final class SwitchTraffic {
  /** Packets come in bursts, one of each switch after the other. */
  static final int BURSTS_PER_SECOND = 10;

  private static final long BURST_NANOS = TimeUnit.SECONDS.toNanos(1) / BURSTS_PER_SECOND;

  private final List<PlacedSwitchLoad> switches;
  private final int packetsPerBurst;
  private final long begin = System.nanoTime();
  private long bursts;

  /**
   * Traffic that begins now.
   *
   * @param packetsPerSecond to each switch; a multiple of {@value #BURSTS_PER_SECOND}
   */
  SwitchTraffic(List<PlacedSwitchLoad> switches, int packetsPerSecond) {
    this.switches = List.copyOf(switches);
    packetsPerBurst = packetsPerSecond / BURSTS_PER_SECOND;
  }

  /** Sends for so many seconds from now. */
  void run(long seconds) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long now = System.nanoTime();
    while (now - end < 0) {
      long next = begin + bursts * BURST_NANOS;
      if (next - now > 0) {
        TimeUnit.NANOSECONDS.sleep(next - now);
      } else {
        switches.forEach(one -> one.send(packetsPerBurst));
        bursts++;
      }
      now = System.nanoTime();
    }
  }

  /** Packets a second that each switch got from the beginning until now. */
  double packetsPerSecond() {
    double seconds = (System.nanoTime() - begin) / 1e9;
    return bursts * packetsPerBurst / seconds;
  }
}
