package io.lockstep.core.host;

import io.lockstep.core.packet.FrameView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sightings of one switch on their way to the control loop: each host once in a while, and once
 * more where it claims an address; a bounded number at a time, and one task for all that wait. So
 * no switch takes another's place, and no port that of all others: a port may have as many places
 * as it leaves free. What a host says at its own place while it is asked has places of its own, so
 * that no flood hides it.
 *
 * <p>Thread-safe; time is an argument, in nanoseconds.
 */
final class RecentSightings {
  /** Sightings that wait for the control loop. */
  static final int MAX_WAITING = 1_024;

  /** Hosts whose objection waits for the control loop; each has one. */
  static final int MAX_OBJECTIONS = 1_024;

  /** Hosts whose last sighting is remembered; more are not handed over meanwhile. */
  static final int MAX_REMEMBERED = 4_096;

  private final long repeatNanos;

  // All guarded by this.
  private final Map<HostKey, HandedOver> handedOver = new HashMap<>();
  private final Map<Long, Integer> handedOverAtPort = new HashMap<>();
  private final List<Sighted> waiting = new ArrayList<>();
  private final Map<Long, Integer> waitingAtPort = new HashMap<>();
  private final Map<HostKey, HostSighting> objections = new LinkedHashMap<>();
  private boolean taskWaits;
  private long purgedNanos;

  /**
   * When a host was handed over.
   *
   * @param claims whether the host claimed an address in that sighting
   */
  private record HandedOver(long nanos, long port, boolean claims) {}

  /**
   * A sighting that waits.
   *
   * @param held the packet, where it may have to be decided on again
   */
  record Sighted(HostSighting sighting, @Nullable FrameView held) {}

  /**
   * Nothing was seen.
   *
   * @param repeatNanos how long a host is not handed over again
   */
  RecentSightings(long repeatNanos, long nowNanos) {
    this.repeatNanos = repeatNanos;
    this.purgedNanos = nowNanos;
  }

  /** What became of a sighting. */
  enum Outcome {
    /** It is the first that waits: a task has to be queued, which calls {@link #take}. */
    FIRST,
    /** The task that waits already serves this one, too. */
    MERGED,
    /** The host was handed over just now. */
    REPEATED,
    /** Too much waits; the host sends again. */
    DROPPED
  }

  /** Takes a sighting. */
  synchronized Outcome add(HostSighting sighting, @Nullable FrameView held, long nowNanos) {
    HostKey host = sighting.host();
    long port = sighting.place().port();
    HandedOver last = handedOver.get(host);
    // A packet just before must not hide the address that the host claims now.
    if (last != null
        && nowNanos - last.nanos() < repeatNanos
        && (last.claims() || !sighting.claims())) {
      return Outcome.REPEATED;
    }
    if (!mayHaveOneMore(waitingAtPort, port, waiting.size(), MAX_WAITING)
        || (last == null && !isRoomToRemember(port, nowNanos))) {
      return Outcome.DROPPED;
    }
    HandedOver before = handedOver.put(host, new HandedOver(nowNanos, port, sighting.claims()));
    if (before != null) {
      handedOverAtPort.merge(before.port(), -1, Integer::sum);
    }
    handedOverAtPort.merge(port, 1, Integer::sum);
    waiting.add(new Sighted(sighting, held));
    waitingAtPort.merge(port, 1, Integer::sum);
    return queued();
  }

  /** Takes what a host says at its own place while it is asked, even if it was seen just now. */
  synchronized Outcome object(HostSighting sighting) {
    if (objections.size() >= MAX_OBJECTIONS && !objections.containsKey(sighting.host())) {
      return Outcome.DROPPED;
    }
    objections.put(sighting.host(), sighting);
    return queued();
  }

  private Outcome queued() {
    boolean first = !taskWaits;
    taskWaits = true;
    return first ? Outcome.FIRST : Outcome.MERGED;
  }

  private static boolean mayHaveOneMore(
      Map<Long, Integer> atPorts, long port, int taken, int places) {
    return atPorts.getOrDefault(port, 0) < places - taken;
  }

  /** Forgets old sightings, at most ten times in the while; true where there is room. */
  private boolean isRoomToRemember(long port, long nowNanos) {
    if (mayHaveOneMore(handedOverAtPort, port, handedOver.size(), MAX_REMEMBERED)) {
      return true;
    }
    if (nowNanos - purgedNanos < repeatNanos / 10) {
      return false;
    }
    purgedNanos = nowNanos;
    handedOver.values().removeIf(old -> nowNanos - old.nanos() >= repeatNanos);
    handedOverAtPort.clear();
    handedOver.values().forEach(one -> handedOverAtPort.merge(one.port(), 1, Integer::sum));
    return mayHaveOneMore(handedOverAtPort, port, handedOver.size(), MAX_REMEMBERED);
  }

  /** What waits, objections first; control loop. */
  synchronized List<Sighted> take() {
    List<Sighted> taken = new ArrayList<>(objections.size() + waiting.size());
    objections.values().forEach(sighting -> taken.add(new Sighted(sighting, null)));
    taken.addAll(waiting);
    objections.clear();
    waiting.clear();
    waitingAtPort.clear();
    taskWaits = false;
    return taken;
  }
}
