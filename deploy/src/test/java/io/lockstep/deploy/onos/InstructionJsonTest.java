package io.lockstep.deploy.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.core.flow.entry.TreatmentCodec;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;

class InstructionJsonTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** One of each type and subtype, as ONOS writes it. */
  static Stream<String> samples() {
    return Stream.of(
        "{'type':'NOACTION'}",
        "{'type':'OUTPUT','port':'1'}",
        "{'type':'OUTPUT','port':'CONTROLLER'}",
        "{'type':'OUTPUT','port':'NORMAL'}",
        "{'type':'OUTPUT','port':'FLOOD'}",
        "{'type':'OUTPUT','port':'ALL'}",
        "{'type':'OUTPUT','port':'IN_PORT'}",
        "{'type':'OUTPUT','port':'LOCAL'}",
        "{'type':'GROUP','groupId':1}",
        "{'type':'TABLE','tableId':1}",
        "{'type':'L2MODIFICATION','subtype':'ETH_SRC','mac':'00:00:00:00:00:01'}",
        "{'type':'L2MODIFICATION','subtype':'ETH_DST','mac':'00:00:00:00:00:02'}",
        "{'type':'L2MODIFICATION','subtype':'VLAN_ID','vlanId':200}",
        "{'type':'L2MODIFICATION','subtype':'VLAN_PCP','vlanPcp':3}",
        "{'type':'L2MODIFICATION','subtype':'VLAN_PUSH','ethernetType':'0x88a8'}",
        "{'type':'L2MODIFICATION','subtype':'VLAN_POP'}",
        "{'type':'L3MODIFICATION','subtype':'IPV4_SRC','ip':'10.0.0.1'}",
        "{'type':'L3MODIFICATION','subtype':'IPV4_DST','ip':'10.0.0.2'}",
        "{'type':'L3MODIFICATION','subtype':'IPV6_SRC','ip':'1111::1'}",
        "{'type':'L3MODIFICATION','subtype':'IPV6_DST','ip':'1111::2222'}",
        "{'type':'L3MODIFICATION','subtype':'DEC_TTL'}",
        "{'type':'L3MODIFICATION','subtype':'IP_DSCP','ipDscp':46}",
        "{'type':'L4MODIFICATION','subtype':'TCP_SRC','tcpPort':80}",
        "{'type':'L4MODIFICATION','subtype':'TCP_DST','tcpPort':81}",
        "{'type':'L4MODIFICATION','subtype':'UDP_SRC','udpPort':82}",
        "{'type':'L4MODIFICATION','subtype':'UDP_DST','udpPort':83}");
  }

  private static Instruction read(String json) {
    return InstructionJson.read(
        JsonFields.of(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void whatIsReadIsWrittenAndKeptByTheStoreAsItWas(String sample) throws Exception {
    Instruction instruction = read(sample);
    assertThat(JSON.readTree(InstructionJson.write(instruction).toString()))
        .isEqualTo(JSON.readTree(sample.replace('\'', '"')));
    TrafficTreatment treatment = DefaultTrafficTreatment.builder().add(instruction).build();
    ByteWriter stored = new ByteWriter(64);
    TreatmentCodec.write(treatment, stored);
    assertThat(TreatmentCodec.read(new ByteReader(stored.toBytes()))).isEqualTo(treatment);
  }

  @Test
  void everyTypeHasASample() {
    Set<String> names = new TreeSet<>();
    InstructionJson.names().forEach(names::add);
    Set<String> sampled = new TreeSet<>();
    samples()
        .map(sample -> InstructionJson.write(read(sample)))
        .forEach(
            json ->
                sampled.add(
                    json.path("type").asText()
                        + (json.has("subtype") ? "/" + json.path("subtype").asText() : "")));
    assertThat(sampled).isEqualTo(names);
  }

  /** What ONOS's clients send, too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'type':'OUTPUT','port':2}  | {'type':'OUTPUT','port':'2'}",
        "{'type':'OUTPUT','port':-3} | {'type':'OUTPUT','port':'CONTROLLER'}",
        "{'type':'TABLE','tableId':'1'} | {'type':'TABLE','tableId':1}",
        "{'type':'L2MODIFICATION','subtype':'VLAN_PUSH'}"
            + "| {'type':'L2MODIFICATION','subtype':'VLAN_PUSH','ethernetType':'0x8100'}",
      })
  void otherFormsMeanTheSame(String given, String same) {
    assertThat(read(given)).isEqualTo(read(same));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'port':1}                                     | type: is missing",
        "{'type':'DROP'}                                | type: this type is not offered",
        "{'type':'METER','meterId':1}                   | type: this type is not offered",
        "{'type':'L2MODIFICATION/ETH_SRC'}              | type: this type is not offered",
        "{'type':'OUTPUT'}                              | port: is missing",
        "{'type':'OUTPUT','port':'TABLE'}               | port: is no port",
        "{'type':'OUTPUT','port':0}                     | port: is no port",
        "{'type':'OUTPUT','port':4294967040000}         | port: is no port",
        "{'type':'OUTPUT','port':{}}                    | port: is neither a number nor a text",
        "{'type':'OUTPUT','port':1,'queue':2}           | queue: there is no such field here",
        "{'type':'NOACTION','port':1}                   | port: there is no such field here",
        "{'type':'GROUP','groupId':-1}                  | groupId: is no whole number",
        "{'type':'TABLE','tableId':255}                 | tableId: is no whole number",
        "{'type':'L2MODIFICATION'}                      | subtype: is missing",
        "{'type':'L2MODIFICATION','subtype':'MPLS_POP'} | subtype: this subtype is not offered",
        "{'type':'L2MODIFICATION','subtype':'ETH_SRC','mac':'1'} | mac: '1' is no MAC address",
        "{'type':'L2MODIFICATION','subtype':'VLAN_ID','vlanId':4096} | vlanId: is no whole number",
        "{'type':'L2MODIFICATION','subtype':'VLAN_PCP','vlanPcp':8}  | vlanPcp: is no whole number",
        "{'type':'L2MODIFICATION','subtype':'VLAN_PUSH','ethernetType':'vlan'} | ethernetType: is no",
        "{'type':'L3MODIFICATION','subtype':'IPV4_SRC','ip':'10.0.0.0/8'} | ip: '10.0.0.0/8' is no IP",
        "{'type':'L3MODIFICATION','subtype':'IPV4_DST','ip':'1111::1'}    | ip: is of the other",
        "{'type':'L3MODIFICATION','subtype':'IPV6_DST','ip':'10.0.0.1'}   | ip: is of the other",
        "{'type':'L3MODIFICATION','subtype':'IP_DSCP','ipDscp':64}  | ipDscp: is no whole number",
        "{'type':'L4MODIFICATION','subtype':'TCP_SRC','udpPort':1}  | tcpPort: is missing",
        "{'type':'L4MODIFICATION','subtype':'UDP_DST','udpPort':65536} | udpPort: is no whole",
      })
  void aWrongFieldIsNamed(String given, String message) {
    assertThatThrownBy(() -> read(given))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(message);
  }
}
