package io.lockstep.openflow.channel.translate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.openflow.codec.MessageEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onlab.packet.MacAddress;
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
          version, add(DefaultTrafficSelector.builder().matchEthType((short) 0x800).build(), TO_7));
      refuses(version, add(DefaultTrafficSelector.builder().matchVlanId(VlanId.ANY).build(), TO_7));
      refuses(version, add(any, DefaultTrafficTreatment.emptyTreatment()));
      refuses(version, add(any, DefaultTrafficTreatment.builder().drop().build()));
      refuses(
          version,
          add(
              any,
              DefaultTrafficTreatment.builder()
                  .setOutput(PortNumber.portNumber(1))
                  .setOutput(PortNumber.portNumber(2))
                  .build()));
      refuses(
          version,
          add(any, DefaultTrafficTreatment.builder().setOutput(PortNumber.CONTROLLER).build()));
      refuses(
          version,
          add(any, DefaultTrafficTreatment.builder().setOutput(PortNumber.IN_PORT).build()));
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
    refuses(
        OFVersion.OF_10,
        add(
            any,
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(0xff00)).build()));
  }

  private static void refuses(OFVersion version, FlowMod mod) {
    ByteBuf out = Unpooled.buffer();
    assertThat(write(version, mod, out)).as("%s %s", version, mod).isFalse();
    assertThat(out.writerIndex()).isZero();
  }
}
