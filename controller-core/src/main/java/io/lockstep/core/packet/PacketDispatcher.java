package io.lockstep.core.packet;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.flow.FlowDoor;
import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.link.LldpCodec;
import io.lockstep.core.link.LldpReceiver;
import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.core.recording.StoreTraffic;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketKind;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.Alarm;
import io.lockstep.store.StoreClient;
import io.lockstep.store.measure.DurationHistogram;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;

/**
 * Leads each packet-in from the switch to whoever decides on it. Everything of one switch happens
 * on that switch's event loop: there is no other thread between the channel and the application,
 * whose questions to the store have fair turns ({@link AskTurns}). Packets of switches that this
 * node does not master are dropped.
 *
 * <p>Thread-safe in that each method is called on the event loop of its connection.
 */
public final class PacketDispatcher implements MasteredSwitches.Listener {
  private static final int BROADCAST_DISCOVERY = 0x8942;

  private final MasteredSwitches mastery;
  private final Supplier<? extends NetworkView> network;
  private final FlowDoor flows;
  private final LldpReceiver lldp;
  private final List<PacketObserver> observers;
  private final ProcessorChain processors;
  private final List<RankedApplication> applications;
  private final Predicate<String> active;
  private final PacketLimits limits;
  private final LongSupplier nanoTime;
  private final PacketCounters counters = new PacketCounters();
  private final DroppedPackets dropped = new DroppedPackets();
  private final AskTurns turns;
  private final PacketGate gate;
  private final ApplicationDecisions decisions;
  private final DecisionRunner runner;
  private final RuleServing serving;
  private final EventDispatcher events;
  private final Map<DeviceId, Lane> lanes = new ConcurrentHashMap<>();

  /**
   * A dispatcher; the caller adds it as a listener of mastery.
   *
   * @param flows where applications' flow-mods go
   * @param failures counts applications that throw or break their contract
   * @param alarm may call on any thread
   * @param nanoTime a monotone clock
   * @param traffic records events while a trace is on
   * @throws IllegalArgumentException where two applications cannot be told apart by their cookies
   */
  public PacketDispatcher(
      MasteredSwitches mastery,
      StoreClient store,
      Supplier<? extends NetworkView> network,
      PacketHandlers handlers,
      FlowDoor flows,
      PacketLimits limits,
      ApplicationFailures failures,
      Alarm alarm,
      LongSupplier nanoTime,
      StoreTraffic traffic) {
    this.mastery = mastery;
    this.network = network;
    this.flows = flows;
    this.lldp = handlers.lldp();
    this.observers = handlers.observers();
    this.processors = handlers.processors();
    this.applications = handlers.applications();
    this.active = handlers.active();
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.decisions =
        new ApplicationDecisions(applications.stream().map(RankedApplication::name).toList());
    this.turns =
        new AskTurns(store, new CachedQuestions(store, nanoTime, handlers.tables()), traffic);
    this.gate = new PacketGate(turns, counters, nanoTime);
    this.runner =
        new DecisionRunner(
            mastery,
            turns,
            gate,
            network,
            flows,
            limits,
            counters,
            failures,
            decisions,
            alarm,
            nanoTime,
            this::tellOne,
            new EventTraces(traffic));
    this.serving = new RuleServing(flows, network, nanoTime);
    this.events =
        new EventDispatcher(lanes, applications, active, network, runner, alarm, nanoTime);
    Cookies.requireDistinct(applications.stream().map(RankedApplication::name).toList());
  }

  /** What became of the packets. */
  public PacketCounters counters() {
    return counters;
  }

  /** The packets that were dropped because there was too much. Thread-safe. */
  public DroppedPackets dropped() {
    return dropped;
  }

  /** How many decisions of each application were carried out. Thread-safe. */
  public ApplicationDecisions decisions() {
    return decisions;
  }

  /** How long flows took to set up, as this node measures. Thread-safe. */
  public DurationHistogram.Reading flowSetups() {
    return runner.flowSetups();
  }

  /** Tells applications of events that are no packets. */
  public EventDispatcher events() {
    return events;
  }

  // ---- mastership ----

  @Override
  public void gained(SwitchConnection connection, long epoch) {
    long now = nanoTime.getAsLong();
    Lane lane =
        new Lane(
            connection,
            epoch,
            limits,
            turns.line(connection),
            dropped.ofSwitch(connection.dpid()),
            flows.matches(connection).untaggedVlan(),
            now);
    lanes.put(connection.deviceId(), lane);
    events.mastered(lane);
  }

  @Override
  public void lost(SwitchConnection connection, String reason) {
    Lane lane = lanes.get(connection.deviceId());
    if (lane != null && lane.connection == connection) {
      lanes.remove(connection.deviceId(), lane);
      counters.count(PacketResult.STALE, turns.drop(lane.line));
    }
  }

  /** Whether no decision on a packet or event of the switch waits for the store. Event loop. */
  public boolean isIdle(SwitchConnection connection) {
    Lane lane = lanes.get(connection.deviceId());
    return lane == null
        || lane.connection != connection
        || (lane.eventAsks == 0 && lane.places.taken() == 0);
  }

  // ---- packets ----

  /**
   * Whether a packet-in would be dropped: because this node does not master the switch, or because
   * there is too much of its kind, port or switch. Then it is counted, and must not come in. On the
   * event loop of the connection, before anything is made of the packet.
   */
  public boolean refuses(SwitchConnection connection, long port, PacketKind kind) {
    Lane lane = lanes.get(connection.deviceId());
    if (lane == null || lane.connection != connection) {
      counters.count(PacketResult.RECEIVED);
      counters.count(PacketResult.NOT_MASTERED);
      return true;
    }
    return gate.refuses(lane, port, kind);
  }

  /** A packet-in of any connected switch. */
  public void packetIn(SwitchConnection connection, PacketIn packet) {
    counters.count(PacketResult.RECEIVED);
    Lane lane = lanes.get(connection.deviceId());
    if (lane == null
        || lane.connection != connection
        || mastery.mastered(connection.deviceId()) != connection) {
      counters.count(PacketResult.NOT_MASTERED);
      return;
    }
    FrameView view = FrameView.parse(connection, UntaggedFrames.of(packet, lane.untaggedVlan));
    if (view == null) {
      counters.count(PacketResult.MALFORMED);
    } else if (view.etherType() == LldpCodec.ETHER_TYPE) {
      discovery(lane, view);
    } else if (view.isLinkLocal() || view.etherType() == BROADCAST_DISCOVERY) {
      counters.count(PacketResult.LINK_LOCAL);
    } else if (gate.admitsData(lane, view)) {
      dispatch(lane, view);
    }
  }

  /**
   * Decides again on a packet that came in before, if its switch is still mastered in the same
   * epoch. The switch no longer holds a buffer of it, so a packet that was cut is dropped. It
   * counts against no quota. Any thread.
   */
  public void decideAgain(FrameView packet) {
    SwitchConnection connection = packet.connection();
    connection.execute(
        () -> {
          Lane lane = lanes.get(connection.deviceId());
          FrameView again = FrameView.parse(connection, packet.packet().withoutBuffer());
          if (lane != null
              && lane.connection == connection
              && again != null
              && runner.isCurrent(lane)) {
            dispatch(lane, again);
          }
        });
  }

  private void discovery(Lane lane, FrameView view) {
    if (gate.admitsProbe(lane, view)) {
      counters.count(PacketResult.LLDP);
      lldp.receive(lane.connection, view.packet());
    }
  }

  private void dispatch(Lane lane, FrameView view) {
    if (dropsClaimed(view)) {
      return;
    }
    view.entriesGoThrough(flows);
    for (PacketObserver observer : observers) {
      if (observer.observe(view)) {
        counters.count(PacketResult.OBSERVED);
        return;
      }
    }
    PacketResult served = serving.serve(lane, view);
    if (served != null) {
      counters.count(served);
      return;
    }
    // onos-api has no mark for a disputed source, and processors learn from what they see.
    ProcessorChain.ProcessorPass pass = null;
    if (!processors.isEmpty() && !view.isSourceDisputed()) {
      pass = processors.show(view);
      if (pass == null) {
        counters.count(PacketResult.MALFORMED);
        return;
      }
    }
    ask(lane, view, pass, 0);
  }

  /** Drops and counts a packet whose sender has an address of an application. */
  private boolean dropsClaimed(FrameView view) {
    for (RankedApplication application : applications) {
      if (!active.test(application.name())) {
        continue;
      }
      try {
        if (application.logic().claimsSource(view, network.get())) {
          counters.count(PacketResult.CLAIMED_SOURCE);
          return true;
        }
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
        runner.failed(application.name(), "failed on the source of a packet", e);
        return true;
      }
    }
    return false;
  }

  /**
   * Asks the applications from a position on, in order, until one does not pass at once. Before
   * each, processors that come before it see the packet.
   *
   * @param pass null where there is no processor
   */
  private void ask(
      Lane lane, FrameView view, ProcessorChain.@Nullable ProcessorPass pass, int from) {
    for (int at = from; at < applications.size(); at++) {
      RankedApplication application = applications.get(at);
      if (pass != null && settled(pass.before(application))) {
        return;
      }
      if (!active.test(application.name())) {
        continue;
      }
      Decision decision;
      try {
        decision = application.logic().packetIn(view, network.get());
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
        runner.failed(application.name(), "failed on a packet", e);
        return;
      }
      if (!(decision instanceof Decision.Pass)) {
        int next = at + 1;
        runner.runForPacket(
            application.logic(), lane, view, decision, () -> ask(lane, view, pass, next));
        return;
      }
    }
    if (pass == null || !settled(pass.rest())) {
      counters.count(PacketResult.UNCLAIMED);
    }
  }

  private boolean settled(PacketResult result) {
    if (result == PacketResult.UNCLAIMED) {
      return false;
    }
    counters.count(result);
    return true;
  }

  private void tellOne(PacketApplication application, Lane lane, NetworkEvent event) {
    events.tellOne(application, lane, event);
  }
}
