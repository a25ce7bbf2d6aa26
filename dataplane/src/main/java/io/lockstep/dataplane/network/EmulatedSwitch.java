package io.lockstep.dataplane.network;

import io.lockstep.dataplane.flowtable.FlowRemoved;
import io.lockstep.dataplane.model.PacketIn;
import io.lockstep.dataplane.model.SwitchEvents;
import io.lockstep.dataplane.model.SwitchFeatures;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.model.SwitchPort;
import io.lockstep.dataplane.openflow.AgentCounters;
import io.lockstep.dataplane.openflow.AgentSettings;
import io.lockstep.dataplane.openflow.ControllerRole;
import io.lockstep.dataplane.openflow.SwitchAgent;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.topology.Topology.SwitchSpec;
import io.lockstep.dataplane.wire.NetworkClock;
import io.lockstep.dataplane.wire.Station;
import io.lockstep.dataplane.wire.Wire;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A switch of the emulated network: the pure model, its agent, and the wires of its ports, all on
 * one event loop. Public methods may be called from any thread.
 */
public final class EmulatedSwitch implements Station {
  private final SwitchSpec spec;
  private final EventLoop loop;
  private final NetworkClock clock;
  private final FrameTraces traces;
  private final SwitchModel model;
  private final SwitchAgent agent;
  private final Map<Integer, Wire> wires = new ConcurrentHashMap<>();
  private final LongAdder dropped = new LongAdder();
  private NetworkClock.@Nullable Timer expiryTimer;
  private long expiryNanos = Long.MAX_VALUE;

  EmulatedSwitch(
      SwitchSpec spec,
      SwitchFeatures features,
      HardwareProfile profile,
      EventLoop loop,
      NetworkClock clock,
      FrameTraces traces,
      List<InetSocketAddress> controllers,
      AgentSettings settings) {
    this.spec = spec;
    this.loop = loop;
    this.clock = clock;
    this.traces = traces;
    this.model = new SwitchModel(features, profile, new Events());
    this.agent = new SwitchAgent(model, loop, clock, controllers, settings, this::armExpiry);
  }

  /** Before the start, or on the loop. */
  void addPort(int number) {
    Mac mac = new Mac(0x0e00_0000_0000L | (spec.dpid() & 0xff_ffff) << 16 | (number & 0xffff));
    model.addPort(number, spec.name() + "-" + number, mac, false, clock.nanos());
  }

  /** Plugs a host in at runtime: makes the port when there is none. On the loop. */
  void ensurePort(int number) {
    if (model.port(number) == null) {
      addPort(number);
    }
  }

  void start() {
    loop.execute(agent::start);
  }

  void close() {
    loop.execute(agent::close);
  }

  public String name() {
    return spec.name();
  }

  public long dpid() {
    return spec.dpid();
  }

  public String domain() {
    return spec.domain();
  }

  /** The roles of the controllers connected now. */
  public List<ControllerRole> roles() {
    return agent.roles();
  }

  /** The controller that is connected and has the role of master; null for none. */
  public @Nullable InetSocketAddress master() {
    return agent.master();
  }

  /** The highest generation id that a controller gave; -1 before one did. */
  public CompletableFuture<Long> generationId() {
    return CompletableFuture.supplyAsync(agent::generationId, loop);
  }

  /** The controllers that have completed HELLO and are connected. */
  public Set<InetSocketAddress> connected() {
    return agent.connected();
  }

  /**
   * Why there is no connection to a controller: what ended the last one, or the last try. Null
   * where there is one, or no try has ended yet.
   */
  public @Nullable String trouble(InetSocketAddress controller) {
    return agent.trouble(controller);
  }

  public AgentCounters counters() {
    return agent.counters();
  }

  /** Packets that ended in this switch: no entry, no output, port closed, time to live. */
  public long dropped() {
    return dropped.sum();
  }

  /** Whether a cable is plugged into the port. */
  boolean isPlugged(int port) {
    return wires.containsKey(port);
  }

  /**
   * Works on the model on its own thread, for example counts flow entries, or does what an operator
   * would do.
   */
  public <T> CompletableFuture<T> inspect(Function<SwitchModel, T> question) {
    return CompletableFuture.supplyAsync(() -> question.apply(model), loop);
  }

  @Override
  public EventExecutor loop() {
    return loop;
  }

  @Override
  public void receive(int port, byte[] frame) {
    traces.record(spec.name(), Hop.Event.SWITCH_RECEIVED, port, frame);
    model.receive(port, frame, clock.nanos());
  }

  @Override
  public void plugged(int port, Wire out) {
    wires.put(port, out);
  }

  @Override
  public void unplugged(int port) {
    wires.remove(port);
  }

  @Override
  public void linkChanged(int port, boolean up) {
    model.setLink(port, up);
  }

  private void armExpiry() {
    long due = model.nextDeadlineNanos();
    if (due >= expiryNanos) {
      return;
    }
    if (expiryTimer != null) {
      expiryTimer.cancel();
    }
    expiryNanos = due;
    expiryTimer = clock.schedule(loop, due - clock.nanos(), this::expire);
  }

  private void expire() {
    expiryNanos = Long.MAX_VALUE;
    model.expire(clock.nanos());
    armExpiry();
  }

  private final class Events implements SwitchEvents {
    @Override
    public void transmit(int port, byte[] frame) {
      traces.record(spec.name(), Hop.Event.SWITCH_SENT, port, frame);
      Wire wire = wires.get(port);
      if (wire != null) {
        wire.send(frame);
      }
    }

    @Override
    public void packetIn(PacketIn packetIn) {
      traces.record(spec.name(), Hop.Event.TO_CONTROLLER, packetIn.inPort(), packetIn.data());
      agent.packetIn(packetIn);
    }

    @Override
    public void flowRemoved(FlowRemoved removed) {
      agent.flowRemoved(removed);
    }

    @Override
    public void portChanged(SwitchPort port, PortReason reason) {
      agent.portChanged(port, reason);
    }

    @Override
    public void deadlineChanged() {
      armExpiry();
    }

    @Override
    public void channelAllowed(boolean allowed) {
      agent.allow(allowed);
    }

    @Override
    public void dropped(int inPort, byte[] frame, Drop why) {
      traces.record(spec.name(), Hop.Event.DROPPED, inPort, frame);
      dropped.increment();
    }
  }
}
