package io.lockstep.core.link;

import static java.util.Locale.ROOT;

import io.lockstep.core.state.SwitchTroubles;
import io.lockstep.store.logging.BoundedLog;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whether a probe that arrived becomes a link. A probe proves who made it and when, not that it
 * came over a cable: a hub copies it, and two hosts can relay it between their ports. So
 *
 * <ul>
 *   <li>a port has one link: another that is claimed for it waits until the first has ended;
 *   <li>the port of a host that is awake becomes no link; it does when the host is silent.
 * </ul>
 *
 * <p>Either is counted, logged, and shown as the trouble of the switch where the probe came in. A
 * link that this node has seen before comes back at once, whoever was heard at its ports meanwhile:
 * behind the port of a switch that had lost its controllers its hosts are heard.
 *
 * <p>Owned by the control loop, except {@link #counts}.
 */
final class LinkClaims {
  /** Ports whose last link is remembered. */
  static final int MAX_FORMER = 65_536;

  private static final BoundedLog log = BoundedLog.of(LinkClaims.class);

  private final LinkSurroundings surroundings;
  private final SwitchTroubles troubles;
  private final Map<Verdict, LongAdder> counts = new EnumMap<>(Verdict.class);

  /** The other end of the last link of each port. */
  private final Map<SwitchPort, SwitchPort> former =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<SwitchPort, SwitchPort> eldest) {
          return size() > MAX_FORMER;
        }
      };

  /** What becomes of a claim. */
  enum Verdict {
    /** It is a link. */
    LINK,
    /** One of its ports has another link. */
    SECOND_LINK,
    /** A host at one of its ports is awake. */
    HOST_AWAKE
  }

  LinkClaims(LinkSurroundings surroundings, SwitchTroubles troubles) {
    this.surroundings = surroundings;
    this.troubles = troubles;
    for (Verdict verdict : Verdict.values()) {
      counts.put(verdict, new LongAdder());
    }
  }

  /** How many claims had each verdict, by its name in lower case. Thread-safe. */
  Map<String, Long> counts() {
    Map<String, Long> all = new TreeMap<>();
    counts.forEach((verdict, count) -> all.put(verdict.name().toLowerCase(ROOT), count.sum()));
    return all;
  }

  /** A link is in the store. */
  void present(DirectedLink link) {
    former.put(link.src(), link.dst());
    former.put(link.dst(), link.src());
  }

  /** A port went down: what is plugged in next is something else. */
  void portDown(SwitchPort port) {
    SwitchPort other = former.remove(port);
    if (other != null) {
      former.remove(other, port);
    }
  }

  /** It was not heard which ports went down: those that are down now did. */
  void comparePorts(Predicate<SwitchPort> isUp) {
    for (SwitchPort port : List.copyOf(former.keySet())) {
      if (!isUp.test(port)) {
        portDown(port);
      }
    }
  }

  /**
   * Judges a link that the store does not have.
   *
   * @param ports gives the watch of a port of a switch mastered here
   */
  Verdict judge(DirectedLink link, Ports ports) {
    Verdict verdict = verdict(link, ports);
    LongAdder count = counts.get(verdict);
    if (count != null) {
      count.increment();
    }
    return verdict;
  }

  /** The ports that this node watches. */
  @FunctionalInterface
  interface Ports {
    /** When a port came up while this node watched it; null where that is not known. */
    @Nullable Long cameUpNanos(SwitchPort port);
  }

  private Verdict verdict(DirectedLink link, Ports ports) {
    DirectedLink other = otherLink(link);
    if (other != null) {
      alarm(
          link,
          "a probe of "
              + link.src()
              + " arrived, but there is the link "
              + other
              + ": a port has one link, so there is a hub or something that relays probes");
      return Verdict.SECOND_LINK;
    }
    if (link.src().equals(former.get(link.dst()))) {
      return Verdict.LINK;
    }
    // Both are looked at, so that hosts at both are asked at the same time.
    boolean awake = surroundings.isHostAwake(link.dst(), ports.cameUpNanos(link.dst()));
    awake |= surroundings.isHostAwake(link.src(), ports.cameUpNanos(link.src()));
    if (awake) {
      alarm(
          link,
          "a probe of "
              + link.src()
              + " arrived, but there is a host that is awake at one of the two ports: it becomes a"
              + " link when the host is silent; look for something that relays probes");
      return Verdict.HOST_AWAKE;
    }
    return Verdict.LINK;
  }

  private @Nullable DirectedLink otherLink(DirectedLink link) {
    for (DirectedLink other : surroundings.links()) {
      boolean shares = other.touches(link.src()) || other.touches(link.dst());
      if (shares && !other.equals(link) && !other.reversed().equals(link)) {
        return other;
      }
    }
    return null;
  }

  private void alarm(DirectedLink link, String text) {
    troubles.report(
        link.dst().dpid(), "port " + link.dst().port(), "port " + link.dst().port() + ": " + text);
    log.warn(link.dst().dpid(), "{}: {}", link.dst(), text);
  }

  /**
   * The links that two masters wrote at the same time although they share a port, all but one of
   * each: the cable with the lowest ports stays, as every node sees alike.
   */
  Set<DirectedLink> surplus() {
    Map<SwitchPort, DirectedLink> best = new HashMap<>();
    for (DirectedLink link : surroundings.links()) {
      DirectedLink cable = cable(link);
      best.merge(cable.src(), cable, LinkClaims::lower);
      best.merge(cable.dst(), cable, LinkClaims::lower);
    }
    Set<DirectedLink> surplus = new HashSet<>();
    for (DirectedLink link : surroundings.links()) {
      DirectedLink cable = cable(link);
      if (!cable.equals(best.get(cable.src())) || !cable.equals(best.get(cable.dst()))) {
        surplus.add(link);
      }
    }
    return surplus;
  }

  private static DirectedLink cable(DirectedLink link) {
    return lower(link, link.reversed());
  }

  private static DirectedLink lower(DirectedLink a, DirectedLink b) {
    return a.compareTo(b) <= 0 ? a : b;
  }
}
