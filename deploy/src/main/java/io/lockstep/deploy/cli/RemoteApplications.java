package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.core.noun.NounRunner;
import io.lockstep.deploy.cli.request.RemoteResources;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminAddress;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The applications of the first node that answers. Used by one thread. */
record RemoteApplications(AdminAddress endpoint, int timeoutMillis, JsonNode applications) {

  /**
   * Finds the node.
   *
   * @throws OperatorException where none answers
   */
  static RemoteApplications find(List<AdminAddress> endpoints, int timeoutMillis)
      throws OperatorException {
    List<String> silent = new ArrayList<>();
    for (AdminAddress endpoint : endpoints) {
      try {
        JsonAnswer answer = new AdminClient(endpoint, timeoutMillis).applications("");
        if (answer.status() == 200) {
          return new RemoteApplications(endpoint, timeoutMillis, answer.body());
        }
        RemoteResources.throwIfForbidden(answer);
        silent.add(endpoint + ": " + answer.body().path("error").asText("not ready"));
      } catch (IOException e) {
        silent.add(String.valueOf(e.getMessage()));
      }
    }
    throw new OperatorException(
        "no node answers: " + String.join("; ", silent),
        "start one with ./lockstep node, or name its admin address with -e");
  }

  /**
   * Asks a noun.
   *
   * @param noun as the node lists it
   * @param arguments not more than it has
   */
  JsonAnswer ask(String application, JsonNode noun, List<String> arguments)
      throws OperatorException {
    StringBuilder below = new StringBuilder("/" + application);
    below.append('/').append(noun.path("name").asText());
    for (int i = 0; i < arguments.size(); i++) {
      String name = noun.path("arguments").path(i).path("name").asText();
      below.append(i == 0 ? '?' : '&').append(name).append('=');
      below.append(URLEncoder.encode(arguments.get(i), StandardCharsets.UTF_8));
    }
    try {
      return new AdminClient(endpoint, timeoutMillis + NounRunner.DEADLINE_MILLIS)
          .applications(below.toString());
    } catch (IOException e) {
      throw new OperatorException(
          String.valueOf(e.getMessage()), "try again, or name another node with -e");
    }
  }
}
