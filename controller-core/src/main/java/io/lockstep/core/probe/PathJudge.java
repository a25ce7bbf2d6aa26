package io.lockstep.core.probe;

import io.lockstep.core.probe.ProbeTarget.Flight;
import java.util.concurrent.TimeUnit;
import org.onosproject.net.PortNumber;

/**
 * Tells a path through hardware from one through the switch's processor by what packets do on it,
 * compared with packets that go straight from the processor to the controller: all that the channel
 * and this machine add is in both. A software path adds its latency to the fastest packet, and has
 * a rate: of a burst it drops most. The two are asked again until they agree; if they never do, the
 * fastest of all packets decides, which other load on this machine can delay but not speed up.
 */
final class PathJudge {
  /** Packets one after the other, of which the fastest counts. */
  private static final int SINGLES = 12;

  /** Packets at once. More than the queue of a processor holds. */
  private static final int BURST = 600;

  /** A processor adds at least this to the fastest round trip. */
  private static final long ADDED_NANOS = TimeUnit.MICROSECONDS.toNanos(150);

  /** A path that loses this much more of a burst, in percent, has a rate. */
  private static final int LOST_PERCENT = 10;

  private static final int ATTEMPTS = 5;

  private final ProbeTarget target;

  PathJudge(ProbeTarget target) {
    this.target = target;
  }

  /**
   * Where the entry of a witness is.
   *
   * @throws ProbeException where packets do not come back at all
   */
  Location judge(Structure structure, long cookie) throws ProbeException {
    long fastestStraight = Long.MAX_VALUE;
    long fastestThrough = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Flight straight = fly(structure, PortNumber.CONTROLLER, cookie);
      Flight through = fly(structure, PortNumber.TABLE, cookie);
      if (straight.returned() == 0) {
        throw new ProbeException("packets to the controller do not come back: no time to compare");
      }
      if (through.returned() == 0) {
        continue;
      }
      fastestStraight = Math.min(fastestStraight, straight.fastestNanos());
      fastestThrough = Math.min(fastestThrough, through.fastestNanos());
      boolean slow = fastestThrough - fastestStraight >= ADDED_NANOS;
      Flight free = target.fly(structure, PortNumber.CONTROLLER, cookie, BURST);
      Flight burst = target.fly(structure, PortNumber.TABLE, cookie, BURST);
      boolean limited = lostPercent(burst) - lostPercent(free) >= LOST_PERCENT;
      if (slow == limited) {
        return slow ? Location.SOFTWARE : Location.HARDWARE;
      }
    }
    if (fastestThrough == Long.MAX_VALUE) {
      throw new ProbeException("no packet comes back through a rule on " + structure);
    }
    return fastestThrough - fastestStraight >= ADDED_NANOS ? Location.SOFTWARE : Location.HARDWARE;
  }

  private Flight fly(Structure structure, PortNumber way, long cookie) throws ProbeException {
    int returned = 0;
    long fastest = Long.MAX_VALUE;
    long last = 0;
    for (int i = 0; i < SINGLES; i++) {
      Flight one = target.fly(structure, way, cookie, 1);
      returned += one.returned();
      fastest = one.returned() == 0 ? fastest : Math.min(fastest, one.fastestNanos());
      last = Math.max(last, one.lastNanos());
      if (i == 1 && returned == 0) {
        break; // nothing comes back: the rest would only be waited for
      }
    }
    return new Flight(SINGLES, returned, returned == 0 ? 0 : fastest, last);
  }

  private static int lostPercent(Flight flight) {
    return 100 * (flight.sent() - flight.returned()) / flight.sent();
  }
}
