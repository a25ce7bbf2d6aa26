package io.lockstep.openflow.channel;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bounds how many connections are open, in all and from one address. Thread-safe. */
final class ConnectionCaps {
  private final int maxConnections;
  private final int maxPerAddress;
  private final Map<InetAddress, Integer> open = new HashMap<>();
  private int total;

  ConnectionCaps(int maxConnections, int maxPerAddress) {
    this.maxConnections = maxConnections;
    this.maxPerAddress = maxPerAddress;
  }

  /** Takes a place, or returns why there is none. */
  synchronized @Nullable String admit(InetAddress address) {
    if (total >= maxConnections) {
      return maxConnections + " connections are open, the most this node takes";
    }
    int fromAddress = open.getOrDefault(address, 0);
    if (fromAddress >= maxPerAddress) {
      return fromAddress + " connections from this address are open, the most this node takes";
    }
    open.put(address, fromAddress + 1);
    total++;
    return null;
  }

  /** Gives a place back. */
  synchronized void release(InetAddress address) {
    total--;
    open.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
  }
}
