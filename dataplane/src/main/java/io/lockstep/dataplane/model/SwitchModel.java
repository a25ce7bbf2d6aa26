package io.lockstep.dataplane.model;

import io.lockstep.dataplane.flowtable.Action;
import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.flowtable.Pipeline;
import io.lockstep.dataplane.flowtable.Pipeline.Origin;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.model.PacketIn.Reason;
import io.lockstep.dataplane.model.SwitchEvents.Drop;
import io.lockstep.dataplane.model.SwitchEvents.PortReason;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.packet.Packet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An OpenFlow 1.3.5 switch without its channel: give it frames and requests with the time, it calls
 * {@link SwitchEvents}. Owned by one thread; time is in nanoseconds from any fixed point and must
 * not go back.
 */
public final class SwitchModel {
  private final SwitchFeatures features;
  private final SwitchEvents events;
  private final Pipeline pipeline;
  private final PacketBuffers buffers;
  private final NavigableMap<Integer, SwitchPort> ports = new TreeMap<>();
  private int missSendLength = 128;

  public SwitchModel(SwitchFeatures features, SwitchEvents events) {
    this.features = features;
    this.events = events;
    this.pipeline =
        new Pipeline(
            features.tables(), features.tableEntries(), ports::containsKey, events::flowRemoved);
    this.buffers =
        new PacketBuffers(
            features.buffers(), TimeUnit.MILLISECONDS.toNanos(features.bufferHoldMillis()));
  }

  public SwitchFeatures features() {
    return features;
  }

  public Pipeline pipeline() {
    return pipeline;
  }

  /** The ports by ascending number; a view. */
  public Collection<SwitchPort> ports() {
    return Collections.unmodifiableCollection(ports.values());
  }

  public @Nullable SwitchPort port(int number) {
    return ports.get(number);
  }

  /** Octets of a packet-in that no output action caused (section 7.3.2). */
  public int missSendLength() {
    return missSendLength;
  }

  public void setMissSendLength(int octets) {
    missSendLength = octets;
  }

  /** Adds a port before or while the switch runs; its number must be free and physical. */
  public SwitchPort addPort(int number, String name, Mac mac, boolean linkUp, long nowNanos) {
    if (!PortNumbers.isPhysical(number) || ports.containsKey(number)) {
      throw new IllegalArgumentException("port " + number + " is taken or reserved");
    }
    SwitchPort port = new SwitchPort(number, name, mac, linkUp, nowNanos);
    ports.put(number, port);
    events.portChanged(port, PortReason.ADDED);
    return port;
  }

  /** The cable was plugged or cut; tells the controllers when that changes the port. */
  public void setLink(int number, boolean up) {
    SwitchPort port = existing(number);
    if (port.linkUp() != up) {
      port.setLinkUp(up);
      events.portChanged(port, PortReason.MODIFIED);
    }
  }

  /** Port-mod (section 7.3.4.3); empty when done, else the error with nothing changed. */
  public Optional<ModelError> configurePort(int number, Mac mac, SwitchPort.Config config) {
    SwitchPort port = ports.get(number);
    if (port == null) {
      return Optional.of(ModelError.PORT_MOD_BAD_PORT);
    }
    if (!port.mac().equals(mac)) {
      return Optional.of(ModelError.PORT_MOD_BAD_HW_ADDR);
    }
    if (!port.config().equals(config)) {
      port.configure(config);
      events.portChanged(port, PortReason.MODIFIED);
    }
    return Optional.empty();
  }

  private SwitchPort existing(int number) {
    SwitchPort port = ports.get(number);
    if (port == null) {
      throw new IllegalArgumentException("no port " + number);
    }
    return port;
  }

  /**
   * A frame arrives by a physical port.
   *
   * @param frame not copied, must not be written to
   */
  public void receive(int inPort, byte[] frame, long nowNanos) {
    SwitchPort port = existing(inPort);
    if (!port.accepts()) {
      port.droppedIn();
      events.dropped(inPort, frame, Drop.PORT_CLOSED);
      return;
    }
    port.received(frame.length);
    pipeline.expire(nowNanos);
    run(new Packet(frame, inPort), nowNanos);
  }

  private void run(Packet packet, long nowNanos) {
    Forwarding exit = new Forwarding(packet, nowNanos);
    pipeline.process(packet, nowNanos, exit);
    exit.finish();
  }

  /**
   * Flow-mod (section 7.3.4.1); empty when done, else the error. With a buffer id the packet then
   * runs through the pipeline from table 0; an unknown id is an error although the entry stands.
   */
  public Optional<ModelError> flowMod(FlowMod mod, long nowNanos) {
    pipeline.expire(nowNanos);
    Optional<ModelError> error = pipeline.apply(mod, nowNanos);
    boolean buffered = mod.bufferId() != FlowMod.NO_BUFFER && !isDelete(mod);
    if (error.isPresent() || !buffered) {
      return error;
    }
    PacketBuffers.Held held = buffers.take(mod.bufferId());
    if (held == null) {
      return Optional.of(ModelError.BUFFER_UNKNOWN);
    }
    run(new Packet(held.frame(), held.inPort()), nowNanos);
    return Optional.empty();
  }

  private static boolean isDelete(FlowMod mod) {
    return mod.command() == FlowMod.Command.DELETE
        || mod.command() == FlowMod.Command.DELETE_STRICT;
  }

  /**
   * Packet-out (section 7.3.7).
   *
   * @param bufferId the buffered packet to send, or {@link FlowMod#NO_BUFFER} to send {@code data}
   * @param inPort what IN_PORT and flooding refer to: a physical port or CONTROLLER
   */
  public Optional<ModelError> packetOut(
      int bufferId, int inPort, List<Action> actions, byte[] data, long nowNanos) {
    boolean known = inPort == PortNumbers.CONTROLLER || ports.containsKey(inPort);
    if (!known && inPort != PortNumbers.LOCAL) {
      return Optional.of(ModelError.BAD_REQUEST_PORT);
    }
    Optional<ModelError> error = pipeline.actionCheck().refusalOfPacketOut(actions);
    if (error.isPresent()) {
      return error;
    }
    byte[] frame = data;
    if (bufferId != FlowMod.NO_BUFFER) {
      PacketBuffers.Held held = buffers.take(bufferId);
      if (held == null) {
        return Optional.of(ModelError.BUFFER_UNKNOWN);
      }
      frame = held.frame();
    } else if (data.length == 0) {
      return Optional.of(ModelError.BAD_PACKET);
    }
    pipeline.expire(nowNanos);
    Packet packet = new Packet(frame, inPort);
    Forwarding exit = new Forwarding(packet, nowNanos);
    pipeline.execute(actions, packet, Origin.PACKET_OUT, exit);
    exit.finish();
    return Optional.empty();
  }

  /** Removes what has timed out; call it at {@link #nextDeadlineNanos()}. */
  public void expire(long nowNanos) {
    pipeline.expire(nowNanos);
  }

  /** When {@link #expire} has something to do at the earliest; Long.MAX_VALUE for never. */
  public long nextDeadlineNanos() {
    return pipeline.nextDeadlineNanos();
  }

  /** Carries the outputs of one packet out (section 4.5, reserved ports). */
  private final class Forwarding implements Pipeline.Exit {
    private final Packet original;
    private final long nowNanos;
    private boolean settled;

    Forwarding(Packet original, long nowNanos) {
      this.original = original;
      this.nowNanos = nowNanos;
    }

    /** Reports a packet that nothing sent anywhere. */
    void finish() {
      if (!settled) {
        events.dropped(original.inPort(), original.bytes(), Drop.NO_OUTPUT);
      }
    }

    @Override
    public void output(Packet packet, Output output, Origin origin) {
      settled = true;
      switch (output.port()) {
        case PortNumbers.IN_PORT -> send(packet.inPort(), packet);
        case PortNumbers.ALL, PortNumbers.FLOOD -> sendToAll(packet);
        case PortNumbers.CONTROLLER ->
            toController(
                packet,
                origin.tableMiss() ? Reason.NO_MATCH : Reason.ACTION,
                output.maxLength(),
                origin);
        case PortNumbers.TABLE -> run(new Packet(packet.bytes(), packet.inPort()), nowNanos);
        default -> {
          if (output.port() != packet.inPort()) { // back only by IN_PORT (section 4.5)
            send(output.port(), packet);
          }
        }
      }
    }

    private void sendToAll(Packet packet) {
      for (SwitchPort port : ports.values()) {
        if (port.number() != packet.inPort()) {
          send(port.number(), packet);
        }
      }
    }

    private void send(int number, Packet packet) {
      SwitchPort port = ports.get(number);
      if (port == null) {
        return; // IN_PORT of a packet-out from the controller
      }
      if (!port.sends()) {
        port.droppedOut();
        return;
      }
      port.sent(packet.length());
      events.transmit(number, packet.bytes());
    }

    private void toController(Packet packet, Reason reason, int maxLength, Origin origin) {
      SwitchPort ingress = ports.get(packet.inPort());
      if (ingress != null && ingress.config().noPacketIn()) {
        return;
      }
      byte[] frame = packet.bytes();
      byte[] data = frame;
      int bufferId = FlowMod.NO_BUFFER;
      if (maxLength != Output.NO_BUFFER) {
        bufferId = buffers.store(frame, packet.inPort(), nowNanos);
        boolean cut = bufferId != FlowMod.NO_BUFFER && maxLength < frame.length;
        data = cut ? Arrays.copyOf(frame, maxLength) : frame;
      }
      events.packetIn(
          new PacketIn(
              bufferId,
              frame.length,
              reason,
              origin.tableId(),
              origin.cookie(),
              packet.inPort(),
              packet.metadata(),
              data));
    }

    @Override
    public void missed(Packet packet, int tableId) {
      settled = true;
      events.dropped(packet.inPort(), packet.bytes(), Drop.NO_ENTRY);
    }

    @Override
    public void invalidTtl(Packet packet, Origin origin) {
      settled = true;
      events.dropped(packet.inPort(), packet.bytes(), Drop.INVALID_TTL);
      toController(packet, Reason.INVALID_TTL, missSendLength, origin);
    }
  }
}
