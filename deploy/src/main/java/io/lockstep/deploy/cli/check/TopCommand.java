package io.lockstep.deploy.cli.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.FirstNode;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.Listing;
import io.lockstep.deploy.status.Units;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lockstep top}. */
@Command(
    name = "top",
    description = "Shows what each node does and takes, again and again on a terminal.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Rates are those of the time between a node's last two summaries, 10 s at rest; AGE is how old",
      "the last one is. STORE OPS/S: operations that the node's replica applied, of all nodes. Once,",
      "where the output is no terminal, or for programs. Ctrl-C ends it.",
      "Exit codes: 0 shown, 1 no node answers, 2 wrong usage."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class TopCommand implements Callable<Integer> {
  private static final String CLEAR = "\u001b[H\u001b[J";

  private static final Listing LISTING =
      Listing.of("lockstep.top/1", "No nodes.")
          .column("NODE", "id")
          .column("STATE", row -> row.path("alive").asBoolean() ? "alive" : "absent")
          .column("PACKET-INS/S", row -> rate(row, "packetIns"))
          .column("DECISIONS/S", row -> rate(row, "decisions"))
          .column("DROPS/S", row -> rate(row, "drops"))
          .column("STORE OPS/S", row -> rate(row, "storeOperations"))
          .column("CPU", row -> Units.percent(machine(row, "cpuPercent")))
          .column("HEAP", row -> Units.bytes(machine(row, "heapUsedBytes")))
          .column("OF", row -> Units.bytes(machine(row, "heapMostBytes")))
          .column("AGE", row -> Units.seconds(row.path("ageMillis").asLong(-1)))
          .wide("DOMAINS", row -> Listing.cell(row.path("self").path("domains")))
          .wide("SWITCHES", row -> Listing.cell(row.path("self").path("switches")))
          .wide("DISK FREE", row -> Units.bytes(machine(row, "diskFreeBytes")));

  @Spec private CommandSpec spec;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "How often, 1 to 3600 (default 2).")
  private int everySeconds = 2;

  @Option(names = "--once", description = "Once, also on a terminal.")
  private boolean isOnce;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  private static String rate(JsonNode row, String name) {
    return row.path("alive").asBoolean()
        ? Listing.cell(row.path("self").path("perSecond").path(name))
        : "-";
  }

  private static long machine(JsonNode row, String key) {
    return row.path("self").path("machine").path(key).asLong(-1);
  }

  @Override
  public Integer call() throws OperatorException, IOException {
    if (everySeconds < 1 || everySeconds > 3_600) {
      throw new ParameterException(spec.commandLine(), "--every: give 1 to 3600 seconds");
    }
    FirstNode node = FirstNode.of(spec, nodes);
    boolean repeats = !isOnce && !output.isForPrograms() && Boolean.getBoolean("lockstep.terminal");
    PrintWriter out = spec.commandLine().getOut();
    do {
      JsonNode rows = node.list("nodes");
      if (repeats) {
        out.print(CLEAR);
      }
      output.print(spec, LISTING, rows);
    } while (repeats && pause());
    return ExitCode.DONE;
  }

  private boolean pause() {
    try {
      Thread.sleep(everySeconds * 1_000L);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
