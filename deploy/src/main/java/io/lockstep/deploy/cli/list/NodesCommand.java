package io.lockstep.deploy.cli.list;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.FirstNode;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.Listing;
import io.lockstep.deploy.status.Units;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lockstep nodes}. */
@Command(
    name = "nodes",
    description = "Lists the nodes of the cluster, as any one of them knows all.",
    subcommands = ReplaceCommand.class,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A node publishes what it says of itself when that changes, and every 10 s; AGE is how old it",
      "is. A node that does not take part is absent, with what it said last.",
      ListHelp.ASKED
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class NodesCommand implements Callable<Integer> {
  private static final Listing LISTING =
      Listing.of("lockstep.nodes/1", "No nodes.")
          .column("NODE", "id")
          .column("HOST", "host")
          .column("STATE", NodesCommand::state)
          .column("REPLICA", row -> self(row, "replica", "phase"))
          .column("LEADER", row -> self(row, "replica", "leader"))
          .column("REACHES", row -> self(row, "replica", "reaches"))
          .column("DOMAINS", row -> self(row, "domains"))
          .column("SWITCHES", row -> self(row, "switches"))
          .column("UP", row -> Units.uptime(row.path("self").path("uptimeMillis").asLong(-1)))
          .column("AGE", row -> Units.seconds(row.path("ageMillis").asLong(-1)))
          .wide("INCARNATION", "incarnation")
          .wide("VERSION", row -> self(row, "version"))
          .wide("INSTANCE", row -> self(row, "replica", "lastInstance"))
          .wide("HEAP", NodesCommand::heap)
          .wide("CPU", row -> Units.percent(machine(row, "cpuPercent")))
          .wide("DISK FREE", row -> Units.bytes(machine(row, "diskFreeBytes")));

  @Spec private CommandSpec spec;
  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  private static String self(JsonNode row, String... path) {
    JsonNode value = row.path("self");
    for (String key : path) {
      value = value.path(key);
    }
    return Listing.cell(value);
  }

  private static long machine(JsonNode row, String key) {
    return row.path("self").path("machine").path(key).asLong(-1);
  }

  private static String heap(JsonNode row) {
    return Units.bytes(machine(row, "heapUsedBytes"))
        + " of "
        + Units.bytes(machine(row, "heapMostBytes"));
  }

  /** In one word, or with the reason. */
  static String state(JsonNode row) {
    String drained = row.path("drained").asBoolean() ? ", drained" : "";
    JsonNode self = row.path("self");
    if (!row.path("alive").asBoolean()) {
      return "absent" + drained;
    }
    if (!self.isObject()) {
      return "alive" + drained;
    }
    return (self.path("ready").asBoolean()
            ? "ready"
            : "not ready: " + Listing.cell(self.path("notReadyBecause")))
        + drained;
  }

  @Override
  public Integer call() throws OperatorException, IOException {
    FirstNode node = FirstNode.of(spec, nodes);
    JsonNode rows = node.list("nodes");
    placeMachines(rows, node.get("replacements").body().path("items"));
    output.print(spec, LISTING, rows);
    return ExitCode.DONE;
  }

  /** A replaced machine is where the store says, and no file has to. */
  private static void placeMachines(JsonNode rows, JsonNode replaced) {
    for (JsonNode row : rows) {
      for (JsonNode machine : replaced) {
        if (row instanceof ObjectNode node && machine.path("id").equals(row.path("id"))) {
          node.set("host", machine.path("host"));
          node.set("incarnation", machine.path("state").path("incarnation"));
        }
      }
    }
  }
}
