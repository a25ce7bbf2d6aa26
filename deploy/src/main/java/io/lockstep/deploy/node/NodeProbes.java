package io.lockstep.deploy.node;

import io.lockstep.core.probe.ProbeException;
import io.lockstep.core.probe.ProbeRoom;
import io.lockstep.deploy.admin.ProbeDoor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.onosproject.net.DeviceId;

/** The node's probes for the admin HTTP. Thread-safe. */
final class NodeProbes implements ProbeDoor {
  private static final int MAX_TABLE = 254;

  private final ProbeRoom room;

  NodeProbes(ProbeRoom room) {
    this.room = room;
  }

  /** The body of what went wrong, and whether it may go well another time. */
  record Refusal(String error, boolean interrupted) {}

  /** The body of what a probe would mean. */
  record Warnings(List<String> warnings) {}

  @Override
  public Answer state() {
    return new Answer(200, room.state());
  }

  @Override
  public Answer ask(Map<String, String> query) {
    try {
      DeviceId device = DeviceId.deviceId(query.getOrDefault("switch", ""));
      List<Integer> tables =
          Arrays.stream(query.getOrDefault("tables", "0").split(",", -1))
              .map(Integer::valueOf)
              .toList();
      if (tables.stream().anyMatch(table -> table < 0 || table > MAX_TABLE)) {
        throw new IllegalArgumentException("tables are 0 to " + MAX_TABLE);
      }
      if (!Boolean.parseBoolean(query.get("begin"))) {
        return new Answer(200, new Warnings(room.warnings(device)));
      }
      boolean despiteOthers = Boolean.parseBoolean(query.get("despiteOthers"));
      return new Answer(202, room.start(device, tables, despiteOthers));
    } catch (IllegalArgumentException e) {
      return new Answer(400, new Refusal(String.valueOf(e.getMessage()), false));
    } catch (ProbeException e) {
      return new Answer(409, new Refusal(String.valueOf(e.getMessage()), e.wasInterrupted()));
    }
  }
}
