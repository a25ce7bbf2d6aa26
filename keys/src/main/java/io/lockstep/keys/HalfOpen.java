package io.lockstep.keys;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Connections of which it is not known yet who is at the other end. There is room for so many. One
 * more takes the place of the oldest one of the machine that has the most, so a machine that opens
 * connections without end takes no place from others. Thread-safe.
 *
 * @param <C> a connection; identity counts, so it must not define equality otherwise
 */
public final class HalfOpen<C> {
  private final int most;
  private final Map<C, String> machines = new LinkedHashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private long displaced;

  /**
   * No connections yet.
   *
   * @param most at a time, at least 1
   */
  public HalfOpen(int most) {
    this.most = most;
  }

  /**
   * Adds a connection.
   *
   * @param machine the other end's address without its port
   * @return the connection that lost its place, to be closed; null for none
   */
  public synchronized @Nullable C enter(C connection, String machine) {
    C lost = machines.size() >= most ? displace() : null;
    if (machines.put(connection, machine) == null) {
      counts.merge(machine, 1, Integer::sum);
    }
    return lost;
  }

  private @Nullable C displace() {
    String crowd =
        counts.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse("");
    for (Iterator<Map.Entry<C, String>> all = machines.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<C, String> one = all.next();
      if (one.getValue().equals(crowd)) {
        C lost = one.getKey();
        all.remove();
        forget(crowd);
        displaced++;
        return lost;
      }
    }
    return null;
  }

  /** Removes a connection that is known now, or has ended; false where it had no place. */
  public synchronized boolean leave(C connection) {
    String machine = machines.remove(connection);
    if (machine == null) {
      return false;
    }
    forget(machine);
    return true;
  }

  private void forget(String machine) {
    counts.computeIfPresent(machine, (any, count) -> count == 1 ? null : count - 1);
  }

  /** How many there are. */
  public synchronized int size() {
    return machines.size();
  }

  /** How many have lost their place so far. */
  public synchronized long displaced() {
    return displaced;
  }
}
