package io.lockstep.deploy.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** What {@code lockstep record} prints of nodes, from the bodies of the admin HTTP. Pure. */
public final class RecordingText {
  private RecordingText() {}

  /** Recordings, one a line, and why those ended that nobody stopped. */
  public static List<String> lines(JsonNode recordings) {
    TextTable table =
        new TextTable("NODE", "STATE", "EVENTS", "OPERATIONS", "LOST", "BYTES", "OF MB", "FILE");
    List<String> details = new ArrayList<>();
    for (JsonNode one : recordings) {
      String node = one.path("node").asText();
      String file = one.path("file").asText();
      table.row(
          node,
          one.path("state").asText(),
          one.path("events").asLong(),
          one.path("operations").asLong(),
          one.path("lost").asLong(),
          one.path("bytes").asLong(),
          one.path("megabytes").asInt(),
          file.isEmpty() ? "-" : file);
      String detail = one.path("detail").asText();
      if (!detail.isEmpty()) {
        details.add(node + ": " + detail);
      }
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.addAll(details);
    return lines;
  }
}
