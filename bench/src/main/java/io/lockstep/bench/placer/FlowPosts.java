package io.lockstep.bench.placer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives rules to a node as any client does: over HTTP to onos-api's flow rule service. Used by one
 * thread.
 */
final class FlowPosts {
  private static final int MOST_IN_REQUEST = 500;
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final int UDP = 17;
  private static final String FLOWS = "flows";

  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper mapper = new ObjectMapper();
  private final String endpoint;

  /** The requested rules by their flow ids. */
  private final Map<String, RuleKey> requested = new HashMap<>();

  /**
   * A client of one node.
   *
   * @param endpoint host and port of its admin HTTP
   */
  FlowPosts(String endpoint) {
    this.endpoint = endpoint;
  }

  /** Requests rules at a switch, in their order; returns when the store has them. */
  void add(String device, List<WeightedRule> rules) throws BenchException, InterruptedException {
    for (int from = 0; from < rules.size(); from += MOST_IN_REQUEST) {
      List<WeightedRule> some = rules.subList(from, Math.min(rules.size(), from + MOST_IN_REQUEST));
      ObjectNode body = mapper.createObjectNode();
      ArrayNode flows = body.putArray(FLOWS);
      some.forEach(one -> flows.add(flow(device, one)));
      JsonNode answer = send("flows?appId=bench.placer", body);
      for (int i = 0; i < some.size(); i++) {
        String id = answer.path(FLOWS).path(i).path("flowId").asText();
        requested.put(id, some.get(i).rule().key());
      }
    }
  }

  /** The requested rules that a switch has, as the node says: others were refused, or wait. */
  Set<RuleKey> added(String device) throws BenchException, InterruptedException {
    Set<RuleKey> added = new HashSet<>();
    for (JsonNode flow : send("flows/" + device, null).path(FLOWS)) {
      RuleKey key = requested.get(flow.path("id").asText());
      if (key != null && flow.path("state").asText().equals("ADDED")) {
        added.add(key);
      }
    }
    return added;
  }

  /**
   * Sends a request.
   *
   * @param body null to read
   */
  private JsonNode send(String below, @Nullable ObjectNode body)
      throws BenchException, InterruptedException {
    URI uri = URI.create("http://" + endpoint + "/onos/v1/" + below);
    try {
      HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(DEADLINE);
      if (body != null) {
        request
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(mapper.writeValueAsString(body)));
      }
      HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new BenchException(uri + " answers " + answer.statusCode() + " " + answer.body());
      }
      return mapper.readTree(answer.body());
    } catch (IOException e) {
      throw new BenchException("no answer of " + uri + ": " + e.getMessage(), e);
    }
  }

  private ObjectNode flow(String device, WeightedRule one) {
    ObjectNode flow = mapper.createObjectNode();
    flow.put("deviceId", device);
    flow.put("priority", one.rule().key().priority());
    flow.put("isPermanent", true);
    ArrayNode criteria = flow.putObject("selector").putArray("criteria");
    criteria(one.rule().key().match()).forEach(criteria::add);
    flow.putObject("treatment")
        .putArray("instructions")
        .addObject()
        .put("type", "OUTPUT")
        .put("port", Integer.toString(PlacedSwitchLoad.FIRST_OUT + PlacedSwitchLoad.output(one)));
    return flow;
  }

  /**
   * A match as onos-api has it.
   *
   * @throws IllegalArgumentException for one that it cannot say
   */
  private List<ObjectNode> criteria(TernaryMatch match) {
    List<ObjectNode> criteria = new ArrayList<>();
    String ports = match.value(HeaderField.IP_PROTO) == UDP ? "UDP" : "TCP";
    String port = match.value(HeaderField.IP_PROTO) == UDP ? "udpPort" : "tcpPort";
    for (HeaderField field : HeaderField.values()) {
      long mask = match.mask(field);
      if (mask == 0) {
        continue;
      }
      boolean isAddress = field == HeaderField.IPV4_SRC || field == HeaderField.IPV4_DST;
      if (mask != field.full() && !isAddress) {
        throw new IllegalArgumentException("onos-api has no mask for " + field.label());
      }
      long value = match.value(field);
      ObjectNode criterion = mapper.createObjectNode();
      criteria.add(criterion);
      switch (field) {
        case IN_PORT -> criterion.put("type", "IN_PORT").put("port", value);
        case ETH_TYPE -> criterion.put("type", "ETH_TYPE").put("ethType", value);
        case IP_PROTO -> criterion.put("type", "IP_PROTO").put("protocol", value);
        case IP_DSCP -> criterion.put("type", "IP_DSCP").put("ipDscp", value);
        case IPV4_SRC -> criterion.put("type", "IPV4_SRC").put("ip", prefix(value, mask));
        case IPV4_DST -> criterion.put("type", "IPV4_DST").put("ip", prefix(value, mask));
        case L4_SRC -> criterion.put("type", ports + "_SRC").put(port, value);
        case L4_DST -> criterion.put("type", ports + "_DST").put(port, value);
        default -> throw new IllegalArgumentException("no family uses " + field.label());
      }
    }
    return criteria;
  }

  private static String prefix(long value, long mask) {
    return (value >> 24)
        + "."
        + (value >> 16 & 255)
        + "."
        + (value >> 8 & 255)
        + "."
        + (value & 255)
        + "/"
        + Long.bitCount(mask);
  }
}
