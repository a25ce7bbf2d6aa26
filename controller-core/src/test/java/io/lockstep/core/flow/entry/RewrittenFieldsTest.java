package io.lockstep.core.flow.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.store.codec.ByteWriter;
import org.junit.jupiter.api.Test;
import org.onlab.packet.EthType;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instructions;

class RewrittenFieldsTest {
  private static String fields(TrafficTreatment.Builder treatment) {
    TrafficTreatment built = treatment.build();
    ByteWriter code = new ByteWriter(64);
    TreatmentCodec.write(built, code);
    assertThat(RewrittenFields.of(code.toBytes())).isEqualTo(RewrittenFields.of(built));
    return HeaderField.labels(RewrittenFields.of(built));
  }

  private static TrafficTreatment.Builder treatment() {
    return DefaultTrafficTreatment.builder();
  }

  @Test
  void forwardingSetsNothing() {
    assertThat(fields(treatment().setOutput(PortNumber.portNumber(1)))).isEmpty();
    assertThat(fields(treatment().punt())).isEmpty();
    assertThat(fields(treatment().popVlan().decNwTtl())).isEmpty();
  }

  @Test
  void connectionsSetAddressesAndPorts() {
    IpAddress address = IpAddress.valueOf("10.0.0.1");
    TrafficTreatment both =
        treatment()
            .setEthSrc(MacAddress.ONOS)
            .setEthDst(MacAddress.ONOS)
            .setIpSrc(address)
            .setIpDst(address)
            .setTcpSrc(TpPort.tpPort(1))
            .setUdpDst(TpPort.tpPort(2))
            .build();
    assertThat(RewrittenFields.of(both)).isEqualTo(RewrittenFields.OF_CONNECTIONS);
  }

  @Test
  void tagsAndTheRestHaveTheirNames() {
    assertThat(fields(treatment().pushVlan(new EthType(0x8100)))).isEqualTo("vlan_vid");
    assertThat(fields(treatment().setVlanId(VlanId.vlanId((short) 5)).setVlanPcp((byte) 3)))
        .isEqualTo("vlan_vid, vlan_pcp");
    assertThat(fields(treatment().setIpDscp((byte) 3))).isEqualTo("ip_dscp");
    assertThat(fields(treatment().add(Instructions.modL3IPv6Dst(IpAddress.valueOf("2001:db8::1")))))
        .isEqualTo("ipv6_dst_high, ipv6_dst_low");
  }
}
