package io.lockstep.deploy.cli.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminAddress;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Asks the first node that answers what any node answers for the whole cluster. Used by one thread.
 */
public final class FirstNode {
  /** As many as the largest network has; beyond it a command says that there is more. */
  private static final int MAX_PAGES = 1_000;

  private final List<AdminAddress> endpoints;
  private final int timeoutMillis;
  private @Nullable AdminAddress found;

  private FirstNode(List<AdminAddress> endpoints, int timeoutMillis) {
    this.endpoints = endpoints;
    this.timeoutMillis = timeoutMillis;
  }

  /** Of the endpoints that the operator named, or the usual ones. */
  public static FirstNode of(CommandSpec spec, EndpointsMixin nodes) throws OperatorException {
    return new FirstNode(nodes.asked(spec), nodes.timeoutMillis());
  }

  /**
   * Reads a path.
   *
   * @param below what follows {@code /api/v1/}
   * @throws OperatorException where no node answers
   */
  public JsonAnswer get(String below) throws OperatorException {
    AdminAddress known = found;
    List<String> silent = new ArrayList<>();
    for (AdminAddress endpoint : known == null ? endpoints : List.of(known)) {
      try {
        JsonAnswer answer = client(endpoint).resource(below);
        if (answer.status() < 500) {
          found = endpoint;
          return answer;
        }
        silent.add(endpoint + ": " + RemoteResources.error(answer));
      } catch (IOException e) {
        silent.add(String.valueOf(e.getMessage()));
      }
    }
    throw noAnswer(silent);
  }

  /**
   * Sends a change to the node that answered, or the first that does.
   *
   * @param body becomes JSON; null for none
   * @throws OperatorException where no node answers, or the outcome is not known
   */
  public JsonAnswer send(
      String method, String below, Map<String, String> headers, @Nullable Object body)
      throws OperatorException {
    if (found == null) {
      get("resources");
    }
    try {
      return client(endpoint()).request(method, below, headers, body);
    } catch (IOException e) {
      throw new OperatorException(
          "whether it was changed is not known: " + e.getMessage(),
          "look at it before you try again");
    }
  }

  /** The node that answered. */
  public AdminAddress endpoint() {
    AdminAddress known = found;
    return known == null ? endpoints.get(0) : known;
  }

  private AdminClient client(AdminAddress endpoint) {
    return new AdminClient(endpoint, timeoutMillis);
  }

  /**
   * Reads a list.
   *
   * @throws OperatorException where no node answers, or the node refuses, with its words
   */
  public JsonNode list(String below) throws OperatorException {
    return body(get(below));
  }

  /**
   * Reads all pages of a list whose answers have {@code items} and, where there is more, {@code
   * next}.
   *
   * @throws OperatorException where no node answers, or the node refuses, with its words
   */
  public ArrayNode pages(String below) throws OperatorException {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    String separator = below.contains("?") ? "&" : "?";
    String cursor = "";
    for (int page = 0; page < MAX_PAGES; page++) {
      JsonNode answer = list(below + cursor);
      answer.path("items").forEach(all::add);
      if (!answer.path("next").isTextual()) {
        return all;
      }
      cursor = separator + "cursor=" + encoded(answer.path("next").asText());
    }
    throw new OperatorException(
        "more than " + MAX_PAGES + " pages of " + below, "name a switch, so that it gets less");
  }

  /** A text as a value of a query. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private JsonNode body(JsonAnswer answer) throws OperatorException {
    if (answer.status() == 200) {
      return answer.body();
    }
    throw new OperatorException(
        RemoteResources.error(answer),
        answer.body().path("remedy").asText("see the log of the node at " + endpoint()));
  }

  private static OperatorException noAnswer(List<String> silent) {
    return new OperatorException(
        "no node answers: " + String.join("; ", silent),
        "start one with ./lockstep node, or name its admin address with -e");
  }
}
