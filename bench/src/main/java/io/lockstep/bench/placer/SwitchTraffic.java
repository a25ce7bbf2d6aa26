package io.lockstep.bench.placer;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Sends packets to emulated switches at a steady rate. What a pause has held up follows soon, so
 * that counters grow evenly. Where switches are too slow for the rate, they still rest a third of
 * the time, since the nodes need the machine, too. Used by one thread.
 */
final class SwitchTraffic {
  /**
   * Packets come in bursts, one of each switch after the other. Many and small ones: the processor
   * of an emulated switch has a short queue, and what it drops its counters do not show.
   */
  static final int BURSTS_PER_SECOND = 100;

  private static final long BURST_NANOS = TimeUnit.SECONDS.toNanos(1) / BURSTS_PER_SECOND;

  private final List<PlacedSwitchLoad> switches;
  private final int packetsPerBurst;
  private final long begin = System.nanoTime();
  private long bursts;
  private long busyNanos;

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
    long rest = 0;
    for (long now = System.nanoTime(); now - end < 0; now = System.nanoTime()) {
      long wait = Math.max(rest, begin + bursts * BURST_NANOS - now);
      rest = 0;
      if (wait > 0) {
        TimeUnit.NANOSECONDS.sleep(wait);
      } else {
        switches.forEach(one -> one.send(packetsPerBurst));
        bursts++;
        long took = System.nanoTime() - now;
        busyNanos += took;
        rest = took / 2;
      }
    }
  }

  /** How long a switch took for a packet so far, in microseconds; 0 before the first. */
  double microsPerPacket() {
    long packets = bursts * packetsPerBurst * switches.size();
    return packets == 0 ? 0 : busyNanos / 1e3 / packets;
  }

  /** Packets a second that each switch got from the beginning until now. */
  double packetsPerSecond() {
    double seconds = (System.nanoTime() - begin) / 1e9;
    return bursts * packetsPerBurst / seconds;
  }
}
