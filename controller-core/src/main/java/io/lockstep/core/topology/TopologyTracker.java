package io.lockstep.core.topology;

import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.FairShare;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Keeps the picture of the network current. Changes are gathered for a moment, then the tree is
 * computed anew. What leaves the tree closes at once; what joins it opens only when all nodes have
 * confirmed that they follow the change, and a hold later: what they flooded before has arrived
 * then (docs/adr/0004).
 *
 * <p>Owned by the control loop; {@link #picture} and {@link #tree} may be read on any thread.
 */
public final class TopologyTracker {

  /**
   * How long to wait.
   *
   * @param debounceMillis from a change to the computation
   * @param holdMillis from when all nodes follow the change to opening: a time in flight
   */
  public record Config(long debounceMillis, long holdMillis) {
    /** 20 ms and 200 ms. */
    public static final Config DEFAULT = new Config(20, 200);

    public Config {
      if (debounceMillis < 0 || holdMillis < 0) {
        throw new IllegalArgumentException("times cannot be negative");
      }
    }
  }

  /** Hears of changes, on the control loop. */
  public interface Listener {

    /** Another picture was published. */
    default void pictureChanged(NetworkPicture picture) {}

    /**
     * Ways along the tree that existed may be different now at these switches. Told when the old
     * ways close and again when the new ones open: what was learned in between, from a node that
     * had not yet heard, goes too.
     */
    default void pathsChanged(Set<Long> dpids) {}

    /** The links, as they are now, changed. */
    default void linksChanged(Set<DirectedLink> links) {}
  }

  private final Supplier<? extends Collection<DirectedLink>> links;
  private final Supplier<? extends Collection<SwitchPort>> edges;
  private final FollowedLinks followed;
  private final Config config;
  private final Alarm alarm;
  private final LongSupplier nanoTime;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  private final Map<DirectedLink, Joined> joined = new HashMap<>();
  private final Set<Long> changedWhileHeld = new HashSet<>();
  private Set<DirectedLink> lastLinks = Set.of();
  private NetworkPaths paths = NetworkPaths.NONE;
  private boolean scheduled;

  /** The first of the changes that others do not follow yet, while an edge waits for that. */
  private long awaited = Long.MAX_VALUE;

  /** From one computation to the next, at least. */
  private long pauseMillis;

  private volatile BroadcastTree tree = BroadcastTree.EMPTY;
  private volatile NetworkPicture picture = NetworkPicture.UNKNOWN;

  /**
   * A tracker that knows nothing until {@link #changed} is called.
   *
   * @param links the links as known now
   * @param edges the proven edge ports as known now
   * @param followed how far all nodes follow the links
   * @param nanoTime a monotone clock
   */
  public TopologyTracker(
      Supplier<? extends Collection<DirectedLink>> links,
      Supplier<? extends Collection<SwitchPort>> edges,
      FollowedLinks followed,
      Config config,
      Alarm alarm,
      LongSupplier nanoTime) {
    this.links = links;
    this.edges = edges;
    this.followed = followed;
    this.config = config;
    this.alarm = alarm;
    this.nanoTime = nanoTime;
  }

  /** Adds a listener. Thread-safe. */
  public void addListener(Listener listener) {
    listeners.add(listener);
  }

  /** The newest picture. Thread-safe. */
  public NetworkPicture picture() {
    return picture;
  }

  /** The newest tree, holds not considered. Thread-safe. */
  public BroadcastTree tree() {
    return tree;
  }

  /** Other hosts are known now: the next picture shows them. */
  public void hostsChanged(KnownHosts hosts) {
    picture = picture.with(hosts);
  }

  /** Applications made other pictures of their tables: the next picture shows them. */
  public void tablesChanged(TablePictures tables) {
    picture = picture.with(tables);
  }

  /** Others follow the links further than before: what waited for that may open. */
  public void othersFollowed() {
    if (awaited != Long.MAX_VALUE && followed.areFollowedByAll(awaited)) {
      changed();
    }
  }

  /**
   * The node takes part from now on: computes at once, so that it floods nowhere along a tree from
   * before, which others do not follow any more.
   */
  public void began() {
    compute();
  }

  /** Something about links or edge ports changed: computes soon. */
  public void changed() {
    if (!scheduled) {
      scheduled = true;
      // A large network that changes again and again leaves the loop most of its time to others.
      alarm.after(Math.max(config.debounceMillis(), pauseMillis), this::computeInTurn);
    }
  }

  private void computeInTurn() {
    long begin = nanoTime.getAsLong();
    compute();
    long pauseNanos = FairShare.pauseNanos(nanoTime.getAsLong() - begin);
    // Other nodes wait for this one before they open what joins the tree.
    pauseMillis = Math.min(config.holdMillis() / 4, TimeUnit.NANOSECONDS.toMillis(pauseNanos));
  }

  private void compute() {
    scheduled = false;
    long lastChange = followed.lastChange();
    Set<DirectedLink> present = Set.copyOf(links.get());
    BroadcastTree before = tree;
    BroadcastTree after = present.equals(lastLinks) ? before : BroadcastTree.of(present);
    Set<Long> others = before.switchesWithOtherPaths(after);
    tree = after;
    Set<SwitchPort> open = openPorts(after, lastChange);
    if (!paths.areOver(present)) {
      paths = new NetworkPaths(present);
    }
    publish(present, open);
    followed.followed(lastChange);
    if (!others.isEmpty()) {
      changedWhileHeld.addAll(others);
      tellPaths(others);
    }
    if (!present.equals(lastLinks)) {
      lastLinks = present;
      listeners.forEach(listener -> listener.linksChanged(present));
    }
    if (open.size() == after.ports().size() && !changedWhileHeld.isEmpty()) {
      Set<Long> reopened = Set.copyOf(changedWhileHeld);
      changedWhileHeld.clear();
      if (!reopened.equals(others)) {
        tellPaths(reopened);
      }
    }
  }

  /** Ends of the tree's edges whose hold is over; comes back when the next one ends. */
  private Set<SwitchPort> openPorts(BroadcastTree current, long lastChange) {
    long now = nanoTime.getAsLong();
    long holdNanos = TimeUnit.MILLISECONDS.toNanos(config.holdMillis());
    joined.keySet().retainAll(current.edges());
    awaited = Long.MAX_VALUE;
    Set<SwitchPort> open = new HashSet<>();
    long shortestNanos = Long.MAX_VALUE;
    for (DirectedLink edge : current.edges()) {
      Joined change = joined.computeIfAbsent(edge, e -> Joined.by(lastChange));
      if (!change.followed() && followed.areFollowedByAll(change.index())) {
        change = change.followedAt(now);
        joined.put(edge, change);
      }
      long leftNanos = change.followedNanos() + holdNanos - now;
      if (!change.followed()) {
        awaited = Math.min(awaited, change.index());
      } else if (leftNanos <= 0) {
        open.add(edge.src());
        open.add(edge.dst());
      } else {
        shortestNanos = Math.min(shortestNanos, leftNanos);
      }
    }
    if (shortestNanos != Long.MAX_VALUE) {
      alarm.after(TimeUnit.NANOSECONDS.toMillis(shortestNanos) + 1, this::changed);
    }
    return open;
  }

  /**
   * How an edge came into the tree.
   *
   * @param index of the change of the links that brought it
   * @param followed whether all nodes follow that change
   * @param followedNanos since when, as this node knows
   */
  private record Joined(long index, boolean followed, long followedNanos) {
    static Joined by(long index) {
      return new Joined(index, false, 0);
    }

    Joined followedAt(long nanos) {
      return new Joined(index, true, nanos);
    }
  }

  private void publish(Set<DirectedLink> present, Set<SwitchPort> open) {
    Set<SwitchPort> infrastructure = new HashSet<>();
    for (DirectedLink link : present) {
      infrastructure.add(link.src());
      infrastructure.add(link.dst());
    }
    Set<SwitchPort> proven = new HashSet<>(edges.get());
    proven.removeAll(infrastructure);
    NetworkPicture next =
        new NetworkPicture(picture.generation() + 1, proven, open)
            .with(paths)
            .with(picture.knownHosts())
            .with(picture.tables());
    if (!next.allowsTheSameAs(picture)) {
      picture = next;
      listeners.forEach(listener -> listener.pictureChanged(next));
    }
  }

  private void tellPaths(Set<Long> dpids) {
    listeners.forEach(listener -> listener.pathsChanged(dpids));
  }
}
