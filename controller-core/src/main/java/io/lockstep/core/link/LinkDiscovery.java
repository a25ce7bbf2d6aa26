package io.lockstep.core.link;

import io.lockstep.core.mastership.DomainWriter;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.InputCounters.Input;
import io.lockstep.core.state.SwitchTroubles;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.device.PortDescription;

/**
 * Finds the links of the switches that this node masters. It sends probes out of their ports,
 * writes a link when a probe arrives, proves ports to be edges when none does, and takes links and
 * edges back when a port goes down. It writes only for switches it masters, through the store's
 * fence, and only what changed.
 *
 * <p>{@link LinkClaims} says what becomes a link, {@link LinkExpiry} when it ends.
 *
 * <p>Owned by the control loop, except {@link #seen} and the listener's methods, which hand over.
 */
public final class LinkDiscovery implements MasteredSwitches.Listener {
  private static final long REPORT_MILLIS = 200;
  private static final long RECONCILE_MILLIS = 250;
  private static final long TICK_MILLIS = 50;

  /** Where every port was probed for long enough. */
  private static final long SETTLED_TICK_MILLIS = 100;

  private final LinkSurroundings surroundings;
  private final DomainWriter writer;
  private final DiscoveryConfig config;
  private final Executor loop;
  private final LongSupplier nanoTime;
  private final LongSupplier timeMillis;
  private final InputCounters inputs;
  private final LinkClaims claims;
  private final LinkExpiry expiry;

  private final Map<Long, WatchedSwitch> switches = new HashMap<>();
  private final EdgePorts edges = new EdgePorts(switches);
  private final RecentWrites recentWrites;

  /** What the switches mastered here reported; entries come and go on their event loops. */
  private final Map<SwitchConnection, SwitchNews> news = new ConcurrentHashMap<>();

  private final Set<SwitchConnection> handedOver = ConcurrentHashMap.newKeySet();

  private volatile @Nullable LldpCodec codec;
  private long lastTickNanos;
  private long reconciledNanos;
  private boolean settled;

  /**
   * Discovery that sends nothing until {@link #start}.
   *
   * @param loop the control loop
   * @param nanoTime a monotone clock
   * @param timeMillis milliseconds since 1970
   * @param hasMaster whether a datapath id has a master, here or elsewhere, that sends probes
   * @param inputs counts what a switch reported too much of
   * @param troubles where claims that are refused are reported
   */
  public LinkDiscovery(
      LinkSurroundings surroundings,
      DomainWriter writer,
      DiscoveryConfig config,
      Executor loop,
      LongSupplier nanoTime,
      LongSupplier timeMillis,
      LongPredicate hasMaster,
      InputCounters inputs,
      SwitchTroubles troubles) {
    this.surroundings = surroundings;
    this.writer = writer;
    this.recentWrites = new RecentWrites(writer);
    this.config = config;
    this.loop = loop;
    this.nanoTime = nanoTime;
    this.timeMillis = timeMillis;
    this.inputs = inputs;
    this.lastTickNanos = nanoTime.getAsLong();
    this.claims = new LinkClaims(surroundings, troubles);
    this.expiry = new LinkExpiry(surroundings, config, loop, hasMaster, lastTickNanos);
    this.reconciledNanos = lastTickNanos;
  }

  /** How many claims of links were accepted or refused, and why. Thread-safe. */
  public Map<String, Long> claims() {
    return claims.counts();
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

  /** Another node watches the switch until this one does: what it found out still holds then. */
  @Override
  public void expected(SwitchConnection connection, long epoch) {
    handedOver.add(connection);
  }

  @Override
  public void expectedNoLonger(SwitchConnection connection) {
    handedOver.remove(connection);
  }

  @Override
  public void gained(SwitchConnection connection, long epoch) {
    SwitchNews reported = new SwitchNews();
    boolean wasWatched = handedOver.contains(connection);
    news.put(connection, reported);
    loop.execute(() -> watch(connection, reported, wasWatched));
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
    if (present) {
      claims.present(link);
    } else {
      forget(link);
      restart(link.src());
      restart(link.dst());
    }
    surroundings.changed();
  }

  /** A port of any switch is down, as the store says: what is plugged in next is another thing. */
  public void portIsDown(SwitchPort port) {
    claims.portDown(port);
  }

  /** It was not heard which ports went down: compares with those that are up now. */
  public void comparePorts(Predicate<SwitchPort> isUp) {
    claims.comparePorts(isUp);
  }

  private void forget(DirectedLink link) {
    WatchedSwitch destination = switches.get(link.dst().dpid());
    if (destination != null) {
      destination.news.forget(link);
    }
  }

  private void restart(SwitchPort port) {
    WatchedSwitch watched = switches.get(port.dpid());
    edges.forget(port);
    if (watched != null) {
      long now = nanoTime.getAsLong();
      watched.ports.computeIfPresent(
          port.port(), (number, old) -> new WatchedSwitch.PortWatch(now, old.cameUpNanos));
    }
  }

  /** Ports believed to be edges now: of other nodes' switches as stored, of ours as seen. */
  public Set<SwitchPort> provenEdges() {
    return edges.proven(surroundings.edges());
  }

  private void watch(SwitchConnection connection, SwitchNews reported, boolean wasWatched) {
    WatchedSwitch watched = new WatchedSwitch(connection, reported, config, nanoTime.getAsLong());
    watched.confirmed = wasWatched;
    switches.put(connection.dpid(), watched);
    edges.forget(connection.dpid());
    portsChanged(watched, new SwitchNews.Taken(Map.of(), true, List.of()), false);
  }

  /** Takes in what a switch reported since the last time; later where it has had its share. */
  private void follow(SwitchConnection connection, SwitchNews reported) {
    long begin = nanoTime.getAsLong();
    SwitchNews.Taken taken = reported.takeInTurn(begin);
    WatchedSwitch watched = switches.get(connection.dpid());
    if (taken == null || watched == null || watched.connection != connection) {
      return;
    }
    if (taken.portsChanged()) {
      portsChanged(watched, taken, true);
    }
    taken.links().forEach(link -> sighted(watched, link));
    reported.took(begin, nanoTime.getAsLong());
  }

  private void portsChanged(WatchedSwitch watched, SwitchNews.Taken taken, boolean seen) {
    long now = nanoTime.getAsLong();
    for (long number : watched.takePorts(taken, seen ? now : null, now)) {
      portDown(watched, new SwitchPort(watched.connection.dpid(), number));
    }
    if (!taken.isMuch() || !seen) {
      watched.probe(codec, edges.answered(), now, timeMillis.getAsLong());
    }
    surroundings.changed();
  }

  private void portDown(WatchedSwitch watched, SwitchPort port) {
    edges.forget(port);
    claims.portDown(port);
    List<Write> removals = new ArrayList<>();
    for (DirectedLink link : surroundings.links()) {
      if (link.touches(port)) {
        forget(link);
        removals.add(LinkWrites.remove(link));
      }
    }
    if (surroundings.edges().contains(port)) {
      removals.add(LinkWrites.removeEdge(port));
    }
    if (!removals.isEmpty()) {
      writer.writeUnanswered(watched.connection.deviceId(), removals);
    }
  }

  private void sighted(WatchedSwitch watched, DirectedLink link) {
    if (!watched.ports.containsKey(link.dst().port())) {
      return;
    }
    boolean known = surroundings.links().contains(link);
    LinkClaims.Verdict verdict =
        known ? LinkClaims.Verdict.LINK : claims.judge(link, this::cameUpNanos);
    switch (verdict) {
      case LINK -> becomesLink(watched, link, known);
      case SECOND_LINK -> {
        if (edges.beside(link, nanoTime.getAsLong())) {
          surroundings.changed();
        }
      }
      case HOST_AWAKE -> {}
    }
  }

  private @Nullable Long cameUpNanos(SwitchPort port) {
    WatchedSwitch watched = switches.get(port.dpid());
    WatchedSwitch.PortWatch watch = watched == null ? null : watched.ports.get(port.port());
    return watch == null ? null : watch.cameUpNanos;
  }

  private void becomesLink(WatchedSwitch watched, DirectedLink link, boolean known) {
    boolean news = edges.linked(link);
    if (!known) {
      writer.writeUnanswered(
          watched.connection.deviceId(),
          List.of(
              LinkWrites.put(link, timeMillis.getAsLong()),
              LinkWrites.removeEdge(link.src()),
              LinkWrites.removeEdge(link.dst())));
    }
    if (news) {
      surroundings.changed();
    }
  }

  /** After how long {@link #tick} is to be called again, in milliseconds. */
  public long periodMillis() {
    return settled ? SETTLED_TICK_MILLIS : TICK_MILLIS;
  }

  /** Sends what is due and corrects the store; called again and again. */
  public void tick() {
    long now = nanoTime.getAsLong();
    settled = true;
    if (now - lastTickNanos > millis(config.probeMillis())) {
      expiry.awoke(now);
    }
    lastTickNanos = now;
    for (WatchedSwitch watched : switches.values()) {
      if (watched.news.isDue(now)) {
        follow(watched.connection, watched.news);
      }
      watched.probe(codec, edges.answered(), now, timeMillis.getAsLong());
      if (watched.confirm(now)) {
        surroundings.changed();
      }
      settled &= watched.isSettled();
    }
    if (now - reconciledNanos >= millis(RECONCILE_MILLIS)) {
      reconciledNanos = now;
      reconcile(now);
    }
  }

  /** Makes the store say what was seen at the switches mastered here. */
  private void reconcile(long now) {
    recentWrites.forget(now);
    edges.besideNoMore(now, millis(config.missedMillis())).forEach(this::restart);
    expiry.look(switches, now);
    Set<SwitchPort> ends = new HashSet<>();
    Set<DirectedLink> surplus = claims.surplus();
    for (DirectedLink link : surroundings.links()) {
      ends.add(link.src());
      ends.add(link.dst());
      WatchedSwitch judge =
          surplus.contains(link)
              ? switches.get(link.dst().dpid())
              : expiry.judge(link, switches, now);
      if (judge != null) {
        recentWrites.once(link, judge.connection.dpid(), LinkWrites.remove(link), now);
      }
    }
    for (SwitchPort edge : edges.wrong(surroundings.edges(), ends)) {
      recentWrites.once(edge, edge.dpid(), LinkWrites.removeEdge(edge), now);
    }
    for (SwitchPort here : edges.missing(surroundings.edges(), ends, now)) {
      recentWrites.once(here, here.dpid(), LinkWrites.putEdge(here, timeMillis.getAsLong()), now);
    }
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
