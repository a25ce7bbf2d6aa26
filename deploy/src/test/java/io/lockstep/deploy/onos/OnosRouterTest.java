package io.lockstep.deploy.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OnosRouterTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String FLOW =
      """
      {"priority":40000,"timeout":0,"isPermanent":true,"deviceId":"of:0000000000000001",
       "treatment":{"instructions":[{"type":"OUTPUT","port":"CONTROLLER"}]},
       "selector":{"criteria":[{"type":"ETH_TYPE","ethType":"0x88cc"}]}}
      """;

  private final FakeNetwork network = new FakeNetwork();

  /** On a loaded machine the first of several requests may wait long until the last one is read. */
  private final OnosRouter router = new OnosRouter(network.services(), Duration.ofMinutes(10));

  private OnosAnswer ask(String method, String target, String body) {
    String[] parts = target.split("\\?", 2);
    Map<String, String> query = new HashMap<>();
    if (parts.length == 2) {
      for (String field : parts[1].split("&", -1)) {
        query.put(field.split("=", 2)[0], field.split("=", 2)[1]);
      }
    }
    return router
        .answer(
            new OnosRequest(
                method, OnosRouter.ROOT + parts[0], query, body.getBytes(StandardCharsets.UTF_8)))
        .join();
  }

  private JsonNode get(String target) throws Exception {
    OnosAnswer answer = ask("GET", target, "");
    assertThat(answer.status()).as(text(answer)).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private static String text(OnosAnswer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  /** Answers in the form that ONOS's documentation describes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "/devices/of:0000000000000001 | {'id':'of:0000000000000001','type':'SWITCH',"
            + "'available':true,'role':'MASTER','mfr':'maker','hw':'hw','sw':'sw','serial':'sn',"
            + "'chassisId':'1','lastUpdate':'1447892365670',"
            + "'humanReadableLastUpdate':'connected 1m ago','annotations':{'protocol':'OF_13'}}",
        "/links?device=of:0000000000000001&direction=egress | {'links':[{"
            + "'src':{'port':'2','device':'of:0000000000000001'},"
            + "'dst':{'port':'2','device':'of:0000000000000002'},"
            + "'type':'DIRECT','state':'ACTIVE'}]}",
        "/links?device=of:0000000000000001&port=1&direction=INGRESS | {'links':[]}",
        "/hosts/46:E4:3C:A4:17:C8/None | {'id':'46:E4:3C:A4:17:C8/None',"
            + "'mac':'46:E4:3C:A4:17:C8','vlan':'None','innerVlan':'None','outerTpid':'0x0000',"
            + "'configured':false,'suspended':false,'ipAddresses':['10.0.0.1','10.0.0.2'],"
            + "'locations':[{'elementId':'of:0000000000000001','port':'1'}]}",
        "/cluster | {'nodes':[{'id':'n1','ip':'10.0.0.11','tcpPort':7300,'status':'READY',"
            + "'lastUpdate':'7','humanReadableLastUpdate':'ready 1m ago'},"
            + "{'id':'n2','ip':'10.0.0.12','tcpPort':7300,'status':'READY','lastUpdate':'7',"
            + "'humanReadableLastUpdate':'ready 1m ago'}]}",
        "/mastership/of:0000000000000001/local | {'role':'MASTER'}",
        "/mastership/of:0000000000000002/master | {'nodeId':'n2'}",
        "/mastership/of:0000000000000001/role | {'master':'n1','backups':['n2']}",
        "/mastership/of:0000000000000003/role | {}",
        "/mastership/n2/device | {'deviceIds':['of:0000000000000002']}",
        "/applications | {'applications':[{'name':'learning-switch','id':1,'version':'0.1.0',"
            + "'category':'','description':'','readme':'','origin':'Lockstep','url':'',"
            + "'featuresRepo':'','state':'ACTIVE','features':[],'permissions':[],"
            + "'requiredApps':[]}]}",
        "/applications/ids | {'ids':[{'name':'learning-switch','id':1}]}",
        "/applications/ids/entry?id=1 | {'name':'learning-switch','id':1}",
        "/statistics/ports/of:0000000000000001/1 | {'statistics':[{"
            + "'device':'of:0000000000000001','ports':[{'port':1,'packetsReceived':1,"
            + "'packetsSent':11,'bytesReceived':12,'bytesSent':13,'packetsRxDropped':14,"
            + "'packetsTxDropped':15,'packetsRxErrors':16,'packetsTxErrors':17,"
            + "'durationSec':18}]}]}",
        "/statistics/delta/ports/of:0000000000000001 | {'statistics':[{"
            + "'device':'of:0000000000000001','ports':[]}]}",
        "/statistics/flows/tables/of:0000000000000001 | {'statistics':[{"
            + "'device':'of:0000000000000001','table':[{'tableId':'0',"
            + "'deviceId':'of:0000000000000001','activeEntries':3,'packetsLookedUp':4,"
            + "'packetsMatched':2}]}]}",
        "/flows | {'flows':[]}",
      })
  void answersHaveTheFormOfOnos(String target, String golden) throws Exception {
    assertThat(get(target)).isEqualTo(JSON.readTree(golden.replace('\'', '"')));
  }

  @Test
  void listsAreWholeAndInOrder() throws Exception {
    assertThat(get("/devices").path("devices").findValuesAsText("id"))
        .containsExactly("of:0000000000000001", "of:0000000000000002");
    JsonNode ports = get("/devices/of:0000000000000001/ports");
    assertThat(ports.path("id").asText()).isEqualTo("of:0000000000000001");
    assertThat(ports.path("ports").findValuesAsText("port")).containsExactly("local", "1");
    assertThat(ports.path("ports").path(1).toString())
        .isEqualTo(
            "{\"element\":\"of:0000000000000001\",\"port\":\"1\",\"isEnabled\":true,"
                + "\"type\":\"copper\",\"portSpeed\":10000,"
                + "\"annotations\":{\"portName\":\"s1-eth1\"}}");
    assertThat(get("/devices/ports").path("ports")).hasSize(4);
    assertThat(get("/links").path("links")).hasSize(2);
    assertThat(get("/hosts/").path("hosts")).hasSize(1);
    assertThat(get("/statistics/ports").path("statistics")).hasSize(2);
    assertThat(get("/statistics/flows/tables").path("statistics")).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET    | /devices/of:0000000000000009          | 404 | Device is not found",
        "GET    | /devices/s1                           | 404 | 's1' is no device",
        "GET    | /devices/of:000000000000000g/ports    | 404 | is no device",
        "GET    | /hosts/46:E4:3C:A4:17:C9/None         | 404 | Host is not found",
        "GET    | /hosts/h1                             | 404 | docs/ONOS_REST.md",
        "GET    | /hosts/h1/None                        | 400 | 'h1/None' is no host",
        "GET    | /hosts/46:E4:3C:A4:17:C9/x            | 400 | is no host",
        "GET    | /links?port=1                         | 400 | port: names a port of no device",
        "GET    | /links?device=s1                      | 404 | 's1' is no device",
        "GET    | /links?device=of:0000000000000001&port=x | 400 | port: 'x' is no port",
        "GET    | /links?direction=up                   | 400 | direction: 'up' is none of",
        "GET    | /flows/of:0000000000000009            | 404 | Device is not found",
        "GET    | /flows/of:0000000000000001/7          | 404 | Flow is not found",
        "GET    | /flows/of:0000000000000001/x          | 400 | flowId: 'x' is no number",
        "GET    | /flows/table/x                        | 400 | tableId: 'x' is none",
        "GET    | /flows/application/org.x              | 404 | Application is not found: 'org.x'",
        "DELETE | /flows/of:0000000000000001/7          | 404 | Flow is not found",
        "DELETE | /flows/application/org.x              | 404 | Application is not found",
        "GET    | /cluster/n9                           | 404 | Node is not found",
        "GET    | /mastership/of:0000000000000003/master| 404 | Node id is not found",
        "GET    | /mastership/n9/device                 | 404 | Node is not found",
        "GET    | /applications/org.onosproject.fwd     | 404 | runs learning-switch",
        "POST   | /applications/org.onosproject.fwd/active | 404 | Application is not found",
        "DELETE | /applications/org.onosproject.fwd/active | 404 | Application is not found",
        "GET    | /applications/ids/entry               | 400 | give name, or id",
        "GET    | /applications/ids/entry?id=9          | 404 | Application is not found",
        "GET    | /statistics/ports/of:0000000000000009 | 404 | Device is not found",
        "GET    | /statistics/ports/of:0000000000000001/x | 400 | port: 'x' is no port",
        "GET    | /topology/broadcast/of:0000000000000001 | 404 | 'of' is no device",
        "GET    | /topology/broadcast/of:0000000000000001:x | 400 | connectPoint: ",
        "GET    | /intents                              | 404 | docs/ONOS_REST.md",
        "GET    | /                                     | 404 | docs/ONOS_REST.md",
        "GET    | /devices//                            | 404 | is no device",
        "POST   | /devices                              | 405 | method POST is not offered here: GET",
        "PATCH  | /flows/of:0000000000000001/7          | 405 | DELETE, GET",
      })
  void whatIsWrongIsAnAnswerInOnosForm(String method, String target, int status, String message)
      throws Exception {
    OnosAnswer answer = ask(method, target, "");
    assertThat(answer.status()).as(text(answer)).isEqualTo(status);
    JsonNode body = JSON.readTree(answer.body());
    assertThat(body.path("code").asInt()).isEqualTo(status);
    assertThat(body.path("message").asText()).contains(message);
    assertThat(body).hasSize(2);
  }

  @Test
  void aFlowIsPostedShownAndDeleted() throws Exception {
    OnosAnswer posted = ask("POST", "/flows/of:0000000000000001?appId=org.x", FLOW);
    assertThat(posted.status()).as(text(posted)).isEqualTo(201);
    assertThat(posted.body()).isEmpty();
    String location = String.valueOf(posted.headers().get("Location"));
    assertThat(location).startsWith("/onos/v1/flows/of:0000000000000001/");
    String path = location.substring(OnosRouter.ROOT.length());
    JsonNode flow = get(path).path("flows").path(0);
    assertThat(flow.path("appId").asText()).isEqualTo("org.x");
    assertThat(flow.path("state").asText()).isEqualTo("PENDING_ADD");
    assertThat(path).endsWith("/" + flow.path("id").asText());
    assertThat(get("/flows").path("flows").path(0).path("id")).isEqualTo(flow.path("id"));
    assertThat(get("/flows/pending").path("flows")).hasSize(1);
    assertThat(get("/flows/table/0").path("flows")).hasSize(1);
    assertThat(get("/flows/table/1").path("flows")).isEmpty();
    assertThat(get("/flows/of:0000000000000001").path("flows")).hasSize(1);
    assertThat(get("/flows/of:0000000000000002").path("flows")).isEmpty();
    assertThat(get("/flows/application/org.x").path("flows")).hasSize(1);
    OnosAnswer deleted = ask("DELETE", path, "");
    assertThat(deleted.status()).isEqualTo(204);
    assertThat(deleted.body()).isEmpty();
    assertThat(network.rules).isEmpty();
  }

  @Test
  void flowsArePostedAndDeletedTogether() throws Exception {
    String second = FLOW.replace("40000", "5").replace("0001", "0002");
    OnosAnswer posted =
        ask("POST", "/flows?appId=org.x", "{\"flows\":[" + FLOW + "," + second + "]}");
    assertThat(posted.status()).as(text(posted)).isEqualTo(200);
    JsonNode places = JSON.readTree(posted.body()).path("flows");
    assertThat(places.findValuesAsText("deviceId"))
        .containsExactly("of:0000000000000001", "of:0000000000000002");
    assertThat(places.path(0).path("flowId").isTextual()).isTrue();
    assertThat(network.rules).hasSize(2);
    assertThat(ask("DELETE", "/flows", text(posted)).status()).isEqualTo(204);
    assertThat(network.rules).isEmpty();
    ask("POST", "/flows?appId=org.x", "{\"flows\":[" + FLOW + "]}");
    assertThat(ask("DELETE", "/flows/application/org.x", "").status()).isEqualTo(204);
    assertThat(network.rules).isEmpty();
  }

  /** None of a list is written where one of it is wrong. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"flows\":[FLOW,{\"priority\":1}]}  | flows[1].deviceId: is missing",
        "{\"flows\":[]}                       | flows: has no flow",
        "{\"flow\":[FLOW]}                    | flow: there is no such field here",
        "{}                                   | flows: has no flow",
      })
  void aWrongListIsRefusedAsAWhole(String body, String message) {
    OnosAnswer answer = ask("POST", "/flows", body.replace("FLOW", FLOW));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(text(answer)).contains(message);
    assertThat(network.rules).isEmpty();
  }

  @Test
  void aListOfTooManyFlowsIsRefused() {
    String many = "{}" + ",{}".repeat(FlowChanges.MAX_RULES);
    OnosAnswer answer = ask("POST", "/flows", "{\"flows\":[" + many + "]}");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(text(answer)).contains("flows: is no list of at most 1000");
  }

  @Test
  void whatTheStoreDidNotTakeIsSaid() {
    network.scripted = CompletableFuture.completedFuture(0);
    OnosAnswer answer = ask("POST", "/flows/of:0000000000000001", FLOW);
    assertThat(answer.status()).isEqualTo(503);
    assertThat(text(answer)).contains("the store has 0 of 1 changes");
    network.registersNothing = true;
    answer = ask("POST", "/flows/of:0000000000000001?appId=org.new", FLOW);
    assertThat(answer.status()).isEqualTo(503);
    assertThat(text(answer)).contains("appId: cannot register application org.new");
  }

  /** Requests that wait hold no more rules than the bound; they are served when it has room. */
  @Test
  void flowsThatWaitForTheStoreAreBounded() {
    CompletableFuture<Integer> late = new CompletableFuture<>();
    network.scripted = late;
    String many = "{\"flows\":[" + FLOW + ("," + FLOW).repeat(FlowChanges.MAX_RULES - 1) + "]}";
    List<CompletableFuture<OnosAnswer>> waiting =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    router.answer(
                        new OnosRequest(
                            "POST",
                            OnosRouter.ROOT + "/flows",
                            Map.of(),
                            many.getBytes(StandardCharsets.UTF_8))))
            .toList();
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    assertThat(ask("POST", "/flows", many).status()).isEqualTo(503);
    late.complete(FlowChanges.MAX_RULES);
    assertThat(waiting).allMatch(answer -> answer.join().status() == 200);
    network.scripted = null;
    assertThat(ask("POST", "/flows", many).status()).isEqualTo(200);
  }

  @Test
  void aMasterGivesADeviceAwayAndNothingElseIsSet() {
    assertThat(role("of:0000000000000001", "n1", "MASTER").status()).isEqualTo(200);
    assertThat(role("of:0000000000000001", "n2", "STANDBY").status()).isEqualTo(200);
    assertThat(network.relinquished).as("they have these roles").isEmpty();
    assertThat(role("of:0000000000000001", "n1", "STANDBY").status()).isEqualTo(200);
    assertThat(network.relinquished).containsExactly(FakeNetwork.ONE);
    OnosAnswer other = role("of:0000000000000002", "n2", "NONE");
    assertThat(other.status()).isEqualTo(409);
    assertThat(text(other)).contains("ask node n2");
    OnosAnswer moved = role("of:0000000000000001", "n2", "MASTER");
    assertThat(moved.status()).isEqualTo(409);
    assertThat(text(moved)).contains("./lockstep masters move DOMAIN n2");
    assertThat(text(role("s1", "n2", "MASTER"))).contains("deviceId: is no device");
    assertThat(text(role("of:0000000000000001", "n2", "SLAVE")))
        .contains("role: 'SLAVE' is no role");
  }

  private OnosAnswer role(String device, String node, String role) {
    return ask(
        "PUT",
        "/mastership",
        "{\"deviceId\":\"" + device + "\",\"nodeId\":\"" + node + "\",\"role\":\"" + role + "\"}");
  }

  @Test
  void applicationsAreDeactivatedAndActivated() throws Exception {
    assertThat(ask("DELETE", "/applications/learning-switch/active", "").status()).isEqualTo(204);
    assertThat(network.deactivated).containsExactly("learning-switch");
    assertThat(get("/applications/learning-switch").path("state").asText()).isEqualTo("INSTALLED");
    OnosAnswer answer = ask("POST", "/applications/learning-switch/active", "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(network.deactivated).isEmpty();
    assertThat(JSON.readTree(answer.body())).isEqualTo(get("/applications/learning-switch"));
    assertThat(JSON.readTree(answer.body()).path("state").asText()).isEqualTo("ACTIVE");
    network.fails = true;
    assertThat(ask("DELETE", "/applications/learning-switch/active", "").status()).isEqualTo(503);
  }

  @Test
  void aFailureOfTheNodeIsNoAnswer() {
    network.fails = true;
    CompletableFuture<OnosAnswer> answer =
        router.answer(new OnosRequest("GET", OnosRouter.ROOT + "/devices", Map.of(), new byte[0]));
    assertThatThrownBy(answer::join).hasRootCauseMessage("secret of the node");
  }

  @Test
  void aListThatDoesNotFitSaysSo() throws Exception {
    List<Integer> numbers = List.of(1, 2, 3);
    JsonNode whole =
        JSON.readTree(BoundedList.of("n", numbers, JSON.getNodeFactory()::numberNode, 100).body());
    assertThat(whole).isEqualTo(JSON.readTree("{\"n\":[1,2,3]}"));
    JsonNode part =
        JSON.readTree(BoundedList.of("n", numbers, JSON.getNodeFactory()::numberNode, 9).body());
    assertThat(part).isEqualTo(JSON.readTree("{\"n\":[1,2],\"complete\":false}"));
  }
}
