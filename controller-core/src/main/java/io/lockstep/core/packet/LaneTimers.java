package io.lockstep.core.packet;

import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.PacketApplication;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The timers that run at one switch. Owned by the switch's event loop. */
final class LaneTimers {
  private final Map<PacketApplication, Map<String, Timer>> running = new HashMap<>();

  private record Timer(long startedNanos, long lastsNanos) {
    long restNanos(long now) {
      return lastsNanos - (now - startedNanos);
    }
  }

  /** A timer that ended. */
  record Ended(PacketApplication application, String name, long elapsedNanos, long overdueNanos) {}

  boolean isEmpty() {
    return running.isEmpty();
  }

  /** Starts a timer, or starts it anew; false where the application runs too many. */
  boolean start(PacketApplication application, String name, long now, long lastsNanos) {
    Map<String, Timer> timers = running.computeIfAbsent(application, none -> new HashMap<>());
    if (timers.size() >= Instruction.StartTimer.MOST_TIMERS && !timers.containsKey(name)) {
      return false;
    }
    timers.put(name, new Timer(now, lastsNanos));
    return true;
  }

  void stop(PacketApplication application, String name) {
    Map<String, Timer> timers = running.get(application);
    if (timers != null) {
      timers.remove(name);
      if (timers.isEmpty()) {
        running.remove(application);
      }
    }
  }

  /** How long until the first ends, in nanoseconds; there is one. */
  long untilFirst(long now) {
    long least = Long.MAX_VALUE;
    for (Map<String, Timer> timers : running.values()) {
      for (Timer timer : timers.values()) {
        least = Math.min(least, timer.restNanos(now));
      }
    }
    return least;
  }

  /** Takes out those that have ended, the longest overdue first. */
  List<Ended> takeEnded(long now) {
    List<Ended> ended = new ArrayList<>();
    running.forEach(
        (application, timers) ->
            timers.forEach(
                (name, timer) -> {
                  long rest = timer.restNanos(now);
                  if (rest <= 0) {
                    ended.add(new Ended(application, name, now - timer.startedNanos, -rest));
                  }
                }));
    ended.sort(Comparator.comparingLong(Ended::overdueNanos).reversed().thenComparing(Ended::name));
    ended.forEach(one -> stop(one.application(), one.name()));
    return ended;
  }
}
