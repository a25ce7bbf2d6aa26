package io.lockstep.openflow.channel.ovs;

import java.util.ArrayList;
import java.util.List;

/**
 * What {@code ovs-vsctl} is asked for so that a bridge has these controllers, in one transaction:
 * in two it would begin to connect in band, which is its default.
 */
final class ControllerSettings {
  private ControllerSettings() {}

  static String[] of(String bridge, String... controllers) {
    List<String> command = new ArrayList<>(List.of("del-controller", bridge));
    List<String> ids = new ArrayList<>();
    for (String target : controllers) {
      String id = "@c" + ids.size();
      ids.add(id);
      command.addAll(
          List.of(
              "--",
              "--id=" + id,
              "create",
              "controller",
              "target=\"" + target + "\"",
              "max_backoff=1000",
              "connection_mode=out-of-band"));
    }
    if (!ids.isEmpty()) {
      command.addAll(
          List.of("--", "set", "bridge", bridge, "controller=[" + String.join(",", ids) + "]"));
    }
    return command.toArray(new String[0]);
  }
}
