package io.lockstep.core.flow.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.flow.entry.SelectorCodec;
import io.lockstep.core.flow.entry.TreatmentCodec;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onosproject.net.flow.TrafficTreatment;

class FlowTextTest {
  private static final List<String> IPV4 =
      List.of(
          "in_port=7",
          "eth_dst=02:00:00:00:00:01",
          "eth_src=02:00:00:00:00:00/ff:00:00:00:00:00",
          "eth_type=0x800",
          "vlan_vid=100",
          "vlan_pcp=3",
          "ip_proto=6",
          "ip_dscp=46",
          "ip_ecn=1",
          "ipv4_src=10.0.0.0/8",
          "ipv4_dst=10.0.0.7",
          "tcp_src=1024",
          "tcp_dst=80",
          "metadata=0xffffffffffffffff");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "eth_type=0x86dd,ipv6_src=2001:db8::/32,ipv6_dst=2001:db8::1",
        "eth_type=0x800,ip_proto=17,udp_src=53,udp_dst=5353",
        "eth_type=0x800,ip_proto=132,sctp_src=1,sctp_dst=2",
        "eth_type=0x800,ip_proto=1,icmpv4_type=8,icmpv4_code=0",
        "eth_type=0x806,arp_op=1,arp_spa=10.0.0.1,arp_tpa=10.0.0.2,arp_sha=02:00:00:00:00:01",
        "vlan_vid=none",
        "vlan_vid=any"
      })
  void eachFieldIsReadAndWrittenAlike(String match) throws FlowTextException {
    assertRoundTrip(List.of(match.split(",")));
  }

  @Test
  void manyFieldsAreReadAndWrittenAlikeInAnyOrder() throws FlowTextException {
    assertRoundTrip(IPV4);
    assertThat(MatchText.format(MatchText.parse(List.of()))).isEmpty();
  }

  /** Through the bytes of the store as well, which also have to know each field. */
  private static void assertRoundTrip(List<String> match) throws FlowTextException {
    ByteWriter out = new ByteWriter();
    SelectorCodec.write(MatchText.parse(match), out);
    assertThat(MatchText.format(SelectorCodec.read(new ByteReader(out.toArray()))))
        .containsExactlyInAnyOrderElementsOf(match);
  }

  @Test
  void numbersOfAnyBaseBecomeOneForm() throws FlowTextException {
    assertThat(MatchText.format(MatchText.parse(List.of("eth_type=2048", "ipv4_dst=10.0.0.7/32"))))
        .containsExactlyInAnyOrder("eth_type=0x800", "ipv4_dst=10.0.0.7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "in_port; 'in_port' is no field=value of a match",
        "port=1; 'port=1' is no field=value of a match",
        "in_port=x; in_port: 'x' is not allowed",
        "in_port=99999999999; in_port: '99999999999' is not allowed",
        "eth_dst=1; eth_dst: '1' is not allowed",
        "vlan_vid=4096; vlan_vid: '4096' is not allowed",
        "ipv4_dst=10.0.0.999; ipv4_dst: '10.0.0.999' is not allowed",
        "ipv4_dst=10.0.0.0/33; ipv4_dst: '10.0.0.0/33' is not allowed",
        "ipv4_dst=10.0.0.1; a match on IPV4_DST needs one on eth_type 0x800 beside it",
        "in_port=1,in_port=2; in_port is there twice"
      })
  void whatIsNoMatchIsNamed(String match, String error) {
    assertThatThrownBy(() -> MatchText.parse(List.of(match.split(","))))
        .isInstanceOf(FlowTextException.class)
        .hasMessage(error);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "output:1,output:controller",
        "group:7",
        "set_field:eth_dst=02:00:00:00:00:01,set_field:eth_src=02:00:00:00:00:02,output:in_port",
        "push_vlan,set_field:vlan_vid=7,set_field:vlan_pcp=1,output:flood",
        "pop_vlan,dec_nw_ttl,output:all",
        "set_field:ipv4_src=10.0.0.1,set_field:ipv4_dst=10.0.0.2,set_field:ip_dscp=1,output:normal",
        "set_field:ipv6_src=2001:db8::1,set_field:ipv6_dst=2001:db8::2,output:1",
        "set_field:tcp_src=1,set_field:tcp_dst=2,output:1",
        "set_field:udp_src=1,set_field:udp_dst=2,output:1",
        "output:1,clear_actions,write:output:2,goto_table:3",
        "drop"
      })
  void eachActionIsReadAndWrittenAlike(String actions) throws FlowTextException {
    List<String> texts = List.of(actions.split(","));
    TrafficTreatment treatment = ActionText.parse(texts);
    ByteWriter out = new ByteWriter();
    TreatmentCodec.write(treatment, out);
    assertThat(ActionText.format(TreatmentCodec.read(new ByteReader(out.toArray()))))
        .isEqualTo(texts);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "drop,output:1; drop beside another action",
        "output:; output: '' is not allowed",
        "output:next; output: 'next' is not allowed",
        "set_field:port=1; set_field: no field 'port'",
        "set_field:vlan_vid=none; vlan_vid: 'none' is not allowed",
        "set_field:tcp_dst=65536; tcp_dst: '65536' is not allowed",
        "goto_table:255; goto_table: '255' is not allowed",
        "forward; 'forward' is no action"
      })
  void whatIsNoActionIsNamed(String actions, String error) {
    assertThatThrownBy(() -> ActionText.parse(List.of(actions.split(","))))
        .isInstanceOf(FlowTextException.class)
        .hasMessage(error);
  }

  @Test
  void aRuleWithoutAnActionSaysDrop() {
    assertThatThrownBy(() -> ActionText.parse(List.of())).hasMessage("a rule without an action");
  }
}
