package io.lockstep.core.packet;

import io.lockstep.core.southbound.PacketIn;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.onlab.packet.Ethernet;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.DefaultPacketContext;
import org.onosproject.net.packet.InboundPacket;

/** One packet as onos-api's processors see it. Used on the event loop of its switch. */
final class ProcessorContext extends DefaultPacketContext {
  private final FrameView view;
  private final PacketSender sender;

  ProcessorContext(FrameView view, Ethernet parsed, PacketSender sender) {
    this(view, parsed, sender, ByteBuffer.wrap(view.frame()).asReadOnlyBuffer());
  }

  private ProcessorContext(FrameView view, Ethernet parsed, PacketSender sender, ByteBuffer bytes) {
    super(
        System.currentTimeMillis(),
        inbound(view, parsed, bytes),
        new DefaultOutboundPacket(
            view.deviceId(), DefaultTrafficTreatment.emptyTreatment(), bytes, view.inPort()),
        false);
    this.view = view;
    this.sender = sender;
  }

  private static InboundPacket inbound(FrameView view, Ethernet parsed, ByteBuffer bytes) {
    return new DefaultInboundPacket(
        new ConnectPoint(view.deviceId(), view.inPort()),
        parsed,
        bytes,
        Optional.of(view.packet().cookie()));
  }

  /** Sends the packet as the treatment builder says; at most once. */
  @Override
  public void send() {
    if (block()) {
      return;
    }
    PacketIn packet = view.packet();
    ByteBuffer data = outPacket().data().duplicate();
    byte[] frame = new byte[data.remaining()];
    data.get(frame);
    boolean buffered = packet.bufferId() != PacketIn.NO_BUFFER;
    sender.send(
        view.deviceId(),
        packet.bufferId(),
        view.inPort(),
        treatmentBuilder().build(),
        buffered ? new byte[0] : frame);
  }
}
