package io.lockstep.deploy.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.deploy.onos.FlowJson.Draft;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.IndexTableId;
import org.onosproject.net.flow.criteria.Criteria;
import org.onosproject.net.flow.instructions.Instructions;

class FlowJsonTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final DefaultApplicationId APPLICATION = new DefaultApplicationId(7, "org.x");

  /** In the form that ONOS's documentation shows: LLDP to the controller. */
  private static final String DOCUMENTED =
      """
      {
        "priority": 40000,
        "timeout": 0,
        "isPermanent": true,
        "deviceId": "of:0000000000000001",
        "treatment": {"instructions": [{"type": "OUTPUT", "port": "CONTROLLER"}]},
        "selector": {"criteria": [{"type": "ETH_TYPE", "ethType": "0x88cc"}]}
      }
      """;

  private static Draft read(String json, @Nullable DeviceId inPath, @Nullable String inQuery) {
    return FlowJson.read(JsonFields.of(json.getBytes(StandardCharsets.UTF_8)), inPath, inQuery);
  }

  @Test
  void theDocumentedFlowIsRead() {
    Draft draft = read(DOCUMENTED, null, null);
    assertThat(draft.application()).isEqualTo("org.onosproject.rest");
    FlowRule rule = draft.of(APPLICATION);
    assertThat(rule.deviceId()).isEqualTo(DEVICE);
    assertThat(rule.priority()).isEqualTo(40_000);
    assertThat(rule.isPermanent()).isTrue();
    assertThat(rule.table()).isEqualTo(IndexTableId.of(0));
    assertThat(rule.selector().criteria()).containsExactly(Criteria.matchEthType(0x88cc));
    assertThat(rule.treatment().allInstructions())
        .containsExactly(Instructions.createOutput(PortNumber.CONTROLLER));
  }

  @Test
  void whatIsWrittenIsInOnosFormAndIsReadAgain() throws Exception {
    FlowRule rule = read(DOCUMENTED, null, null).of(APPLICATION);
    ObjectNode json =
        FlowJson.write(
            new DefaultFlowEntry(rule, FlowEntryState.ADDED, 5, TimeUnit.SECONDS, 3, 180), "org.x");
    assertThat(json.path("id").isTextual()).isTrue();
    assertThat(json.path("id").asText()).isEqualTo(Long.toString(rule.id().value()));
    assertThat(json.path("lastSeen").isIntegralNumber()).isTrue();
    json.remove("id");
    json.remove("lastSeen");
    JsonNode golden =
        JSON.readTree(
            """
            {"groupId":0,"state":"ADDED","life":5,"liveType":"UNKNOWN","packets":3,"bytes":180,
             "appId":"org.x","priority":40000,"timeout":0,"isPermanent":true,
             "deviceId":"of:0000000000000001","tableId":0,"tableName":"0",
             "treatment":{"instructions":[{"type":"OUTPUT","port":"CONTROLLER"}],"deferred":[]},
             "selector":{"criteria":[{"type":"ETH_TYPE","ethType":"0x88cc"}]}}
            """);
    assertThat(JSON.readTree(json.toString())).isEqualTo(golden);
    assertThat(read(json.toString(), DEVICE, null).of(APPLICATION).exactMatch(rule)).isTrue();
  }

  @Test
  void allOfATreatmentIsReadAndWritten() throws Exception {
    String json =
        """
        {"priority":1,"isPermanent":false,"timeout":60,"tableId":"2","appId":"org.x",
         "treatment":{
           "instructions":[{"type":"L3MODIFICATION","subtype":"DEC_TTL"},
                           {"type":"TABLE","tableId":3}],
           "clearDeferred":true,
           "deferred":[{"type":"OUTPUT","port":"2"}]},
         "selector":{"criteria":[{"type":"IN_PORT","port":1},{"type":"ETH_TYPE","ethType":"0x800"}]}}
        """;
    Draft draft = read(json, DEVICE, null);
    assertThat(draft.application()).isEqualTo("org.x");
    FlowRule rule = draft.of(APPLICATION);
    assertThat(rule.timeout()).isEqualTo(60);
    assertThat(rule.isPermanent()).isFalse();
    assertThat(rule.table()).isEqualTo(IndexTableId.of(2));
    JsonNode written =
        JSON.readTree(FlowJson.write(new DefaultFlowEntry(rule), "org.x").toString());
    assertThat(written.path("treatment")).isEqualTo(JSON.readTree(json).path("treatment"));
    assertThat(written.path("selector")).isEqualTo(JSON.readTree(json).path("selector"));
  }

  @Test
  void theQueryNamesTheApplicationBeforeTheBody() {
    String json = "{\"priority\":1,\"isPermanent\":true,\"appId\":\"org.body\"}";
    assertThat(read(json, DEVICE, "org.query").application()).isEqualTo("org.query");
  }

  /** ONOS takes a flow without criteria, and one without instructions drops. */
  @Test
  void anEmptyFlowMatchesAllAndDoesNothing() {
    FlowRule rule = read("{\"priority\":0,\"isPermanent\":true}", DEVICE, null).of(APPLICATION);
    assertThat(rule.selector().criteria()).isEmpty();
    assertThat(rule.treatment().allInstructions()).containsExactly(Instructions.createNoAction());
  }

  private static String changed(String field, String value) throws Exception {
    ObjectNode json = (ObjectNode) JSON.readTree(DOCUMENTED);
    json.set(field, JSON.readTree(value));
    return json.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "priority    | null    | priority: is missing",
        "priority    | -1      | priority: is no whole number of 0 to",
        "priority    | 400000  | priority: is no whole number of 0 to",
        "priority    | \"high\"| priority: is no whole number of 0 to",
        "isPermanent | null    | isPermanent: is missing",
        "isPermanent | \"yes\" | isPermanent: is neither true nor false",
        "isPermanent | false   | timeout: is no whole number of 1 to 65535",
        "timeout     | 65536   | timeout: is no whole number of 0 to 65535",
        "deviceId    | null    | deviceId: is missing",
        "deviceId    | \"of:1\"| deviceId: is no device",
        "deviceId    | \"\"    | deviceId: is no device",
        "deviceId    | \"\\u0000/%\" | deviceId: is no device",
        "tableId     | 255     | tableId: is no whole number of 0 to 254",
        "tableId     | \"acl\" | tableId: is no whole number of 0 to 254",
        "appId       | \"a b\" | appId: is no name",
        "appId       | \"\"    | appId: is no name",
        "appId       | 7       | appId: is no text",
        "treatment   | []      | treatment: is no object",
        "treatment   | {\"instructions\":{}} | treatment.instructions: is no list",
        "treatment   | {\"instructions\":[1]} | treatment.instructions[0]: is no object",
        "treatment   | {\"instructions\":[{\"type\":\"OUTPUT\",\"port\":\"1\"},{\"type\":\"OUTPUT\"}]}"
            + "| treatment.instructions[1].port: is missing",
        "treatment   | {\"deferred\":[{}]} | treatment.deferred[0].type: is missing",
        "treatment   | {\"clearDeferred\":1} | treatment.clearDeferred: is neither",
        "treatment   | {\"instruction\":[]} | treatment.instruction: there is no such field",
        "selector    | 1       | selector: is no object",
        "selector    | {\"criteria\":[{\"type\":\"ETH_TYPE\"}]}"
            + "| selector.criteria[0].ethType: is missing",
        "selector    | {\"criteria\":[{\"type\":\"ETH_TYPE\",\"ethType\":1},"
            + "{\"type\":\"ETH_TYPE\",\"ethType\":2}]} | selector.criteria[1].type: there are two",
        "selecter    | {}      | selecter: there is no such field",
      })
  void aWrongFieldIsNamed(String field, String value, String message) throws Exception {
    String json = changed(field, value);
    assertThatThrownBy(() -> read(json, null, null))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void aFlowOfAnotherDeviceThanThePathIsRefused() {
    assertThatThrownBy(() -> read(DOCUMENTED, DeviceId.deviceId("of:0000000000000002"), null))
        .hasMessage("deviceId: is another device than that of the path");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "7",
        "{",
        "{\"priority\":1,\"priority\":2}",
        "{} {}",
        "\u0000",
        "{'a':1}"
      })
  void whatIsNoObjectIsRefused(String body) {
    assertThatThrownBy(() -> read(body, DEVICE, null))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("the body is no JSON");
  }

  @Test
  void deepNestingIsRefusedBeforeItFillsTheStack() {
    assertThatThrownBy(() -> read("[".repeat(100_000), DEVICE, null))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("the body is no JSON");
  }
}
