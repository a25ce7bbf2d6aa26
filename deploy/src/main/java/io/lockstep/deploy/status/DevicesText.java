package io.lockstep.deploy.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** What {@code lockstep devices} prints, from the bodies of the admin HTTP. Pure. */
public final class DevicesText {
  private DevicesText() {}

  /** Devices, one a line; times in UTC. */
  public static List<String> lines(JsonNode devices) {
    TextTable table =
        new TextTable("DEVICE", "VLAN", "SWITCH", "PORT", "SINCE", "LAST SEEN", "IP ADDRESSES");
    for (JsonNode one : devices) {
      List<String> ips = new ArrayList<>();
      one.path("ips").forEach(ip -> ips.add(ip.asText()));
      table.row(
          one.path("mac").asText(),
          one.path("vlan").asInt() < 0 ? "-" : one.path("vlan").asText(),
          one.path("atSwitch").asText(),
          one.path("atPort").asText(),
          time(one.path("sinceMillis").asLong()),
          time(one.path("lastSeenMillis").asLong()),
          ips.isEmpty() ? "-" : String.join(" ", ips));
    }
    return table.lines();
  }

  /** Devices with all that is known of them. */
  public static List<String> details(JsonNode devices) {
    List<String> lines = new ArrayList<>(lines(devices));
    for (JsonNode one : devices) {
      lines.add("");
      lines.add(
          one.path("id").asText()
              + ": first seen "
              + time(one.path("firstSeenMillis").asLong())
              + (one.path("former").isEmpty() ? "" : ", was at"));
      for (JsonNode place : one.path("former")) {
        lines.add(
            "  "
                + place.path("atSwitch").asText()
                + "/"
                + place.path("atPort").asText()
                + " from "
                + time(place.path("sinceMillis").asLong())
                + " until "
                + time(place.path("untilMillis").asLong()));
      }
    }
    return lines;
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
