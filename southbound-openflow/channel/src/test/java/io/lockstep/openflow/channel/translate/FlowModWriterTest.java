package io.lockstep.openflow.channel.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.openflow.codec.MessageEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onlab.packet.IpAddress;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;

/** What the writer says is what openflowj says of the same flow-mod. */
class FlowModWriterTest {
  private static final TrafficTreatment TO_7 =
      DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(7)).build();

  private static boolean write(OFVersion version, FlowMod mod, ByteBuf out) {
    return version == OFVersion.OF_10
        ? FlowModWriter.write10(mod, 0xffff_fffeL, out)
        : FlowModWriter.write13(mod, 0xffff_fffeL, out);
  }

  private static FlowMod add(TrafficSelector selector, TrafficTreatment treatment) {
    return new FlowMod(
        FlowMod.Operation.ADD,
        0,
        10,
        0xc123_0000_0000_0001L,
        0,
        10,
        65_535,
        false,
        PacketIn.NO_BUFFER,
        selector,
        treatment);
  }

  private static OFMessage read(OFFactory factory, ByteBuf bytes) throws OFParseError {
    OFMessage message = factory.getReader().readFrom(bytes);
    assertThat(bytes.isReadable()).isFalse();
    return message;
  }

  @ParameterizedTest
  @EnumSource(names = {"OF_10", "OF_13"})
  void flowsAreWrittenAsOpenflowjWritesThem(OFVersion version) throws Exception {
    OFFactory factory = OFFactories.getFactory(version);
    Random random = new Random(15);
    for (int i = 0; i < 5_000; i++) {
      FlowMod mod = add(selector(random), treatment(random));
      ByteBuf ours = Unpooled.buffer().writeInt(7);
      assertThat(write(version, mod, ours)).isTrue();
      ByteBuf theirs = Unpooled.buffer();
      MessageEncoder.encode(Dialect.of(factory).flowMod(mod, 0xffff_fffeL), theirs);
      ours.skipBytes(4);
      assertThat(ours.readableBytes()).isEqualTo(theirs.readableBytes());
      assertThat(read(factory, ours)).as("%s", mod).isEqualTo(read(factory, theirs));
    }
  }

  @Test
  void connectionsAreWrittenAsOpenflowjWritesThem() throws Exception {
    OFFactory factory = OFFactories.getFactory(OFVersion.OF_13);
    Random random = new Random(16);
    for (int i = 0; i < 5_000; i++) {
      FlowMod mod = add(connection(random), rewriting(random));
      ByteBuf ours = Unpooled.buffer().writeInt(7);
      assertThat(write(OFVersion.OF_13, mod, ours)).isTrue();
      ByteBuf theirs = Unpooled.buffer();
      MessageEncoder.encode(Dialect.of(factory).flowMod(mod, 0xffff_fffeL), theirs);
      ours.skipBytes(4);
      assertThat(ours.readableBytes()).isEqualTo(theirs.readableBytes());
      assertThat(read(factory, ours)).as("%s", mod).isEqualTo(read(factory, theirs));
    }
  }

  /** The packet-outs of the same treatments: section 7.3.7. */
  @Test
  void rewrittenPacketsAreWrittenAsOpenflowjWritesThem() {
    OFFactory factory = OFFactories.getFactory(OFVersion.OF_13);
    Dialect dialect = Dialect.of(factory);
    Random random = new Random(17);
    for (int i = 0; i < 5_000; i++) {
      TrafficTreatment treatment = rewriting(random);
      byte[] frame = new byte[14 + random.nextInt(100)];
      random.nextBytes(frame);
      PacketOut packet =
          new PacketOut(PacketIn.NO_BUFFER, PortNumber.portNumber(3), treatment, frame);
      assertThat(dialect.sayable(packet)).isTrue();
      ByteBuf theirs = Unpooled.buffer();
      factory
          .buildPacketOut()
          .setXid(5)
          .setBufferId(OFBufferId.NO_BUFFER)
          .setInPort(OFPort.of(3))
          .setActions(actions(treatment, factory))
          .setData(frame)
          .build()
          .writeTo(theirs);
      assertThat(dialect.packetOut(packet, 5, UnpooledByteBufAllocator.DEFAULT))
          .as("%s", treatment)
          .isEqualTo(theirs);
    }
  }

  private static List<OFAction> actions(TrafficTreatment treatment, OFFactory factory) {
    try {
      return TreatmentTranslation.toPacketActions(treatment, factory);
    } catch (UntranslatableException e) {
      throw new AssertionError(e);
    }
  }

  /** A rewritten packet that is too long for its message is refused, as every other one. */
  @Test
  void noPacketOutIsLongerThanAMessage() {
    Dialect dialect = Dialect.of(OFFactories.getFactory(OFVersion.OF_13));
    TrafficTreatment treatment =
        DefaultTrafficTreatment.builder()
            .setEthDst(MacAddress.ONOS)
            .setOutput(PortNumber.portNumber(1))
            .build();
    int fits = 0xffff - 24 - 32;
    assertThat(dialect.sayable(packetOut(treatment, fits))).isTrue();
    assertThatThrownBy(() -> dialect.sayable(packetOut(treatment, fits + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("packet-out of 65536 bytes");
  }

  private static PacketOut packetOut(TrafficTreatment treatment, int bytes) {
    return new PacketOut(PacketIn.NO_BUFFER, PortNumber.portNumber(3), treatment, new byte[bytes]);
  }

  /** Fields as in entries of a connection: what a field needs is there. */
  private static TrafficSelector connection(Random random) {
    boolean tcp = random.nextBoolean();
    TrafficSelector.Builder selector =
        DefaultTrafficSelector.builder(selector(random))
            .matchEthType((short) 0x800)
            .matchIPProtocol((byte) (tcp ? 6 : 17));
    if (random.nextInt(4) > 0) {
      selector.matchIPSrc(IpPrefix.valueOf(random.nextInt(), 32));
    }
    if (random.nextInt(4) > 0) {
      selector.matchIPDst(IpPrefix.valueOf(random.nextInt(), 32));
    }
    TpPort port = TpPort.tpPort(random.nextInt(0x1_0000));
    if (random.nextBoolean()) {
      return (tcp ? selector.matchTcpSrc(port) : selector.matchUdpSrc(port)).build();
    }
    return (tcp ? selector.matchTcpDst(port) : selector.matchUdpDst(port)).build();
  }

  private static TrafficTreatment rewriting(Random random) {
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder();
    TpPort port = TpPort.tpPort(random.nextInt(0x1_0000));
    for (int i = random.nextInt(4); i > 0; i--) {
      switch (random.nextInt(8)) {
        case 0 -> treatment.setEthSrc(MacAddress.valueOf(random.nextLong() >>> 16));
        case 1 -> treatment.setEthDst(MacAddress.valueOf(random.nextLong() >>> 16));
        case 2 -> treatment.setIpSrc(IpAddress.valueOf(random.nextInt()));
        case 3 -> treatment.setIpDst(IpAddress.valueOf(random.nextInt()));
        case 4 -> treatment.setTcpSrc(port);
        case 5 -> treatment.setTcpDst(port);
        case 6 -> treatment.setUdpSrc(port);
        default -> treatment.setUdpDst(port);
      }
    }
    return switch (random.nextInt(3)) {
      case 0 -> treatment.setOutput(PortNumber.IN_PORT).build();
      case 1 -> treatment.punt().build();
      default -> treatment.setOutput(PortNumber.portNumber(1 + random.nextInt(0xfeff))).build();
    };
  }

  private static TrafficSelector selector(Random random) {
    TrafficSelector.Builder selector = DefaultTrafficSelector.builder();
    if (random.nextInt(4) > 0) {
      selector.matchInPort(PortNumber.portNumber(1 + random.nextInt(0xfeff)));
    }
    if (random.nextInt(4) > 0) {
      selector.matchEthSrc(MacAddress.valueOf(random.nextLong() >>> 16));
    }
    if (random.nextInt(4) > 0) {
      selector.matchEthDst(MacAddress.valueOf(random.nextLong() >>> 16));
    }
    if (random.nextInt(4) > 0) {
      boolean tagged = random.nextBoolean();
      selector.matchVlanId(tagged ? VlanId.vlanId((short) random.nextInt(4_095)) : VlanId.NONE);
    }
    return selector.build();
  }

  private static TrafficTreatment treatment(Random random) {
    PortNumber port = PortNumber.portNumber(1 + random.nextInt(0xfeff));
    return DefaultTrafficTreatment.builder().setOutput(port).build();
  }

  @Test
  void everythingElseIsLeftToTheTranslation() {
    TrafficSelector any = DefaultTrafficSelector.emptySelector();
    for (OFVersion version : new OFVersion[] {OFVersion.OF_10, OFVersion.OF_13}) {
      refuses(
          version,
          add(
              DefaultTrafficSelector.builder()
                  .matchEthType((short) 0x800)
                  .matchIPDst(IpPrefix.valueOf(7 << 24, 8))
                  .build(),
              TO_7));
      refuses(version, add(DefaultTrafficSelector.builder().matchVlanId(VlanId.ANY).build(), TO_7));
      refuses(version, add(any, DefaultTrafficTreatment.emptyTreatment()));
      refuses(version, add(any, DefaultTrafficTreatment.builder().drop().build()));
      refuses(
          version, add(any, DefaultTrafficTreatment.builder().setOutput(PortNumber.FLOOD).build()));
      refuses(
          version,
          new FlowMod(
              FlowMod.Operation.DELETE, 0, 0, 1, 0, 0, 0, false, PacketIn.NO_BUFFER, any, TO_7));
      refuses(
          version,
          new FlowMod(
              FlowMod.Operation.ADD, 0, 70_000, 1, 0, 0, 0, false, PacketIn.NO_BUFFER, any, TO_7));
      refuses(
          version,
          new FlowMod(
              FlowMod.Operation.ADD, 0, 1, 1, 0, 0, 0, true, PacketIn.NO_BUFFER, any, TO_7));
    }
    refuses(OFVersion.OF_10, add(matching().build(), TO_7));
    refuses(OFVersion.OF_10, add(any, to(PortNumber.portNumber(1), PortNumber.portNumber(2))));
    refuses(OFVersion.OF_10, add(any, to(PortNumber.CONTROLLER)));
    refuses(OFVersion.OF_10, add(any, to(PortNumber.IN_PORT)));
    refuses(OFVersion.OF_13, add(any, with().transition(2)));
    refuses(OFVersion.OF_13, add(any, with().wipeDeferred()));
    refuses(OFVersion.OF_13, add(any, with().deferred().setEthDst(MacAddress.ONOS)));
    refuses(OFVersion.OF_13, add(any, with().setVlanId(VlanId.vlanId((short) 3))));
    refuses(OFVersion.OF_13, add(any, with().decNwTtl()));
    refuses(
        OFVersion.OF_10,
        add(
            any,
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(0xff00)).build()));
  }

  private static TrafficSelector.Builder matching() {
    return DefaultTrafficSelector.builder().matchEthType((short) 0x800);
  }

  private static TrafficTreatment to(PortNumber... ports) {
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder();
    for (PortNumber port : ports) {
      treatment.setOutput(port);
    }
    return treatment.build();
  }

  /** What sends to one port at once, and does something else besides. */
  private static TrafficTreatment.Builder with() {
    return DefaultTrafficTreatment.builder(TO_7);
  }

  private static FlowMod add(TrafficSelector selector, TrafficTreatment.Builder treatment) {
    return add(selector, treatment.build());
  }

  private static void refuses(OFVersion version, FlowMod mod) {
    ByteBuf out = Unpooled.buffer();
    assertThat(write(version, mod, out)).as("%s %s", version, mod).isFalse();
    assertThat(out.writerIndex()).isZero();
  }
}
