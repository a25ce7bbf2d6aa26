package io.lockstep.openflow.channel.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficTreatment;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;

/** Packet-outs of OpenFlow 1.3, plain and with a treatment. */
class PacketOutTest {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);

  @Test
  void packetOutHasTheBytesOfOpenflowj() {
    byte[] frame = {1, 2, 3};
    PacketOut packetOut =
        new PacketOut(
            PacketIn.NO_BUFFER,
            PortNumber.CONTROLLER,
            List.of(PortNumber.portNumber(2), PortNumber.CONTROLLER),
            frame);
    OFMessage expected =
        OF.buildPacketOut()
            .setXid(7)
            .setBufferId(OFBufferId.NO_BUFFER)
            .setInPort(OFPort.CONTROLLER)
            .setActions(
                List.of(
                    OF.actions().output(OFPort.of(2), 0),
                    OF.actions().output(OFPort.CONTROLLER, 0xffff)))
            .setData(frame)
            .build();
    ByteBuf bytes = Unpooled.buffer();
    expected.writeTo(bytes);
    assertThat(PacketOutWriter.write13(packetOut, 7, UnpooledByteBufAllocator.DEFAULT))
        .isEqualTo(bytes);
  }

  @Test
  void packetOutWithATreatmentHasTheBytesOfOpenflowj() {
    byte[] frame = {1, 2, 3};
    TrafficTreatment treatment =
        DefaultTrafficTreatment.builder()
            .setEthDst(MacAddress.valueOf(5))
            .setOutput(PortNumber.portNumber(2))
            .build();
    PacketOut packetOut =
        new PacketOut(PacketIn.NO_BUFFER, PortNumber.CONTROLLER, treatment, frame);
    OFMessage expected =
        OF.buildPacketOut()
            .setXid(7)
            .setBufferId(OFBufferId.NO_BUFFER)
            .setInPort(OFPort.CONTROLLER)
            .setActions(
                List.of(
                    OF.actions()
                        .setField(
                            OF.oxms()
                                .ethDst(org.projectfloodlight.openflow.types.MacAddress.of(5))),
                    OF.actions().output(OFPort.of(2), 0)))
            .setData(frame)
            .build();
    ByteBuf bytes = Unpooled.buffer();
    expected.writeTo(bytes);
    Dialect dialect = new Dialect13(OF);
    assertThat(dialect.sayable(packetOut)).isTrue();
    assertThat(dialect.packetOut(packetOut, 7, UnpooledByteBufAllocator.DEFAULT)).isEqualTo(bytes);
    PacketOut buffered = new PacketOut(5, PortNumber.portNumber(1), treatment, frame);
    assertThat(dialect.packetOut(buffered, 7, UnpooledByteBufAllocator.DEFAULT).readableBytes())
        .isEqualTo(bytes.readableBytes() - frame.length);
  }

  @Test
  void packetOutThatOnlyInstructionsCouldSayIsRefused() {
    for (TrafficTreatment treatment :
        List.of(
            DefaultTrafficTreatment.builder()
                .deferred()
                .setOutput(PortNumber.portNumber(2))
                .build(),
            DefaultTrafficTreatment.builder().transition(3).build(),
            DefaultTrafficTreatment.builder().writeMetadata(1, 1).build())) {
      PacketOut out =
          new PacketOut(PacketIn.NO_BUFFER, PortNumber.CONTROLLER, treatment, new byte[20]);
      assertThat(new Dialect13(OF).sayable(out)).as("%s", treatment).isFalse();
    }
    TrafficTreatment output =
        DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(2)).build();
    PacketOut large =
        new PacketOut(PacketIn.NO_BUFFER, PortNumber.CONTROLLER, output, new byte[0x10000 - 40]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Dialect13(OF).sayable(large))
        .withMessageContaining("65536 bytes");
  }

  @Test
  void packetOutOfABufferedFrameCarriesNoData() {
    PacketOut packetOut = new PacketOut(5, PortNumber.portNumber(1), List.of(), new byte[99]);
    ByteBuf bytes = PacketOutWriter.write13(packetOut, 7, UnpooledByteBufAllocator.DEFAULT);
    assertThat(ByteBufUtil.hexDump(bytes))
        .isEqualTo("040d0018" + "00000007" + "00000005" + "00000001" + "0000000000000000");
  }

  @Test
  void packetOutBeyondTheLengthFieldIsRefused() {
    PacketOut packetOut =
        new PacketOut(PacketIn.NO_BUFFER, PortNumber.CONTROLLER, List.of(), new byte[0x10000 - 24]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PacketOutWriter.checkLength(packetOut))
        .withMessageContaining("65536 bytes");
  }
}
