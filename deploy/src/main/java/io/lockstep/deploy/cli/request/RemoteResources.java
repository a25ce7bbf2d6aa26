package io.lockstep.deploy.cli.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminAddress;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The resources of the first node that answers; any node answers the same. Used by one thread.
 *
 * @param descriptions as the node lists them
 */
public record RemoteResources(AdminAddress endpoint, int timeoutMillis, JsonNode descriptions) {

  /**
   * Finds the node.
   *
   * @throws OperatorException where none answers
   */
  public static RemoteResources find(List<AdminAddress> endpoints, int timeoutMillis)
      throws OperatorException {
    List<String> silent = new ArrayList<>();
    for (AdminAddress endpoint : endpoints) {
      try {
        JsonAnswer answer = new AdminClient(endpoint, timeoutMillis).resource("resources");
        if (answer.status() == 200) {
          return new RemoteResources(endpoint, timeoutMillis, answer.body());
        }
        throwIfForbidden(answer);
        silent.add(endpoint + ": " + error(answer));
      } catch (IOException e) {
        silent.add(String.valueOf(e.getMessage()));
      }
    }
    throw new OperatorException(
        "no node answers: " + String.join("; ", silent),
        "start one with ./lockstep node, or name its admin address with -e");
  }

  /** The resource with this name, of the collection or of one item; null where there is none. */
  public @Nullable JsonNode named(String name) {
    for (JsonNode one : descriptions) {
      if (one.path("item").asText().equals(name) || one.path("name").asText().equals(name)) {
        return one;
      }
    }
    return null;
  }

  /**
   * Reads a collection or an item.
   *
   * @param below such as {@code vips} or {@code vips/web}
   */
  public JsonAnswer read(String below) throws OperatorException {
    try {
      return client().resource(below);
    } catch (IOException e) {
      throw new OperatorException(
          String.valueOf(e.getMessage()), "try again, or name another node with -e");
    }
  }

  /** Makes an item that is not there. */
  public JsonAnswer add(String below, Object fields) throws OperatorException {
    return change(below, Map.entry("If-None-Match", "*"), fields);
  }

  /** Replaces the fields of an item that has this version. */
  public JsonAnswer set(String below, long version, Object fields) throws OperatorException {
    return change(below, Map.entry("If-Match", "\"" + version + "\""), fields);
  }

  /** Removes an item that has this version. */
  public JsonAnswer remove(String below, long version) throws OperatorException {
    return change(below, Map.entry("If-Match", "\"" + version + "\""), null);
  }

  private JsonAnswer change(
      String below, Map.Entry<String, String> condition, @Nullable Object fields)
      throws OperatorException {
    try {
      return client().changeResource(below, condition, fields);
    } catch (IOException e) {
      throw new OperatorException(
          "whether it was changed is not known: " + e.getMessage(),
          "look at it before you try again");
    }
  }

  private AdminClient client() {
    return new AdminClient(endpoint, timeoutMillis + ResourceOffer.PATIENCE_MILLIS);
  }

  /**
   * Ends a search for a node that answers where one does not let the caller: others would not
   * either.
   *
   * @throws OperatorException with the node's words, where the status is 401 or 403
   */
  public static void throwIfForbidden(JsonAnswer answer) throws OperatorException {
    if (answer.status() == 401 || answer.status() == 403) {
      throw new OperatorException(
          error(answer), answer.body().path("remedy").asText("see the log of the node"));
    }
  }

  /** What an answer says that is none. */
  public static String error(JsonAnswer answer) {
    JsonNode body = answer.body();
    String detail = body.path("detail").asText(body.path("error").asText(""));
    return detail.isEmpty() ? "HTTP status " + answer.status() : detail;
  }
}
