package io.lockstep.core.probe;

import io.lockstep.core.probe.ProbeTarget.Flight;
import java.util.concurrent.TimeUnit;

/**
 * Tells a path through hardware from one through the switch's processor by what packets do on it,
 * compared with packets that go straight from the processor to the controller: all that the channel
 * and this machine add is in both. A software path adds its latency to the fastest packet, and has
 * a rate: of a burst it drops most. The two are asked again, longer each time, until they agree; if
 * they never do, the fastest of all packets decides, which other load on this machine can delay but
 * not speed up.
 *
 * <p>Packets for the latency fly in pairs, the one through the tables first. Where it comes back
 * first nearly every time, its path adds nothing, however slow this machine is: no clock is needed
 * for that. A pair that comes back the other way round says nothing yet; in some switches the way
 * into hardware takes longer than straight back.
 */
final class PathJudge {
  /** Pairs one after the other, of which the fastest count; as many more in each attempt. */
  private static final int PAIRS = 12;

  /** Pairs in this share that come back as they were sent went no slower way, in percent. */
  private static final int IN_ORDER_PERCENT = 90;

  /** Packets at once. More than the queue of a processor holds. */
  private static final int BURST = 600;

  /** A processor adds at least this to the fastest round trip. */
  private static final long ADDED_NANOS = TimeUnit.MICROSECONDS.toNanos(150);

  /** A path that loses this much more of a burst, in percent, has a rate. */
  private static final int LOST_PERCENT = 10;

  private static final int ATTEMPTS = 5;

  /** Attempts without any packet; in each, the target itself has asked again and again. */
  private static final int SILENT_ATTEMPTS = 3;

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
    Pairs pairs = new Pairs();
    int silent = 0;
    for (int attempt = 1; attempt <= ATTEMPTS && silent < SILENT_ATTEMPTS; attempt++) {
      if (!fly(structure, cookie, attempt * PAIRS, pairs)) {
        silent++;
        continue;
      }
      if (!pairs.complete()) {
        continue;
      }
      Flight free = target.fly(structure, cookie, 0, BURST);
      Flight burst = target.fly(structure, cookie, BURST, 1);
      if (free.straight().returned() == 0 || burst.through().sent() < BURST) {
        continue; // no burst
      }
      boolean limited =
          burst.through().lostPercent() - free.straight().lostPercent() >= LOST_PERCENT;
      if (pairs.slow() == limited) {
        return limited ? Location.SOFTWARE : Location.HARDWARE;
      }
    }
    if (pairs.straightReturned == 0) {
      throw new ProbeException("packets to the controller do not come back: no time to compare");
    }
    if (pairs.throughReturned == 0) {
      throw new ProbeException("no packet comes back through a rule on " + structure);
    }
    return pairs.slow() ? Location.SOFTWARE : Location.HARDWARE;
  }

  /** Whether packets that went straight came back. */
  private boolean fly(Structure structure, long cookie, int count, Pairs pairs)
      throws ProbeException {
    int straight = 0;
    int through = 0;
    for (int i = 0; i < count; i++) {
      Flight pair = target.fly(structure, cookie, 1, 1);
      pairs.add(pair);
      straight += pair.straight().returned();
      through += pair.through().returned();
      if (i == 1 && (straight == 0 || through == 0)) {
        break; // nothing comes back: the rest would only be waited for
      }
    }
    return straight > 0;
  }

  /** All pairs so far. */
  private static final class Pairs {
    int straightReturned;
    int throughReturned;
    private int both;
    private int inOrder;
    private long fastestStraight = Long.MAX_VALUE;
    private long fastestThrough = Long.MAX_VALUE;

    void add(Flight pair) {
      if (pair.straight().returned() > 0) {
        straightReturned++;
        fastestStraight = Math.min(fastestStraight, pair.straight().fastestNanos());
      }
      if (pair.through().returned() > 0) {
        throughReturned++;
        fastestThrough = Math.min(fastestThrough, pair.through().fastestNanos());
      }
      if (pair.straight().returned() > 0 && pair.through().returned() > 0) {
        both++;
        inOrder += pair.straightFirst() ? 0 : 1;
      }
    }

    boolean complete() {
      return straightReturned > 0 && throughReturned > 0;
    }

    boolean slow() {
      boolean ordered = both > 0 && 100 * inOrder >= IN_ORDER_PERCENT * both;
      return !ordered && fastestThrough - fastestStraight >= ADDED_NANOS;
    }
  }
}
