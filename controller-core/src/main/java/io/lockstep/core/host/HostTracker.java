package io.lockstep.core.host;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.app.NetworkView;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.mastership.DomainWriter;
import io.lockstep.core.mastership.Fence;
import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.packet.FrameView;
import io.lockstep.core.packet.PacketObserver;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.Alarm;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.MacAddress;

/**
 * Tracks hosts by what they send on edge ports, and writes only what changed. A known host that
 * appears elsewhere is believed at once where its old port is no usable edge any longer. Otherwise
 * the move is disputed: {@link HostMoves} asks the host at its old place. Until it is decided,
 * applications see the packet marked ({@link FrameView#isSourceDisputed}) and must not learn from
 * it. So an attacker cannot take over the address of a host that is awake, neither in the store nor
 * in an application.
 *
 * <p>A host is an address in a VLAN ({@link HostKey}), as in onos-api: the same address in two
 * VLANs is two hosts, which may be at two places. An application that forwards by the address has
 * to consider the VLAN as well.
 *
 * <p>{@link #observe} runs on the switches' event loops; everything else on the control loop. The
 * way from one to the other is bounded for each switch: one task, at most {@link
 * RecentSightings#MAX_WAITING} sightings, each host once in {@link #REPEAT_MILLIS}, and {@link
 * #MAX_HOSTS_PER_PORT} hosts behind one port.
 */
public final class HostTracker implements PacketObserver, MasteredSwitches.Listener {
  /** How long a host may be silent before it is asked, and removed if it is silent still. */
  public static final long USUAL_SILENCE_MILLIS = HostAges.USUAL_AGE_MILLIS;

  /** How often {@link #askMonitored} is to be called. */
  public static final long MONITOR_MILLIS = HostMonitor.TICK_MILLIS;

  /** How often {@link #settle} is to be called. */
  public static final long SETTLE_MILLIS = 10_000;

  /** How long a claimed move waits for the old place to object. */
  static final long VERIFY_MILLIS = 500;

  /** How long a host without addresses must be silent at its old place before it is moved. */
  static final long SILENCE_MILLIS = 10_000;

  /** A host that changes is handed over this often at most. */
  static final long REPEAT_MILLIS = 500;

  /** Hosts behind one port at most; further ones are not tracked. The store checks it again. */
  static final int MAX_HOSTS_PER_PORT = HostEntities.MAX_HOSTS_AT_PORT;

  private final HostSurroundings surroundings;
  private final Reach reach;
  private final Executor loop;
  private final LongSupplier nanoTime;

  /** By connection; entries come and go on the event loops, with the mastership. */
  private final Map<SwitchConnection, RecentSightings> recent = new ConcurrentHashMap<>();

  private final HostMoves moves;
  private final HostQuestions questions;
  private final HostAges ages;
  private final PortSilence silence;
  private final HostSearch search;
  private final HostMonitor monitor;
  private final OldHosts old;
  private final HostCounters counters = new HostCounters();
  private final HostWarnings warnings;

  /** Ports at which the store had no room. */
  private final FullPorts full;

  /** New hosts on their way to the store, by port. */
  private final Map<SwitchPort, Integer> pending = new ConcurrentHashMap<>();

  /** The clocks: monotone nanoseconds, and milliseconds since 1970. */
  public record Clocks(LongSupplier nanoTime, LongSupplier timeMillis) {}

  /** What the tracker asks of the way of packets; any thread. */
  public interface PacketPath {
    /** Decides once more on a packet whose source was disputed. */
    void decideAgain(FrameView packet);

    /**
     * Lets applications remove the flow entries that carry a host's packets past the node, so that
     * the next one shows that the host is awake.
     */
    void showSource(SwitchPort place, MacAddress source);
  }

  /**
   * Who can ask the hosts of a switch. Another one was not asked when this one was.
   *
   * @param fence of the switch's master
   * @param connected the version of the master's connection to the switch
   */
  public record Asker(Fence fence, long connected) {}

  /**
   * The hosts of switches that are in no domain any more.
   *
   * @param owned whether a port's switch is in no domain, and this node removes what is left of it
   * @param hosts changes hosts of such a switch
   */
  public record Leftovers(Predicate<SwitchPort> owned, HostWriter hosts) {}

  /**
   * How the tracker reaches the network.
   *
   * @param hosts changes hosts in the store
   * @param writer writes and removes claimed moves
   * @param edges the ports of all switches that the store says are edges
   * @param usableEdge whether the store says that the port is an edge, so a host there may be awake
   * @param asker who can ask the hosts of the port's switch, null where no node can
   * @param owned whether this node may write for the port's switch now
   * @param instead what happens in the store for each packet of a device, in place of what the
   *     tracker does; usually null
   */
  public record Reach(
      MasteredSwitches mastery,
      HostWriter hosts,
      DomainWriter writer,
      Supplier<? extends NetworkView> network,
      Supplier<? extends Collection<SwitchPort>> edges,
      Predicate<SwitchPort> usableEdge,
      Function<SwitchPort, @Nullable Asker> asker,
      Predicate<SwitchPort> owned,
      Leftovers leftovers,
      PacketPath path,
      @Nullable DeviceAccess instead) {}

  /**
   * A tracker.
   *
   * @param loop the control loop
   * @param alarm on the control loop
   * @param silenceMillis as {@link #USUAL_SILENCE_MILLIS}
   */
  public HostTracker(
      HostSurroundings surroundings,
      Reach reach,
      Executor loop,
      Alarm alarm,
      Clocks clocks,
      long silenceMillis) {
    this.surroundings = surroundings;
    this.reach = reach;
    this.loop = loop;
    this.warnings = new HostWarnings(surroundings, counters, clocks.nanoTime());
    this.moves = new HostMoves(surroundings, reach, warnings, alarm, clocks);
    this.questions = moves.questions();
    this.ages = new HostAges(surroundings, reach, counters, clocks.nanoTime(), silenceMillis);
    this.search = new HostSearch(surroundings, reach, alarm);
    this.monitor = new HostMonitor(surroundings, reach, ages, clocks.nanoTime());
    this.silence = new PortSilence(surroundings, reach, ages, clocks.nanoTime());
    this.old = new OldHosts(surroundings, reach, counters);
    this.full = new FullPorts(warnings, clocks.nanoTime());
    this.nanoTime = clocks.nanoTime();
  }

  @Override
  public void gained(SwitchConnection connection, long epoch) {
    recent.put(connection, new RecentSightings(millis(REPEAT_MILLIS), nanoTime.getAsLong()));
    loop.execute(
        () -> {
          questions.askAt(connection.dpid());
          old.tick();
        });
  }

  @Override
  public void lost(SwitchConnection connection, String reason) {
    recent.remove(connection);
  }

  /** What the tracker met. */
  public HostCounters counters() {
    return counters;
  }

  // ---- on the switches' event loops ----

  /**
   * True for the node's own probes, where a network behind two edges returns one, and for answers
   * to them: they are for no one else.
   */
  @Override
  public boolean observe(FrameView packet) {
    long mac = packet.sourceNumber();
    boolean ours = destination(packet) == HostProbe.SENDER || mac == HostProbe.SENDER;
    boolean group = (mac >>> 40 & 1) != 0;
    if (group || mac == 0 || mac == HostProbe.SENDER) {
      return ours;
    }
    DeviceAccess instead = reach.instead();
    if (instead != null) {
      if (!ours && reach.network().get().isEdge(packet.deviceId(), packet.inPort())) {
        instead.packetIn(packet);
      }
      return ours;
    }
    HostKey key = HostKey.inVlan(mac, packet.vlanId());
    // A node that just became the master of a switch asks before it has probed all its ports.
    if (!reach.network().get().isEdge(packet.deviceId(), packet.inPort())
        && !questions.isAsked(key)) {
      return ours;
    }
    SwitchPort place = new SwitchPort(packet.dpid(), packet.inPort().toLong());
    HostRecord known = surroundings.host(key);
    if (known != null && known.location().equals(place)) {
      ages.seen(key);
      HostSighting sighting = HostSighting.of(key, place, packet);
      if (questions.isAsked(key)) {
        report(packet.connection(), here -> here.object(sighting));
      } else if (!known.with(sighting).equals(known)) {
        report(packet.connection(), sighting, null);
      }
      return ours;
    }
    if (!reach.network().get().isEdge(packet.deviceId(), packet.inPort())) {
      return ours;
    }
    if (known != null && reach.usableEdge().test(known.location())) {
      packet.markSourceDisputed();
      counters.count(HostCounters.Event.DISPUTED);
      FrameView held = packet.frame().length <= HostMoves.MAX_HELD_BYTES && !ours ? packet : null;
      report(packet.connection(), HostSighting.of(key, place, packet), held);
    } else if (known != null || surroundings.hostsAt(place) < MAX_HOSTS_PER_PORT) {
      report(packet.connection(), HostSighting.of(key, place, packet), null);
    } else {
      warnings.full(place);
    }
    return ours;
  }

  private static long destination(FrameView packet) {
    byte[] frame = packet.frame();
    long mac = 0;
    for (int i = 0; i < 6; i++) {
      mac = mac << 8 | (frame[i] & 0xff);
    }
    return mac;
  }

  private void report(
      SwitchConnection connection, HostSighting sighting, @Nullable FrameView held) {
    report(connection, here -> here.add(sighting, held, nanoTime.getAsLong()));
  }

  private void report(
      SwitchConnection connection, Function<RecentSightings, RecentSightings.Outcome> add) {
    RecentSightings here = recent.get(connection);
    if (here == null) {
      return;
    }
    switch (add.apply(here)) {
      case FIRST -> loop.execute(() -> here.take().forEach(this::sighted));
      case MERGED, REPEATED -> {}
      case DROPPED -> counters.count(HostCounters.Event.DROPPED);
    }
  }

  // ---- on the control loop ----

  private void sighted(RecentSightings.Sighted seen) {
    HostSighting sighting = seen.sighting();
    HostKey key = sighting.host();
    HostRecord known = surroundings.host(key);
    if (known == null) {
      add(sighting);
    } else if (known.location().equals(sighting.place())) {
      questions.withdraw(sighting);
      if (!known.with(sighting).equals(known) && !full.isFull(sighting.place())) {
        warnings.look(sighting, known);
        logFailure("writing a host", see(sighting));
      }
    } else if (reach.usableEdge().test(known.location())) {
      moves.claim(sighting, known, seen.held());
    } else {
      moves.move(sighting, known);
    }
  }

  /** Adds a host; what is on its way to the store takes room at the port as well. */
  private void add(HostSighting sighting) {
    SwitchPort place = sighting.place();
    int waiting = pending.getOrDefault(place, 0);
    if (surroundings.hostsAt(place) + waiting >= MAX_HOSTS_PER_PORT) {
      warnings.full(place);
    } else if (!full.isFull(place)) {
      warnings.look(sighting, HostRecord.at(place, 0));
      pending.merge(place, 1, Integer::sum);
      logFailure("writing a host", see(sighting).whenComplete((done, failure) -> added(place)));
    }
  }

  private void added(SwitchPort place) {
    pending.computeIfPresent(place, (port, count) -> count == 1 ? null : count - 1);
  }

  private CompletableFuture<HostOutcome> see(HostSighting sighting) {
    SwitchPort place = sighting.place();
    return reach
        .hosts()
        .change(place.deviceId(), new HostChange.See(sighting))
        .whenComplete((outcome, failure) -> full.answered(place, outcome));
  }

  /** How often {@link #tick} is to be called. */
  public long tickMillis() {
    return ages.tickMillis();
  }

  /** Looks for hosts that are silent; every {@link #tickMillis}. */
  public void tick() {
    ages.tick();
  }

  /** Tries again what the store did not take, and takes over old hosts; {@link #SETTLE_MILLIS}. */
  public void settle() {
    silence.tick();
    old.tick();
  }

  /**
   * Whether hosts at a port, for which a link is claimed, may be awake. Asks them, and removes
   * those that are silent: the answer is no when it is asked often enough.
   *
   * @param cameUpNanos when the port came up; null where that is not known
   */
  public boolean isHostAwake(SwitchPort port, @Nullable Long cameUpNanos) {
    return silence.isAwake(port, cameUpNanos);
  }

  /** Asks for monitored and requested addresses; every {@link #MONITOR_MILLIS}. */
  public void askMonitored() {
    monitor.tick();
  }

  /** Takes the addresses to ask for. */
  HostMonitor monitor() {
    return monitor;
  }

  /** A port became an edge: a host that lost its place may be there. */
  public void edgeOpened(SwitchPort port) {
    search.edgeOpened(port);
  }

  /** A port got a link, or lost it: no host is at a port with a link. */
  public void linkChanged(SwitchPort port, boolean linked) {
    if (linked) {
      silence.linked(port);
    } else {
      silence.unlinked(port);
    }
  }

  /** A host changed in the store. */
  public void hostChanged(HostKey key, @Nullable HostRecord now) {
    ages.hostChanged(key, now);
    moves.hostChanged(key, now);
  }

  /** A move was claimed or withdrawn in the store. */
  public void moveChanged(HostKey key, @Nullable HostRecord claim) {
    questions.moveChanged(key, claim);
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
