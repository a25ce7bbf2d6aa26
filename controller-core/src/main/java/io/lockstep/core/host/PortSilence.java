package io.lockstep.core.host;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the hosts at a port are awake where a link is claimed for it, and removes those
 * that are not. Hosts are asked {@link #ASKS} times; they are silent when none was heard for {@link
 * HostTracker#VERIFY_MILLIS} after each, or for {@link HostTracker#SILENCE_MILLIS} where one of
 * them has no address to be asked for. A host that was heard last before the port came up is silent
 * at once. Hosts at a port of another node's switch count as awake until that node has removed
 * them, and so do those at a port where no host can be asked.
 *
 * <p>Owned by the control loop. Asks at most {@link #MAX_ASKED} hosts with one call.
 */
final class PortSilence {
  /** How often the hosts of a port are asked before they are silent. */
  static final int ASKS = 3;

  /** After a host was heard, how long the port's hosts are not asked. */
  static final long PAUSE_MILLIS = 5_000;

  /** Hosts of a port that are asked. */
  static final int MAX_ASKED = 64;

  /** Hosts that are removed with one change. */
  static final int MAX_REMOVED = HostChange.MAX_HOSTS;

  private final HostSurroundings surroundings;
  private final HostTracker.Reach reach;
  private final HostAges ages;
  private final LongSupplier nanoTime;
  private final Map<SwitchPort, Listening> listening = new HashMap<>();

  /** Ports of links at which hosts are left. */
  private final Set<SwitchPort> links = new HashSet<>();

  /** One port that is listened to. */
  private static final class Listening {
    final long sinceNanos;
    int asks;
    long nextAskNanos;

    Listening(long nowNanos, long firstAskNanos) {
      this.sinceNanos = nowNanos;
      this.nextAskNanos = firstAskNanos;
    }
  }

  PortSilence(
      HostSurroundings surroundings,
      HostTracker.Reach reach,
      HostAges ages,
      LongSupplier nanoTime) {
    this.surroundings = surroundings;
    this.reach = reach;
    this.ages = ages;
    this.nanoTime = nanoTime;
  }

  /**
   * Whether hosts at a port may be awake. To be called again and again while the answer matters:
   * that is what drives the questions.
   *
   * @param cameUpNanos when the port came up; null where that is not known
   */
  boolean isAwake(SwitchPort port, @Nullable Long cameUpNanos) {
    Set<HostKey> hosts = surroundings.hostsOf(port);
    if (hosts.isEmpty()) {
      listening.remove(port);
      return false;
    }
    if (!reach.owned().test(port) || reach.mastery().mastered(port.deviceId()) == null) {
      return true;
    }
    long now = nanoTime.getAsLong();
    listening.values().removeIf(old -> now - old.sinceNanos > millis(60_000));
    Listening here = listening.computeIfAbsent(port, key -> new Listening(now, now));
    boolean asleep = cameUpNanos != null && heardSince(hosts, cameUpNanos) == 0;
    if (!asleep && heardSince(hosts, here.sinceNanos) > 0) {
      listening.put(port, new Listening(now, now + millis(PAUSE_MILLIS)));
    } else if (asleep || isSilent(here, hosts, now)) {
      remove(port, hosts);
    } else if (here.asks < ASKS && now - here.nextAskNanos >= 0) {
      here.asks++;
      here.nextAskNanos = now + millis(HostTracker.VERIFY_MILLIS);
      ask(port, hosts);
    }
    return true;
  }

  private int heardSince(Set<HostKey> hosts, long sinceNanos) {
    int heard = 0;
    for (HostKey host : hosts) {
      Long at = ages.heardNanos(host);
      heard += at != null && at - sinceNanos > 0 ? 1 : 0;
    }
    return heard;
  }

  private boolean isSilent(Listening here, Set<HostKey> hosts, long now) {
    if (here.asks < ASKS || now - here.nextAskNanos < 0) {
      return false;
    }
    for (HostKey key : hosts) {
      HostRecord host = surroundings.host(key);
      if (host != null && !host.hasAddress()) {
        return now - here.sinceNanos >= millis(HostTracker.SILENCE_MILLIS);
      }
    }
    return true;
  }

  private void ask(SwitchPort port, Set<HostKey> hosts) {
    SwitchConnection connection = reach.mastery().mastered(port.deviceId());
    if (connection == null) {
      return;
    }
    hosts.stream()
        .limit(MAX_ASKED)
        .forEach(
            key -> {
              HostRecord host = surroundings.host(key);
              if (host != null && host.hasAddress()) {
                HostProbe.send(connection, key, host);
              } else if (host != null) {
                reach.path().showSource(port, key.address());
              }
            });
  }

  /** The port is a link's: no host is there, also where one was learned before. */
  void linked(SwitchPort port) {
    listening.remove(port);
    if (reach.owned().test(port) && !surroundings.hostsOf(port).isEmpty()) {
      links.add(port);
      remove(port, surroundings.hostsOf(port));
    }
  }

  /** The port is no link's any more. */
  void unlinked(SwitchPort port) {
    links.remove(port);
  }

  /** Removes again what is left at ports of links. */
  void tick() {
    links.removeIf(port -> !reach.owned().test(port) || surroundings.hostsOf(port).isEmpty());
    links.forEach(port -> remove(port, surroundings.hostsOf(port)));
  }

  private void remove(SwitchPort port, Set<HostKey> hosts) {
    List<HostKey> gone = List.copyOf(hosts);
    for (int from = 0; from < gone.size(); from += MAX_REMOVED) {
      List<HostKey> some = gone.subList(from, Math.min(gone.size(), from + MAX_REMOVED));
      logFailure(
          "removing hosts of a port",
          reach.hosts().change(port.deviceId(), new HostChange.Expire(port, some)));
    }
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
