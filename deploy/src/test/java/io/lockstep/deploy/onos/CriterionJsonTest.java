package io.lockstep.deploy.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.core.flow.entry.SelectorCodec;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;

class CriterionJsonTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** One of each type, as ONOS writes it. */
  static Stream<String> samples() {
    return Stream.of(
        "{'type':'IN_PORT','port':1}",
        "{'type':'ETH_DST','mac':'00:00:11:00:00:01'}",
        "{'type':'ETH_SRC','mac':'00:00:11:00:00:02'}",
        "{'type':'ETH_DST_MASKED','mac':'01:00:00:00:00:00','macMask':'01:00:00:00:00:00'}",
        "{'type':'ETH_SRC_MASKED','mac':'02:00:00:00:00:00','macMask':'FF:00:00:00:00:00'}",
        "{'type':'ETH_TYPE','ethType':'0x88cc'}",
        "{'type':'VLAN_VID','vlanId':100}",
        "{'type':'VLAN_VID','vlanId':-1}",
        "{'type':'VLAN_PCP','priority':7}",
        "{'type':'IP_PROTO','protocol':17}",
        "{'type':'IP_DSCP','ipDscp':46}",
        "{'type':'IP_ECN','ipEcn':3}",
        "{'type':'IPV4_SRC','ip':'10.1.1.0/24'}",
        "{'type':'IPV4_DST','ip':'10.1.1.7/32'}",
        "{'type':'IPV6_SRC','ip':'1111:2222::/64'}",
        "{'type':'IPV6_DST','ip':'1111::2222/128'}",
        "{'type':'TCP_SRC','tcpPort':80}",
        "{'type':'TCP_DST','tcpPort':65535}",
        "{'type':'UDP_SRC','udpPort':53}",
        "{'type':'UDP_DST','udpPort':0}",
        "{'type':'SCTP_SRC','sctpPort':1}",
        "{'type':'SCTP_DST','sctpPort':2}",
        "{'type':'ICMPV4_TYPE','icmpType':8}",
        "{'type':'ICMPV4_CODE','icmpCode':255}",
        "{'type':'ARP_OP','arpOp':1}",
        "{'type':'ARP_SPA','ip':'10.0.0.1'}",
        "{'type':'ARP_TPA','ip':'10.0.0.2'}",
        "{'type':'ARP_SHA','mac':'00:00:00:00:00:01'}",
        "{'type':'ARP_THA','mac':'00:00:00:00:00:02'}",
        "{'type':'METADATA','metadata':4096}");
  }

  private static Criterion read(String json) {
    return CriterionJson.read(
        JsonFields.of(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void whatIsReadIsWrittenAndKeptByTheStoreAsItWas(String sample) throws Exception {
    Criterion criterion = read(sample);
    assertThat(JSON.readTree(CriterionJson.write(criterion).toString()))
        .isEqualTo(JSON.readTree(sample.replace('\'', '"')));
    TrafficSelector selector = DefaultTrafficSelector.builder().add(criterion).build();
    ByteWriter stored = new ByteWriter(64);
    SelectorCodec.write(selector, stored);
    assertThat(SelectorCodec.read(new ByteReader(stored.toBytes()))).isEqualTo(selector);
  }

  @Test
  void everyTypeHasASample() {
    Set<String> types = new TreeSet<>();
    CriterionJson.types().forEach(type -> types.add(type.name()));
    assertThat(samples().map(sample -> read(sample).type().name()).collect(Collectors.toSet()))
        .isEqualTo(types);
  }

  /** What ONOS's clients send, too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'type':'IN_PORT','port':'1'}          | {'type':'IN_PORT','port':1}",
        "{'type':'IN_PORT','port':'LOCAL'}      | {'type':'IN_PORT','port':-2}",
        "{'type':'IN_PORT','port':-2}           | {'type':'IN_PORT','port':'LOCAL'}",
        "{'type':'ETH_TYPE','ethType':2048}     | {'type':'ETH_TYPE','ethType':'0x800'}",
        "{'type':'ETH_TYPE','ethType':'0x0800'} | {'type':'ETH_TYPE','ethType':'0x800'}",
        "{'type':'ETH_TYPE','ethType':-30516}   | {'type':'ETH_TYPE','ethType':'0x88cc'}",
        "{'type':'VLAN_VID','vlanId':'1'}       | {'type':'VLAN_VID','vlanId':1}",
        "{'type':'ICMPV4_TYPE','icmpType':'8'}  | {'type':'ICMPV4_TYPE','icmpType':8}",
        "{'type':'METADATA','metadata':'0x1000'}| {'type':'METADATA','metadata':4096}",
      })
  void aNumberMayBeAText(String given, String same) {
    assertThat(read(given)).isEqualTo(read(same));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                            | type: is missing",
        "{'type':7}                                    | type: is no text",
        "{'type':'ETH_TIPE','ethType':1}               | type: is none of",
        "{'type':'TUNNEL_ID','tunnelId':1}             | type: is none of",
        "{'type':'ETH_TYPE'}                           | ethType: is missing",
        "{'type':'ETH_TYPE','ethType':65536}           | ethType: is no whole number",
        "{'type':'ETH_TYPE','ethType':'IPv4'}          | ethType: is no whole number",
        "{'type':'ETH_TYPE','ethType':1.5}             | ethType: is no whole number",
        "{'type':'ETH_TYPE','ethType':null}            | ethType: is missing",
        "{'type':'ETH_DST','mac':'00:00:11'}           | mac: '00:00:11' is no MAC address",
        "{'type':'ETH_DST','mac':1}                    | mac: is no text",
        "{'type':'ETH_DST_MASKED','mac':'01:00:00:00:00:00'} | macMask: is missing",
        "{'type':'IN_PORT','port':0}                   | port: is no port",
        "{'type':'IN_PORT','port':'FLOOD'}             | port: is no port",
        "{'type':'IN_PORT','port':[1]}                 | port: is neither a number nor a text",
        "{'type':'VLAN_VID','vlanId':4097}             | vlanId: is no whole number",
        "{'type':'VLAN_PCP','priority':8}              | priority: is no whole number",
        "{'type':'IP_PROTO','protocol':256}            | protocol: is no whole number",
        "{'type':'IP_DSCP','ipDscp':64}                | ipDscp: is no whole number",
        "{'type':'IP_ECN','ipEcn':4}                   | ipEcn: is no whole number",
        "{'type':'IPV4_SRC','ip':''}                   | ip: '' is no address",
        "{'type':'IPV4_SRC','ip':'10.0.0.1'}           | ip: '10.0.0.1' is no address with a length",
        "{'type':'IPV4_SRC','ip':'10.0.0.1/33'}        | ip: '10.0.0.1/33' is no address",
        "{'type':'IPV4_SRC','ip':'1111::/64'}          | ip: is of the other version of IP",
        "{'type':'IPV6_DST','ip':'10.0.0.0/8'}         | ip: is of the other version of IP",
        "{'type':'TCP_DST','udpPort':1}                | tcpPort: is missing",
        "{'type':'TCP_DST','tcpPort':65536}            | tcpPort: is no whole number",
        "{'type':'UDP_SRC','udpPort':-1}               | udpPort: is no whole number",
        "{'type':'SCTP_SRC','sctpPort':true}           | sctpPort: is no whole number",
        "{'type':'ICMPV4_TYPE','icmpType':256}         | icmpType: is no whole number",
        "{'type':'ICMPV4_CODE','icmpCode':-1}          | icmpCode: is no whole number",
        "{'type':'ARP_OP','arpOp':'request'}           | arpOp: is no whole number",
        "{'type':'ARP_SPA','ip':'fd00::1'}             | ip: 'fd00::1' is no IPv4 address",
        "{'type':'ARP_SHA','mac':''}                   | mac: '' is no MAC address",
        "{'type':'METADATA','metadata':'0x12345678901234567'} | metadata: is no number of 64 bits",
        "{'type':'METADATA','metadata':18446744073709551616}  | metadata: is no number of 64 bits",
        "{'type':'ETH_TYPE','ethType':'0x800','mask':1}       | mask: there is no such field here",
      })
  void aWrongFieldIsNamed(String given, String message) {
    assertThatThrownBy(() -> read(given))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(message)
        .satisfies(
            thrown -> assertThat(((RefusedException) thrown).answer().status()).isEqualTo(400));
  }
}
