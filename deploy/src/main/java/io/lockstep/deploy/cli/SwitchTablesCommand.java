package io.lockstep.deploy.cli;

import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.deploy.cli.request.DatapathIdParameter;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.TablesText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
      names = "--all",
      description =
          "Show all refused rules, rules in software and entries of applications that the switch"
              + " lacks, as far as the nodes list them (100 of each), not 20 of each.")
  private boolean all;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  @Override
  public Integer call() throws OperatorException, IOException {
    String only = dpid == null ? null : DatapathIdParameter.parse(spec, dpid);
    Map<String, PlacementReport> tables = nodes.gather(spec, node -> node.tables());
    if (only != null) {
      tables.keySet().retainAll(Set.of(only));
    }
    int most = all ? Integer.MAX_VALUE : TablesText.USUAL;
    List<String> lines = new ArrayList<>();
    tables.forEach((id, report) -> lines.addAll(TablesText.tables(id, report, most)));
    output.print(spec, tables, lines);
    if (tables.isEmpty()) {
      throw new OperatorException(
          only == null
              ? "no switch is mastered by a node that was asked"
              : "switch " + only + " is mastered by no node that was asked",
          "see ./lockstep status");
    }
    return ExitCode.DONE;
  }
}
