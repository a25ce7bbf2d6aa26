package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.FlowRemoved;
import io.lockstep.dataplane.model.PacketIn;
import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.model.SwitchEvents.PortReason;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.model.SwitchPort;
import io.lockstep.dataplane.wire.NetworkClock;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A switch's agent for its controllers: owns the connections, the roles and the distribution of
 * notices. Without controllers the switch goes on with its flow entries (fail secure mode, OpenFlow
 * 1.3.5 section 6.3, Connection Interruption). Runs on the switch's event loop but where noted.
 */
public final class SwitchAgent {
  private final SwitchModel model;
  private final Protocol protocol;
  private final NetworkClock clock;
  private final AgentSettings settings;
  private final Runnable deadlinesChanged;
  private final Mastership mastership = new Mastership();
  private final AgentCounters counters = new AgentCounters();
  private final List<ControllerLink> links = new ArrayList<>();
  private final List<ControllerChannel> ready = new ArrayList<>();
  private boolean started;
  private boolean allowed = true;

  /** Read by other threads. */
  private volatile List<ControllerRole> roles = List.of();

  /** Read by other threads. */
  private volatile @Nullable InetSocketAddress master;

  /** Read by other threads. */
  private volatile Set<InetSocketAddress> connected = Set.of();

  /**
   * @param deadlinesChanged called after requests that may bring the model's next deadline forward
   */
  public SwitchAgent(
      SwitchModel model,
      EventLoop loop,
      NetworkClock clock,
      List<InetSocketAddress> controllers,
      AgentSettings settings,
      Runnable deadlinesChanged) {
    this.model = model;
    this.protocol = Protocol.of(model.profile().openFlow());
    this.clock = clock;
    this.settings = settings;
    this.deadlinesChanged = deadlinesChanged;
    for (InetSocketAddress controller : controllers) {
      links.add(new ControllerLink(this, loop, controller));
    }
  }

  /** Begins to connect to all controllers, as soon as the switch can. */
  public void start() {
    started = true;
    allow(allowed);
  }

  /** Leaves all controllers, or connects to them again, by what the switch is able to. */
  public void allow(boolean now) {
    allowed = now;
    if (started) {
      links.forEach(now ? ControllerLink::resume : ControllerLink::pause);
    }
  }

  /** Closes all connections for good. */
  public void close() {
    links.forEach(ControllerLink::close);
  }

  void ready(ControllerChannel channel) {
    counters.connections.increment();
    ready.add(channel);
    rolesChanged();
    links.stream().filter(link -> link.owns(channel.channel())).forEach(ControllerLink::settled);
  }

  /** Whether this connection ends for another reason than the try before it. */
  boolean isNews(ControllerChannel channel, String reason) {
    return links.stream()
        .noneMatch(link -> link.owns(channel.channel()) && reason.equals(link.trouble()));
  }

  void left(ControllerChannel channel) {
    mastership.left(channel);
    ready.remove(channel);
    links.stream()
        .filter(link -> link.owns(channel.channel()))
        .forEach(link -> link.left(channel.reason()));
    rolesChanged();
  }

  void rolesChanged() {
    roles = ready.stream().map(ControllerChannel::role).toList();
    master = addressOfMaster();
    connected =
        ready.stream()
            .map(this::addressOf)
            .filter(Objects::nonNull)
            .collect(Collectors.toUnmodifiableSet());
  }

  private @Nullable InetSocketAddress addressOfMaster() {
    for (ControllerChannel channel : ready) {
      if (channel.role() == ControllerRole.MASTER) {
        return addressOf(channel);
      }
    }
    return null;
  }

  private @Nullable InetSocketAddress addressOf(ControllerChannel channel) {
    for (ControllerLink link : links) {
      if (link.owns(channel.channel())) {
        return link.address();
      }
    }
    return null;
  }

  /** Sends a packet-in to every controller whose role and masks want it. */
  public void packetIn(PacketIn packetIn) {
    boolean sent = false;
    for (ControllerChannel channel : ready) {
      Dialect dialect = channel.dialect();
      boolean wanted = channel.masks().wantsPacketIn(channel.role(), packetIn.reason().number());
      if (dialect != null && wanted && channel.hasRoom()) {
        channel.send(dialect.packetIn(packetIn));
        counters.packetInsSent.increment();
        sent = true;
      }
    }
    if (!sent) {
      counters.packetInsDropped.increment();
    }
  }

  /** Tells the controllers that want it that an entry is gone. */
  public void flowRemoved(FlowRemoved removed) {
    for (ControllerChannel channel : ready) {
      Dialect dialect = channel.dialect();
      int reason = removed.reason().number();
      if (dialect != null && channel.masks().wantsFlowRemoved(channel.role(), reason)) {
        channel.send(dialect.flowRemoved(removed));
      }
    }
  }

  /** Tells the controllers that want it that a port came or changed. */
  public void portChanged(SwitchPort port, PortReason reason) {
    for (ControllerChannel channel : ready) {
      Dialect dialect = channel.dialect();
      if (dialect != null && channel.masks().wantsPortStatus(channel.role(), reason.number())) {
        channel.send(dialect.portStatus(port, reason));
      }
    }
  }

  /** Roles of the connections that have completed HELLO. Any thread. */
  public List<ControllerRole> roles() {
    return roles;
  }

  /** The controller that is connected and has the role of master; null for none. Any thread. */
  public @Nullable InetSocketAddress master() {
    return master;
  }

  /** The controllers that have completed HELLO and are connected. Any thread. */
  public Set<InetSocketAddress> connected() {
    return connected;
  }

  /**
   * Why there is no connection to a controller: what ended the last one, or the last try. Null
   * where there is one, or no try has ended yet. Any thread.
   */
  public @Nullable String trouble(InetSocketAddress controller) {
    for (ControllerLink link : links) {
      if (link.address().equals(controller)) {
        return link.trouble();
      }
    }
    return null;
  }

  /** Any thread. */
  public AgentCounters counters() {
    return counters;
  }

  SwitchModel model() {
    return model;
  }

  Protocol protocol() {
    return protocol;
  }

  /** The highest generation id that a controller gave, -1 before one did; on the loop. */
  public long generationId() {
    return mastership.generationId();
  }

  Mastership mastership() {
    return mastership;
  }

  AgentSettings settings() {
    return settings;
  }

  long nanos() {
    return clock.nanos();
  }

  void deadlinesChanged() {
    deadlinesChanged.run();
  }
}
