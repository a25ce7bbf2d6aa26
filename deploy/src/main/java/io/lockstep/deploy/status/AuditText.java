package io.lockstep.deploy.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** What {@code lockstep audit} prints, from the bodies of the admin HTTP. Pure. */
public final class AuditText {
  private AuditText() {}

  /** Changes, one a line; times in UTC. */
  public static List<String> lines(JsonNode entries) {
    TextTable table = new TextTable("TIME", "USER", "NODE", "CHANGE", "ANSWER", "FROM", "TO");
    for (JsonNode one : entries) {
      table.row(
          Instant.ofEpochMilli(one.path("timeMillis").asLong())
              .truncatedTo(ChronoUnit.SECONDS)
              .toString(),
          one.path("user").asText(),
          one.path("node").asText(),
          one.path("method").asText() + " " + one.path("path").asText(),
          one.path("status").asInt() == 504 ? "unknown" : one.path("status").asText(),
          orDash(one.path("oldVersion").asText()),
          orDash(one.path("newVersion").asText()));
    }
    return table.lines();
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
