package io.lockstep.dataplane.model;

import io.lockstep.dataplane.flowtable.Action;
import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.Pipeline;
import io.lockstep.dataplane.flowtable.Pipeline.Origin;
import io.lockstep.dataplane.flowtable.Pipeline.Traversal;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.model.PacketIn.Reason;
import io.lockstep.dataplane.model.SwitchEvents.Drop;
import io.lockstep.dataplane.packet.Packet;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * Carries packets through a pipeline and out of the switch (OpenFlow 1.3.5 section 4.5, reserved
 * ports), and keeps those that are with the processor: no more than its queue, its bucket and what
 * its latency covers. Owned by the switch's thread.
 */
final class Forwarder {
  private final Pipeline pipeline;
  private final @Nullable SoftwarePath software;
  private final PacketBuffers buffers;
  private final NavigableMap<Integer, SwitchPort> ports;
  private final SwitchEvents events;
  private final Deque<InProcessor> inProcessor = new ArrayDeque<>();
  private final boolean missesToController;
  private int missSendLength = 128;

  /**
   * @param software null where every table is in hardware
   * @param ports of the switch, by number; a view
   * @param missesToController whether a packet that no entry matches goes to the controller
   *     (OpenFlow 1.0 section 3.4) and is not dropped (OpenFlow 1.3.5 section 5.4)
   */
  Forwarder(
      Pipeline pipeline,
      @Nullable SoftwarePath software,
      PacketBuffers buffers,
      NavigableMap<Integer, SwitchPort> ports,
      boolean missesToController,
      SwitchEvents events) {
    this.pipeline = pipeline;
    this.software = software;
    this.buffers = buffers;
    this.ports = ports;
    this.missesToController = missesToController;
    this.events = events;
  }

  int missSendLength() {
    return missSendLength;
  }

  void setMissSendLength(int octets) {
    missSendLength = octets;
  }

  /** Sends a packet through the tables. */
  void run(Packet packet, long nowNanos) {
    Forwarding exit = new Forwarding(packet, nowNanos);
    pipeline.process(packet, nowNanos, exit);
    exit.finish();
  }

  /** Carries out a packet-out's actions. */
  void execute(List<Action> actions, Packet packet, long nowNanos) {
    Forwarding exit = new Forwarding(packet, nowNanos);
    pipeline.execute(actions, packet, Origin.PACKET_OUT, exit);
    exit.finish();
  }

  /** Goes on with the packets that the processor has done. */
  void advance(long nowNanos) {
    while (nextDeadlineNanos() <= nowNanos) {
      InProcessor next = inProcessor.removeFirst();
      Forwarding exit = new Forwarding(next.traversal.packet(), next.dueNanos);
      pipeline.resume(next.traversal, next.dueNanos, exit);
      exit.finish();
    }
  }

  /** When {@link #advance} has something to do; Long.MAX_VALUE for never. */
  long nextDeadlineNanos() {
    InProcessor next = inProcessor.peekFirst();
    return next == null ? Long.MAX_VALUE : next.dueNanos;
  }

  /** In order of {@code dueNanos}: the processor has one queue. */
  private record InProcessor(Traversal traversal, long dueNanos) {}

  /** Carries the outputs of one packet out. */
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
        case PortNumbers.ALL -> sendToAll(packet, false);
        case PortNumbers.FLOOD -> sendToAll(packet, true);
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

    /** All but the port it came in by, and in a flood those that OpenFlow 1.0 leaves out. */
    private void sendToAll(Packet packet, boolean flood) {
      for (SwitchPort port : ports.values()) {
        boolean left = flood && port.config().noFlood();
        if (port.number() != packet.inPort() && !left) {
          send(port.number(), packet);
        }
      }
    }

    private void send(int number, Packet packet) {
      SwitchPort port = ports.get(number);
      if (port == null) {
        return; // IN_PORT of a packet-out from the controller, or NORMAL: there is no such pipeline
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
    public void toProcessor(Traversal traversal) {
      settled = true;
      long dueNanos = software == null ? SoftwarePath.DROPPED : software.admit(nowNanos);
      if (dueNanos == SoftwarePath.DROPPED) {
        events.dropped(original.inPort(), original.bytes(), Drop.PROCESSOR_BUSY);
        return;
      }
      inProcessor.addLast(new InProcessor(traversal, dueNanos));
      events.deadlineChanged();
    }

    @Override
    public void stuck(Packet packet) {
      settled = true;
      events.dropped(packet.inPort(), packet.bytes(), Drop.DEAD_ENTRY);
    }

    @Override
    public void missed(Packet packet, int tableId) {
      settled = true;
      if (missesToController) {
        Origin miss = new Origin(tableId, Pipeline.NO_COOKIE, true);
        toController(packet, Reason.NO_MATCH, missSendLength, miss);
      } else {
        events.dropped(packet.inPort(), packet.bytes(), Drop.NO_ENTRY);
      }
    }

    @Override
    public void invalidTtl(Packet packet, Origin origin) {
      settled = true;
      events.dropped(packet.inPort(), packet.bytes(), Drop.INVALID_TTL);
      toController(packet, Reason.INVALID_TTL, missSendLength, origin);
    }
  }
}
