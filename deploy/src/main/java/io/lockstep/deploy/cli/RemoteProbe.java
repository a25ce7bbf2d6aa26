package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminAddress;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A probe that a node makes, seen from here. What a node says is JSON: {@code error} is not empty
 * where it failed, and {@code interrupted} is true where another probe can go well. Used by one
 * thread, which waits.
 */
final class RemoteProbe {
  /** The node waits for its switch before it says what a probe would mean. */
  private static final int ASK_TIMEOUT_MILLIS = 120_000;

  private static final int POLL_TIMEOUT_MILLIS = 10_000;
  private static final long POLL_MILLIS = 500;

  /** A node that does not answer for so long is gone. */
  private static final long SILENCE_SECONDS = 60;

  private final AdminAddress endpoint;
  private final AdminClient poll;
  private final String question;
  private final String device;
  private final PrintWriter print;

  /**
   * A probe that has not begun.
   *
   * @param endpoint of the node that masters the switch
   * @param id of the switch, 16 hexadecimal digits
   */
  RemoteProbe(
      AdminAddress endpoint,
      String id,
      List<Integer> tables,
      boolean despiteOthers,
      PrintWriter print) {
    this.endpoint = endpoint;
    this.poll = new AdminClient(endpoint, POLL_TIMEOUT_MILLIS);
    this.device = "of:" + id;
    this.question =
        "?switch="
            + device
            + "&tables="
            + String.join(",", tables.stream().map(String::valueOf).toList())
            + "&despiteOthers="
            + despiteOthers;
    this.print = print;
  }

  /**
   * Prints what it would mean.
   *
   * @throws OperatorException where the node refuses for good
   */
  JsonNode warn() throws OperatorException {
    JsonNode said = post(false);
    if (!interrupted(said)) {
      refuse(said);
      said.path("warnings").forEach(line -> print.println(Printable.of(line.asText())));
      print.flush();
    }
    return said;
  }

  /** Begins it, prints its progress, waits for its end; returns what the node said last. */
  JsonNode run() {
    JsonNode begun = post(true);
    if (!begun.path("error").asText("").isEmpty()) {
      return begun;
    }
    int number = begun.path("number").asInt();
    int told = 0;
    long heardNanos = System.nanoTime();
    while (true) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
      JsonNode state;
      try {
        state = poll.probe();
      } catch (IOException e) {
        if (System.nanoTime() - heardNanos >= TimeUnit.SECONDS.toNanos(SILENCE_SECONDS)) {
          return interruption(String.valueOf(e.getMessage()));
        }
        continue; // it may be busy, or be starting anew
      }
      heardNanos = System.nanoTime();
      if (state.path("number").asInt() != number || !state.path("device").asText().equals(device)) {
        return interruption("the node at " + endpoint + " no longer knows of the probe");
      }
      for (; told < state.path("progress").size(); told++) {
        print.println(Printable.of(state.path("progress").get(told).asText()));
        print.flush();
      }
      if (!state.path("running").asBoolean()) {
        return state;
      }
    }
  }

  private JsonNode post(boolean begin) {
    try {
      return new AdminClient(endpoint, ASK_TIMEOUT_MILLIS).postProbe(question + "&begin=" + begin);
    } catch (IOException e) {
      return interruption(String.valueOf(e.getMessage()));
    }
  }

  private static JsonNode interruption(String error) {
    return JsonNodeFactory.instance.objectNode().put("error", error).put("interrupted", true);
  }

  static boolean interrupted(JsonNode said) {
    return said.path("interrupted").asBoolean();
  }

  /**
   * Ends the command where the node said no.
   *
   * @throws OperatorException then
   */
  static void refuse(JsonNode said) throws OperatorException {
    String error = said.path("error").asText("");
    if (!error.isEmpty()) {
      throw new OperatorException(error, "see ./lockstep switch probe --help");
    }
  }
}
