package io.lockstep.deploy.onos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An answer to a request.
 *
 * @param headers besides those of type and length
 * @param body JSON; empty for none
 */
public record OnosAnswer(int status, Map<String, String> headers, byte[] body) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final byte[] NO_BODY = {};

  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  static byte[] bytes(JsonNode node) {
    try {
      return JSON.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree that is no JSON", e);
    }
  }

  static OnosAnswer ok(JsonNode body) {
    return new OnosAnswer(200, Map.of(), bytes(body));
  }

  static OnosAnswer empty(int status) {
    return new OnosAnswer(status, Map.of(), NO_BODY);
  }

  /** ONOS's form of an error. */
  public static OnosAnswer error(int status, String message) {
    ObjectNode body = object().put("code", status).put("message", message);
    return new OnosAnswer(status, Map.of(), bytes(body));
  }

  OnosAnswer with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new OnosAnswer(status, more, body);
  }
}
