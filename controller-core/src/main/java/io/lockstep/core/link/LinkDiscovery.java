package io.lockstep.core.link;

import io.lockstep.core.mastership.DomainWriter;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.mastership.Mastery;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.InputCounters.Input;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.device.PortDescription;

/**
 * Finds the links of the switches that this node masters. It sends probes out of their ports,
 * writes a link when a probe arrives, proves ports to be edges when none does, and takes links and
 * edges back when a port goes down. It writes only for switches it masters, through the store's
 * fence, and only what changed.
 *
 * <p>A link without probes is given up only by the master of its destination, only after it heard
 * nothing for {@link DiscoveryConfig#missedProbes} intervals in which it was awake and the source
 * had a master to send probes: unknown is not missing.
 *
 * <p>Owned by the control loop, except {@link #seen} and the listener's methods, which hand over.
 */
public final class LinkDiscovery implements Mastery.Listener {
  private static final long REPORT_MILLIS = 200;
  private static final long RETRY_MILLIS = 500;
  private static final long RECONCILE_MILLIS = 250;

  private static final LinkTable LINKS = new LinkTable();
  private static final EdgeTable EDGES = new EdgeTable();

  /** What discovery needs of the node. */
  public interface Surroundings {
    /** The links in the store as known now: a live view that bears changes while it is read. */
    Set<DirectedLink> links();

    /** The edge ports in the store as known now: a live view like {@link #links}. */
    Set<SwitchPort> edges();

    /** Links or edges that only this node knows so far changed; on the control loop. */
    void changed();
  }

  private final Surroundings surroundings;
  private final DomainWriter writer;
  private final DiscoveryConfig config;
  private final Executor loop;
  private final LongSupplier nanoTime;
  private final LongSupplier timeMillis;
  private final LongPredicate hasMaster;
  private final InputCounters inputs;

  private final Map<Long, WatchedSwitch> switches = new HashMap<>();
  private final Set<SwitchPort> answered = new HashSet<>();
  private final Map<Object, Long> writtenNanos = new HashMap<>();

  /** What the switches mastered here reported; entries come and go on their event loops. */
  private final Map<SwitchConnection, SwitchNews> news = new ConcurrentHashMap<>();

  private volatile @Nullable LldpCodec codec;
  private long lastTickNanos;
  private long awakeSinceNanos;
  private long reconciledNanos;

  /**
   * Discovery that sends nothing until {@link #start}.
   *
   * @param loop the control loop
   * @param nanoTime a monotone clock
   * @param timeMillis milliseconds since 1970
   * @param hasMaster whether a datapath id has a master, here or elsewhere, that sends probes
   * @param inputs counts what a switch reported too much of
   */
  public LinkDiscovery(
      Surroundings surroundings,
      DomainWriter writer,
      DiscoveryConfig config,
      Executor loop,
      LongSupplier nanoTime,
      LongSupplier timeMillis,
      LongPredicate hasMaster,
      InputCounters inputs) {
    this.surroundings = surroundings;
    this.writer = writer;
    this.config = config;
    this.loop = loop;
    this.nanoTime = nanoTime;
    this.timeMillis = timeMillis;
    this.hasMaster = hasMaster;
    this.inputs = inputs;
    this.lastTickNanos = nanoTime.getAsLong();
    this.awakeSinceNanos = lastTickNanos;
    this.reconciledNanos = lastTickNanos;
  }

  /** The cluster's key is agreed: probes can be sent and judged. Thread-safe. */
  public void start(DiscoveryKey key) {
    codec = new LldpCodec(key, config.windowMillis());
  }

  /** How probes are written and judged; null before {@link #start}. Thread-safe. */
  @Nullable LldpCodec codec() {
    return codec;
  }

  // ---- from the switches' event loops ----

  /** A genuine probe arrived. Hands over only what the store does not know yet. Event loop. */
  void seen(SwitchConnection connection, DirectedLink link) {
    SwitchNews here = news.get(connection);
    if (here == null) {
      return;
    }
    long now = nanoTime.getAsLong();
    here.probed(link, now);
    if (surroundings.links().contains(link)
        || !here.isReportDue(link, now, millis(REPORT_MILLIS))) {
      return;
    }
    SwitchNews.Outcome outcome = here.linkSeen(link);
    if (outcome == SwitchNews.Outcome.FIRST) {
      loop.execute(() -> follow(connection, here));
    } else if (outcome == SwitchNews.Outcome.DROPPED) {
      inputs.count(Input.LINK_DROPPED);
    }
  }

  @Override
  public void gained(SwitchConnection connection, long epoch) {
    news.put(connection, new SwitchNews());
    loop.execute(() -> watch(connection));
  }

  @Override
  public void lost(SwitchConnection connection, String reason) {
    news.remove(connection);
    loop.execute(
        () -> {
          WatchedSwitch watched = switches.get(connection.dpid());
          if (watched != null && watched.connection == connection) {
            switches.remove(connection.dpid());
            surroundings.changed();
          }
        });
  }

  /**
   * A port of a connected switch changed; on its event loop. Many changes become one task; that a
   * port was down in between is not lost.
   */
  public void portStatus(SwitchConnection connection, PortChange change, PortDescription port) {
    SwitchNews here = news.get(connection);
    if (here == null) {
      return;
    }
    boolean down = change == PortChange.REMOVED || !port.isEnabled();
    if (here.portChanged(port.portNumber().toLong(), down) == SwitchNews.Outcome.FIRST) {
      loop.execute(() -> follow(connection, here));
    } else {
      inputs.count(Input.PORT_STATUS_MERGED);
    }
  }

  // ---- on the control loop ----

  /** The port's link came or went in the store: a port that lost its link starts anew. */
  public void linkChanged(DirectedLink link, boolean present) {
    if (!present) {
      forget(link);
      restart(link.src());
      restart(link.dst());
    }
    surroundings.changed();
  }

  private void forget(DirectedLink link) {
    WatchedSwitch destination = switches.get(link.dst().dpid());
    SwitchNews here = destination == null ? null : news.get(destination.connection);
    if (here != null) {
      here.forget(link);
    }
  }

  private void restart(SwitchPort port) {
    WatchedSwitch watched = switches.get(port.dpid());
    answered.remove(port);
    if (watched != null && watched.ports.containsKey(port.port())) {
      watched.ports.put(port.port(), new WatchedSwitch.PortWatch(nanoTime.getAsLong()));
    }
  }

  /** Ports believed to be edges now: of other nodes' switches as stored, of ours as seen. */
  public Set<SwitchPort> provenEdges() {
    Set<SwitchPort> proven = new HashSet<>();
    for (SwitchPort port : surroundings.edges()) {
      WatchedSwitch watched = switches.get(port.dpid());
      if (watched == null
          || (watched.confirmed
              && watched.ports.containsKey(port.port())
              && !answered.contains(port))) {
        proven.add(port);
      }
    }
    return proven;
  }

  private void watch(SwitchConnection connection) {
    WatchedSwitch watched = new WatchedSwitch(connection, config, nanoTime.getAsLong());
    switches.put(connection.dpid(), watched);
    answered.removeIf(port -> port.dpid() == connection.dpid());
    portsChanged(watched, new SwitchNews().take());
  }

  /** Takes in what a switch reported since the last time. */
  private void follow(SwitchConnection connection, SwitchNews reported) {
    SwitchNews.Taken taken = reported.take();
    WatchedSwitch watched = switches.get(connection.dpid());
    if (watched == null || watched.connection != connection) {
      return;
    }
    if (taken.portsChanged()) {
      portsChanged(watched, taken);
    }
    taken.links().forEach(link -> sighted(watched, link));
  }

  private void portsChanged(WatchedSwitch watched, SwitchNews.Taken taken) {
    SwitchConnection connection = watched.connection;
    Set<Long> up = new HashSet<>();
    for (PortDescription port : connection.ports()) {
      long number = port.portNumber().toLong();
      if (port.isEnabled() && !port.portNumber().isLogical() && number > 0) {
        up.add(number);
      }
    }
    for (long number : List.copyOf(watched.ports.keySet())) {
      SwitchPort port = new SwitchPort(connection.dpid(), number);
      if (taken.wasDown(number) || !up.contains(number)) {
        watched.ports.remove(number);
        portDown(watched, port);
      }
    }
    long now = nanoTime.getAsLong();
    for (long number : up) {
      if (!watched.ports.containsKey(number)) {
        watched.ports.put(number, new WatchedSwitch.PortWatch(now));
        watched.probe(number, codec, answered, now, timeMillis.getAsLong());
      }
    }
    surroundings.changed();
  }

  private void portDown(WatchedSwitch watched, SwitchPort port) {
    answered.remove(port);
    List<Write> removals = new ArrayList<>();
    for (DirectedLink link : surroundings.links()) {
      if (link.touches(port)) {
        forget(link);
        removals.add(remove(link));
      }
    }
    if (surroundings.edges().contains(port)) {
      removals.add(remove(port));
    }
    if (!removals.isEmpty()) {
      writer.write(watched.connection.deviceId(), removals);
    }
  }

  private void sighted(WatchedSwitch watched, DirectedLink link) {
    if (!watched.ports.containsKey(link.dst().port())) {
      return;
    }
    boolean news = answered.add(link.dst());
    news |= switches.containsKey(link.src().dpid()) && answered.add(link.src());
    if (!surroundings.links().contains(link)) {
      writer.write(
          watched.connection.deviceId(),
          List.of(
              new Write.Put(
                  LinkTable.NAME, LINKS.encodeKey(link), LINKS.encodeValue(timeMillis.getAsLong())),
              remove(link.src()),
              remove(link.dst())));
    }
    if (news) {
      surroundings.changed();
    }
  }

  /** Sends what is due and corrects the store; called every few tens of milliseconds. */
  public void tick() {
    long now = nanoTime.getAsLong();
    if (now - lastTickNanos > millis(config.probeMillis())) {
      awakeSinceNanos = now;
    }
    lastTickNanos = now;
    for (WatchedSwitch watched : switches.values()) {
      for (long number : watched.ports.keySet()) {
        watched.probe(number, codec, answered, now, timeMillis.getAsLong());
      }
      if (watched.confirm(now)) {
        surroundings.changed();
      }
    }
    if (now - reconciledNanos >= millis(RECONCILE_MILLIS)) {
      reconciledNanos = now;
      reconcile(now);
    }
  }

  /** Makes the store say what was seen at the switches mastered here. */
  private void reconcile(long now) {
    writtenNanos.values().removeIf(at -> now - at > millis(RETRY_MILLIS));
    Set<SwitchPort> ends = new HashSet<>();
    for (DirectedLink link : surroundings.links()) {
      ends.add(link.src());
      ends.add(link.dst());
      WatchedSwitch judge = judgeOf(link, now);
      if (judge != null) {
        once(judge, link, remove(link), now);
      }
    }
    for (SwitchPort edge : surroundings.edges()) {
      WatchedSwitch watched = switches.get(edge.dpid());
      if (watched != null && (!watched.ports.containsKey(edge.port()) || ends.contains(edge))) {
        once(watched, edge, remove(edge), now);
      }
    }
    for (WatchedSwitch watched : switches.values()) {
      watched.ports.forEach(
          (number, port) -> {
            SwitchPort here = new SwitchPort(watched.connection.dpid(), number);
            if (watched.pastQuarantine(port, now)
                && !ends.contains(here)
                && !answered.contains(here)
                && !surroundings.edges().contains(here)) {
              Bytes since = EDGES.encodeValue(timeMillis.getAsLong());
              Write put = new Write.Put(EdgeTable.NAME, EDGES.encodeKey(here), since);
              once(watched, here, put, now);
            }
          });
    }
  }

  /** The switch in whose name the link is to be removed now, or null where it stays. */
  private @Nullable WatchedSwitch judgeOf(DirectedLink link, long now) {
    WatchedSwitch source = switches.get(link.src().dpid());
    if (source != null && !source.ports.containsKey(link.src().port())) {
      return source;
    }
    WatchedSwitch destination = switches.get(link.dst().dpid());
    if (destination == null) {
      return null;
    }
    if (!destination.ports.containsKey(link.dst().port())) {
      return destination;
    }
    long heard = Math.max(destination.gainedNanos, awakeSinceNanos);
    if (!hasMaster.test(link.src().dpid())) {
      destination.sourceUnknown.put(link, now);
    }
    heard = Math.max(heard, destination.sourceUnknown.getOrDefault(link, heard));
    SwitchNews here = news.get(destination.connection);
    if (here != null) {
      heard = Math.max(heard, here.probedNanos(link, heard));
    }
    return now - heard > millis(config.missedMillis()) ? destination : null;
  }

  private void once(WatchedSwitch watched, Object what, Write write, long now) {
    if (writtenNanos.putIfAbsent(what, now) == null) {
      writer.write(watched.connection.deviceId(), List.of(write));
    }
  }

  private static Write remove(DirectedLink link) {
    return new Write.Remove(LinkTable.NAME, LINKS.encodeKey(link));
  }

  private static Write remove(SwitchPort edge) {
    return new Write.Remove(EdgeTable.NAME, EDGES.encodeKey(edge));
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
