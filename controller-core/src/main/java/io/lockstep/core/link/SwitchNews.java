package io.lockstep.core.link;

import io.lockstep.core.state.FairShare;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What one switch reported since the control loop last looked, and when its links were last seen.
 * Everything is bounded, so a switch that reports ports or links without end costs one waiting task
 * and bounded sets, and no other switch its place. One that reports many changes has a fifth of the
 * control loop's time at most; a few are followed at once. Thread-safe.
 */
final class SwitchNews {
  /** Changed ports that wait; when there are more, all ports changed and were down in between. */
  static final int MAX_PORTS = 8_192;

  /** New links that wait. */
  static final int MAX_LINKS = 512;

  /** Changes of ports that may be followed without a pause after them. */
  static final int FEW_CHANGES = 64;

  /** Links whose last probe is remembered. */
  static final int MAX_SEEN = 8_192;

  private final Map<DirectedLink, Long> seenNanos = new ConcurrentHashMap<>();
  private final Map<DirectedLink, Long> reportedNanos = new ConcurrentHashMap<>();

  // Guarded by this.
  /** The changed ports, and whether they were down at some time. */
  private final Map<Long, Boolean> ports = new HashMap<>();

  private final Set<DirectedLink> links = new LinkedHashSet<>();
  private boolean allPorts;
  private boolean waiting;
  private int changes;

  /** Whether more than {@link #FEW_CHANGES} were taken with the last call. */
  private boolean many;

  /** Whether news wait for the end of a pause. */
  private boolean deferred;

  private boolean paused;
  private long pausedUntilNanos;

  /** What became of a report. */
  enum Outcome {
    /** It is the first: a task has to be queued, which calls {@link #take}. */
    FIRST,
    /** The task that waits already serves this one, too. */
    MERGED,
    /** There was no room. */
    DROPPED
  }

  /**
   * What is new.
   *
   * @param ports those that changed, and whether they were down at some time
   * @param allPorts whether there were more of them than find room
   */
  record Taken(Map<Long, Boolean> ports, boolean allPorts, List<DirectedLink> links) {
    Taken {
      ports = Map.copyOf(ports);
      links = List.copyOf(links);
    }

    boolean portsChanged() {
      return allPorts || !ports.isEmpty();
    }

    boolean wasDown(long port) {
      return allPorts || ports.getOrDefault(port, false);
    }

    /** Whether it is so much that its probes wait for their turn. */
    boolean isMuch() {
      return allPorts || ports.size() > FEW_CHANGES;
    }
  }

  /** A port changed; that it was down is not lost. */
  synchronized Outcome portChanged(long port, boolean down) {
    changes++;
    if (ports.size() >= MAX_PORTS && !ports.containsKey(port)) {
      allPorts = true;
    } else {
      ports.merge(port, down, Boolean::logicalOr);
    }
    return queued();
  }

  /** A link is seen that the store does not know. */
  synchronized Outcome linkSeen(DirectedLink link) {
    if (links.size() >= MAX_LINKS && !links.contains(link)) {
      return Outcome.DROPPED;
    }
    links.add(link);
    return queued();
  }

  private Outcome queued() {
    boolean first = !waiting;
    waiting = true;
    return first ? Outcome.FIRST : Outcome.MERGED;
  }

  /** Whether news wait whose pause is over. */
  synchronized boolean isDue(long nowNanos) {
    return deferred && nowNanos - pausedUntilNanos >= 0;
  }

  /** It took so long to follow the switch: after many changes the next time is later. */
  synchronized void took(long beginNanos, long endNanos) {
    paused = many;
    pausedUntilNanos = endNanos + FairShare.pauseNanos(endNanos - beginNanos);
  }

  /**
   * What was reported since the last call; control loop.
   *
   * @return null where the switch has had its share of the loop: it is due later
   */
  synchronized @Nullable Taken takeInTurn(long nowNanos) {
    deferred = paused && nowNanos - pausedUntilNanos < 0;
    return deferred ? null : take();
  }

  /** What was reported since the last call; control loop. */
  synchronized Taken take() {
    Taken taken = new Taken(ports, allPorts, List.copyOf(links));
    many = changes > FEW_CHANGES;
    changes = 0;
    ports.clear();
    allPorts = false;
    links.clear();
    waiting = false;
    return taken;
  }

  /** Remembers that a link was probed just now. */
  void probed(DirectedLink link, long nowNanos) {
    if (seenNanos.size() < MAX_SEEN || seenNanos.containsKey(link)) {
      seenNanos.put(link, nowNanos);
    }
  }

  /** When the link was last probed; the other where that is not known. */
  long probedNanos(DirectedLink link, long otherNanos) {
    return seenNanos.getOrDefault(link, otherNanos);
  }

  /** Whether a link that the store does not know is to be reported: not again within a while. */
  boolean isReportDue(DirectedLink link, long nowNanos, long repeatNanos) {
    Long last = reportedNanos.get(link);
    if (last != null && nowNanos - last <= repeatNanos) {
      return false;
    }
    if (reportedNanos.size() >= MAX_SEEN) {
      reportedNanos.clear();
    }
    reportedNanos.put(link, nowNanos);
    return true;
  }

  /** The link is gone: its next probe is news. */
  void forget(DirectedLink link) {
    seenNanos.remove(link);
    reportedNanos.remove(link);
  }
}
