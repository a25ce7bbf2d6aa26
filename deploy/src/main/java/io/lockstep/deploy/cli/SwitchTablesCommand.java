package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.deploy.status.TablesText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep switch tables}. */
@Command(
    name = "tables",
    description =
        "Shows the profile of switches and why; of bounded tables use, room, refused rules.",
    mixinStandardHelpOptions = true,
    footer = {"", "Exit codes: 0 shown, 1 no such switch or no node answers, 2 wrong usage."})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class SwitchTablesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DPID",
      arity = "0..1",
      description = "Datapath id in hexadecimal; all switches without it.")
  private @Nullable String dpid;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table (default) or json.")
  private StatusCommand.Format format;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();

  @Override
  public Integer call() throws OperatorException, IOException {
    String only = wanted();
    Map<String, PlacementReport> tables = nodes.gather(spec, node -> node.tables());
    if (only != null) {
      tables.keySet().retainAll(java.util.Set.of(only));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (format == StatusCommand.Format.json) {
      ObjectMapper json = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
      out.println(json.writeValueAsString(tables));
    } else {
      tables.forEach((id, report) -> TablesText.tables(id, report).forEach(out::println));
    }
    out.flush();
    if (tables.isEmpty()) {
      throw new OperatorException(
          only == null
              ? "no switch is mastered by a node that was asked"
              : "switch " + only + " is mastered by no node that was asked",
          "see ./lockstep status");
    }
    return ExitCode.DONE;
  }

  private @Nullable String wanted() {
    if (dpid == null) {
      return null;
    }
    String hex = dpid.replaceFirst("^(of:|0x)", "").replace(":", "");
    if (!hex.matches("[0-9a-fA-F]{1,16}")) {
      throw new ParameterException(
          spec.commandLine(), "DPID " + dpid + ": give up to 16 hexadecimal digits");
    }
    return String.format(java.util.Locale.ROOT, "%016x", Long.parseUnsignedLong(hex, 16));
  }
}
