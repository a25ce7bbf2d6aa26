package io.lockstep.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.demo.DemoStage.StoryBroken;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The balanced service of the demo, configured and read over the admin HTTP of the nodes, as an
 * operator would. Used by one thread.
 */
final class BalancedService {
  static final String ADDRESS = "10.0.0.100";
  static final int PORT = 80;
  static final int MEMBER_PORT = 8_080;

  private static final String NAME = "web";
  private static final int ASK_MILLIS = 20_000;

  private final ClusterPlan plan;

  /** The node that is asked; another one where it does not answer. */
  private int asked;

  BalancedService(ClusterPlan plan) {
    this.plan = plan;
  }

  /** Adds the pool, its members and the virtual IP. */
  void configure(Map<String, String> addressOfMember) throws StoryBroken {
    add("pools/" + NAME, Map.of("probe", "arp", "intervalMillis", 500));
    for (Map.Entry<String, String> member : addressOfMember.entrySet()) {
      add(
          "members/" + member.getKey(),
          Map.of("pool", NAME, "address", member.getValue(), "port", MEMBER_PORT));
    }
    add("vips/" + NAME, Map.of("address", ADDRESS, "port", PORT, "pool", NAME));
  }

  private void add(String item, Map<String, Object> fields) throws StoryBroken {
    try {
      AdminClient admin = new AdminClient(plan.adminEndpoint(0), ASK_MILLIS);
      JsonAnswer answer = admin.changeResource(item, Map.entry("If-None-Match", "*"), fields);
      if (answer.status() != 201) {
        throw new StoryBroken("adding " + item + ": " + answer.body());
      }
    } catch (IOException e) {
      throw new StoryBroken("adding " + item + ": " + e.getMessage(), e);
    }
  }

  private JsonNode ask(String below) throws StoryBroken {
    StringBuilder silent = new StringBuilder();
    for (int tries = 0; tries < plan.nodes(); tries++) {
      try {
        JsonAnswer answer = new AdminClient(plan.adminEndpoint(asked), ASK_MILLIS).resource(below);
        if (answer.status() == 200) {
          return answer.body();
        }
        silent.append("; ").append(answer.body());
      } catch (IOException e) {
        silent.append("; ").append(e.getMessage());
      }
      asked = (asked + 1) % plan.nodes();
    }
    throw new StoryBroken("no node answers " + below + silent);
  }

  /** Whether a member does not answer its probes. */
  boolean isDown(String member) throws StoryBroken {
    return ask("members/" + member).path("state").path("health").asText().equals("down");
  }

  /** What all remembered connections took. */
  List<TakenOrder.Take> takes() throws StoryBroken {
    JsonNode answer = ask("applications/load-balancer/connections");
    List<String> columns = new ArrayList<>();
    answer.path("columns").forEach(column -> columns.add(column.asText()));
    List<TakenOrder.Take> takes = new ArrayList<>();
    for (JsonNode row : answer.path("rows")) {
      takes.add(
          new TakenOrder.Take(
              row.path(columns.indexOf("member")).asText(),
              row.path(columns.indexOf("epoch")).asLong(),
              row.path(columns.indexOf("place")).asLong()));
    }
    return takes;
  }
}
