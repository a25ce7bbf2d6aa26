package io.lockstep.deploy.onos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Flows with one thing wrong, from seeds: each is taken, or refused with the name of a field. */
class MalformedFlowsTest {
  private static final int REQUESTS = 10_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A field's path, or what the whole body is; then what is wrong. */
  private static final Pattern NAMED = Pattern.compile("(?s).+: .+|the body is no JSON object");

  private static final String FLOW =
      """
      {"priority":40000,"timeout":10,"isPermanent":false,"deviceId":"of:0000000000000001",
       "tableId":1,"appId":"org.x",
       "treatment":{
         "instructions":[
           {"type":"L2MODIFICATION","subtype":"ETH_SRC","mac":"00:00:00:00:00:01"},
           {"type":"L3MODIFICATION","subtype":"IPV4_SRC","ip":"10.0.0.1"},
           {"type":"TABLE","tableId":2}],
         "clearDeferred":true,
         "deferred":[{"type":"OUTPUT","port":"CONTROLLER"}]},
       "selector":{"criteria":[
         {"type":"IN_PORT","port":"1"},
         {"type":"ETH_TYPE","ethType":"0x800"},
         {"type":"IP_PROTO","protocol":6},
         {"type":"IPV4_DST","ip":"10.1.0.0/16"},
         {"type":"TCP_DST","tcpPort":80}]}}
      """;

  private static final List<String> VALUES =
      List.of(
          "null",
          "-1",
          "0",
          "1",
          "65536",
          "1e300",
          "1.5",
          "123456789012345678901234567890",
          "true",
          "\"\"",
          "\"x\"",
          "\"\\u0000\\ud800\"",
          "\"0x\"",
          "\"-\"",
          "\"NORMAL\"",
          "\"OUTPUT\"",
          "\"IPV6_DST\"",
          "[]",
          "{}",
          "[[[]]]",
          "{\"type\":{}}",
          "[null]");

  private final ObjectNode sound;
  private final FakeNetwork network = new FakeNetwork();
  private final OnosRouter router = new OnosRouter(network.services());

  MalformedFlowsTest() throws Exception {
    sound = (ObjectNode) JSON.readTree(FLOW);
  }

  private static void collect(JsonNode node, List<JsonNode> containers) {
    if (node.isContainerNode()) {
      containers.add(node);
      node.forEach(child -> collect(child, containers));
    }
  }

  /** The flow with one value replaced, left out or renamed, or cut off or changed at one byte. */
  private byte[] malformed(Random random) throws Exception {
    ObjectNode flow = sound.deepCopy();
    if (random.nextInt(10) == 0) {
      byte[] bytes = flow.toString().getBytes(StandardCharsets.UTF_8);
      int place = random.nextInt(bytes.length);
      if (random.nextBoolean()) {
        return Arrays.copyOf(bytes, place);
      }
      bytes[place] = (byte) random.nextInt();
      return bytes;
    }
    List<JsonNode> containers = new ArrayList<>();
    collect(flow, containers);
    JsonNode chosen = containers.get(random.nextInt(containers.size()));
    JsonNode value = JSON.readTree(VALUES.get(random.nextInt(VALUES.size())));
    if (chosen instanceof ArrayNode array) {
      array.insert(random.nextInt(array.size() + 1), value);
    } else {
      ObjectNode object = (ObjectNode) chosen;
      List<String> names = new ArrayList<>();
      object.fieldNames().forEachRemaining(names::add);
      String name = names.get(random.nextInt(names.size()));
      switch (random.nextInt(3)) {
        case 0 -> object.remove(name);
        case 1 -> object.set(name + "s", object.remove(name));
        default -> object.set(name, value);
      }
    }
    return flow.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void eachIsTakenOrRefusedWithTheNameOfAField() throws Exception {
    int refused = 0;
    for (int seed = 1; seed <= REQUESTS; seed++) {
      byte[] body = malformed(new Random(seed));
      int number = seed;
      Supplier<String> shown =
          () -> "seed " + number + ": " + new String(body, StandardCharsets.UTF_8);
      OnosAnswer answer =
          router
              .answer(
                  new OnosRequest(
                      "POST", OnosRouter.ROOT + "/flows/of:0000000000000001", Map.of(), body))
              .join();
      if (answer.status() == 201) {
        continue;
      }
      refused++;
      assertThat(answer.status()).as(shown).isEqualTo(400);
      JsonNode error = JSON.readTree(answer.body());
      assertThat(error.path("message").asText()).as(shown).matches(NAMED);
      assertThat(answer.body()).as(shown).hasSizeLessThan(2_000);
    }
    assertThat(refused).isGreaterThan(REQUESTS / 2);
    assertThat(network.rules).isNotEmpty();
  }
}
