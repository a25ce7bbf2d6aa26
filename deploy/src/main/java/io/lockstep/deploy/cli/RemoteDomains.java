package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.cli.request.RemoteResources;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminAddress;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The domains of a cluster, through the first node that can answer. Used by one thread. */
final class RemoteDomains {
  /** A change waits for a node that is silent until its lease has run out. */
  private static final long PATIENCE_SECONDS = 90;

  /** What a node needs to answer a change beyond what a question may take. */
  private static final int CHANGE_MILLIS = 70_000;

  private static final long POLL_MILLIS = 100;

  private final List<AdminAddress> endpoints;
  private final int timeoutMillis;

  RemoteDomains(List<AdminAddress> endpoints, int timeoutMillis) {
    this.endpoints = List.copyOf(endpoints);
    this.timeoutMillis = timeoutMillis;
  }

  /** What the first node that knows the domains shows, and where it is. */
  private record Shown(AdminAddress endpoint, JsonNode body) {}

  private Shown find() throws OperatorException {
    List<String> silent = new ArrayList<>();
    for (AdminAddress endpoint : endpoints) {
      try {
        JsonAnswer answer = new AdminClient(endpoint, timeoutMillis).domains();
        if (answer.status() == 200) {
          return new Shown(endpoint, answer.body());
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

  JsonNode show() throws OperatorException {
    return find().body();
  }

  /**
   * Asks one node for a change, once: whether a change was carried out whose answer is lost is for
   * the operator to see.
   *
   * @param decidedOn a version; empty for the newest that this node knows
   */
  JsonAnswer change(String query, OptionalLong decidedOn, byte[] file) throws OperatorException {
    Shown shown = find();
    try {
      return new AdminClient(shown.endpoint(), CHANGE_MILLIS)
          .changeDomains(query, decidedOn.orElseGet(() -> newest(shown.body())), file);
    } catch (IOException e) {
      throw new OperatorException(
          "whether it was changed is not known: " + e.getMessage(), "see ./lockstep domain show");
    }
  }

  /**
   * Waits until a version, or a later one, is in force.
   *
   * @return the version in force
   * @throws OperatorException where that takes too long; names the nodes that it waits for
   */
  long awaitInForce(long version) throws OperatorException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      JsonNode shown = show();
      if (shown.path("version").asLong() >= version) {
        return shown.path("version").asLong();
      }
      if (System.nanoTime() - until > 0) {
        String waits = waits(shown);
        throw new OperatorException(
            "version " + version + " is accepted, but " + (waits.isEmpty() ? "not seen" : waits),
            "see the logs of these nodes; domain set with the old file takes the change back");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
    }
  }

  /** The version that the node has as its ETag. */
  private static long newest(JsonNode shown) {
    long next = shown.path("next").asLong();
    return next == 0 ? shown.path("version").asLong() : next;
  }

  /** What the newest version waits for; empty where it is in force. */
  static String waits(JsonNode shown) {
    if (shown.path("next").asLong() == 0) {
      return "";
    }
    List<String> nodes = new ArrayList<>();
    shown.path("waitsFor").forEach(node -> nodes.add(node.asText()));
    return "version "
        + shown.path("next").asLong()
        + " is not in force yet: it waits for "
        + (nodes.isEmpty() ? "the store" : String.join(", ", nodes));
  }
}
