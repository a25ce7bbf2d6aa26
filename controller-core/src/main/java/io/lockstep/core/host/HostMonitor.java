package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.IpAddress;

/**
 * Asks for the IP addresses that applications monitor or request, by ARP or neighbour solicitation.
 * An address that no known host has is asked for at every edge port of the switches that this node
 * masters. A known host at such a port is asked there, where it was not heard for {@link
 * #SILENT_MILLIS}; if it does not answer {@link #PLACE_QUESTIONS} questions, or its place is no
 * edge any longer, the other edge ports are asked as well. Hosts at switches of other nodes are
 * theirs to ask. What a host answers reaches {@link HostTracker} as any other packet.
 *
 * <p>A monitored address is asked for at most once in {@link #REPEAT_MILLIS}. All questions
 * together are at most {@link #QUESTIONS_PER_TICK} in {@link #TICK_MILLIS}: in a large network a
 * round over all ports takes longer, and each address waits for its turn.
 *
 * <p>{@link #start}, {@link #stop} and {@link #request} may be called on any thread; {@link #tick}
 * on the control loop.
 */
final class HostMonitor {
  /** Addresses that are monitored at most. */
  static final int MAX_MONITORED = 1_024;

  /** Requested addresses that wait for their turn at most. */
  static final int MAX_REQUESTED = 1_024;

  /** How often {@link #tick} is to be called. */
  static final long TICK_MILLIS = 100;

  /** Frames in one tick at most; an address that needs none takes the place of one. */
  static final int QUESTIONS_PER_TICK = 50;

  /** From one round for a monitored address to the next. */
  static final long REPEAT_MILLIS = 10_000;

  /** A known host that was heard more recently is not asked. */
  static final long SILENT_MILLIS = 30_000;

  /** Questions at a known host's place before other ports are asked. */
  static final int PLACE_QUESTIONS = 3;

  /** For how long the list of edge ports serves. */
  private static final long PORTS_MILLIS = 1_000;

  private final HostSurroundings surroundings;
  private final HostTracker.Reach reach;
  private final HostAges ages;
  private final LongSupplier nanoTime;

  /** The monitored addresses, in the order of their next rounds. Guarded by this. */
  private final Map<IpAddress, Watch> monitored = new LinkedHashMap<>();

  /** Guarded by this. */
  private final Set<IpAddress> requested = new LinkedHashSet<>();

  // Control loop only.
  private @Nullable Round round;
  private boolean requestWasLast;
  private List<SwitchPort> ports = List.of();
  private @Nullable Long portsNanos;

  /**
   * A monitored address.
   *
   * @param dueNanos when its next round may begin
   * @param unanswered questions at the place of its host since it was last heard
   */
  private record Watch(long dueNanos, int unanswered) {}

  /**
   * The ports at which is still to be asked for an address.
   *
   * @param requested whether it was requested, not monitored
   */
  private record Round(IpAddress ip, int vlan, boolean requested, Iterator<SwitchPort> ports) {}

  HostMonitor(
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
   * Asks for an address from now on; no effect where it is monitored already.
   *
   * @throws IllegalArgumentException where no host can have the address
   * @throws IllegalStateException where {@link #MAX_MONITORED} others are monitored
   */
  synchronized void start(IpAddress ip) {
    check(ip);
    if (monitored.containsKey(ip)) {
      return;
    }
    if (monitored.size() >= MAX_MONITORED) {
      throw new IllegalStateException(
          "cannot monitor "
              + ip
              + ": this node monitors "
              + MAX_MONITORED
              + " addresses already; stop monitoring another one first");
    }
    Map<IpAddress, Watch> later = new LinkedHashMap<>(monitored);
    monitored.clear();
    monitored.put(ip, new Watch(nanoTime.getAsLong(), 0));
    monitored.putAll(later);
  }

  /** Stops asking for an address; no effect where it is not monitored. */
  synchronized void stop(IpAddress ip) {
    monitored.remove(ip);
  }

  /**
   * Asks for an address once.
   *
   * @throws IllegalArgumentException where no host can have the address
   * @throws IllegalStateException where {@link #MAX_REQUESTED} others wait
   */
  synchronized void request(IpAddress ip) {
    check(ip);
    if (requested.size() >= MAX_REQUESTED && !requested.contains(ip)) {
      throw new IllegalStateException(
          "cannot ask for "
              + ip
              + ": "
              + MAX_REQUESTED
              + " requested addresses wait already; request it again later");
    }
    requested.add(ip);
  }

  private static void check(IpAddress ip) {
    if (ip.isZero() || ip.isMulticast() || ip.equals(IpAddress.valueOf("255.255.255.255"))) {
      throw new IllegalArgumentException("no host has the address " + ip);
    }
  }

  /** Sends the questions of one tick. */
  void tick() {
    int left = QUESTIONS_PER_TICK;
    if (round != null && !isWanted(round)) {
      round = null;
    }
    while (left > 0) {
      Round now = round;
      if (now == null) {
        now = next();
        round = now;
        left--;
        if (now == null) {
          return;
        }
      }
      while (left > 0 && now.ports().hasNext()) {
        ask(now, now.ports().next());
        left--;
      }
      if (!now.ports().hasNext()) {
        round = null;
      }
    }
  }

  private synchronized boolean isWanted(Round now) {
    return now.requested() || monitored.containsKey(now.ip());
  }

  /** The next round; null where no address is due. Requests and monitored addresses take turns. */
  private synchronized @Nullable Round next() {
    Iterator<IpAddress> requests = requested.iterator();
    Iterator<Map.Entry<IpAddress, Watch>> watches = monitored.entrySet().iterator();
    Map.Entry<IpAddress, Watch> first = watches.hasNext() ? watches.next() : null;
    long now = nanoTime.getAsLong();
    boolean due = first != null && now - first.getValue().dueNanos() >= 0;
    requestWasLast = requests.hasNext() && !(due && requestWasLast);
    if (requestWasLast) {
      IpAddress ip = requests.next();
      requests.remove();
      return round(ip, 0, true);
    }
    if (first == null || !due) {
      return null;
    }
    IpAddress ip = first.getKey();
    int unanswered = isHeard(ip) ? 0 : first.getValue().unanswered() + 1;
    watches.remove();
    monitored.put(ip, new Watch(now + TimeUnit.MILLISECONDS.toNanos(REPEAT_MILLIS), unanswered));
    return round(ip, unanswered, false);
  }

  private boolean isHeard(IpAddress ip) {
    for (HostKey key : surroundings.hostsWith(ip)) {
      Long heard = ages.heardNanos(key);
      if (heard != null
          && nanoTime.getAsLong() - heard < TimeUnit.MILLISECONDS.toNanos(SILENT_MILLIS)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Where an address is asked for.
   *
   * @param unanswered how often it was asked for without an answer, this time included; 0 where it
   *     was heard or is just requested
   */
  private Round round(IpAddress ip, int unanswered, boolean request) {
    Set<SwitchPort> at = new LinkedHashSet<>();
    int vlan = -1;
    boolean placed = false;
    for (HostKey key : surroundings.hostsWith(ip)) {
      HostRecord host = surroundings.host(key);
      if (host == null) {
        continue;
      }
      vlan = key.vlan();
      SwitchPort place = host.location();
      if (!reach.usableEdge().test(place) || reach.asker().apply(place) == null) {
        continue;
      }
      boolean here = reach.mastery().mastered(place.deviceId()) != null;
      placed |= !here || unanswered <= PLACE_QUESTIONS;
      if (here && (request || unanswered > 0)) {
        at.add(place);
      }
    }
    if (!placed) {
      at.addAll(edgePorts());
    }
    return new Round(ip, vlan, request, at.iterator());
  }

  /** The edge ports of the switches mastered here, perhaps as they were a second ago. */
  private List<SwitchPort> edgePorts() {
    long now = nanoTime.getAsLong();
    Long read = portsNanos;
    if (read == null || now - read > TimeUnit.MILLISECONDS.toNanos(PORTS_MILLIS)) {
      portsNanos = now;
      List<SwitchPort> found = new ArrayList<>();
      for (SwitchPort port : reach.edges().get()) {
        if (reach.mastery().mastered(port.deviceId()) != null) {
          found.add(port);
        }
      }
      ports = found;
    }
    return ports;
  }

  private void ask(Round now, SwitchPort port) {
    SwitchConnection connection = reach.mastery().mastered(port.deviceId());
    if (connection != null && reach.usableEdge().test(port)) {
      HostProbe.ask(connection, port, now.vlan(), now.ip());
    }
  }
}
