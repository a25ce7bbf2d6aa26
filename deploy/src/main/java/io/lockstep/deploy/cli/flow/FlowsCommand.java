package io.lockstep.deploy.cli.flow;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.cli.request.DatapathIdParameter;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.FirstNode;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.Listing;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lockstep flows}. */
@Command(
    name = "flows",
    description =
        "Lists the flow rules that the cluster keeps at its switches; adds and removes some.",
    mixinStandardHelpOptions = true,
    subcommands = {FlowAddCommand.class, FlowRemoveCommand.class},
    footer = {
      "",
      "  flows                                    all rules, of all switches",
      "  flows --switch 1f --app static           the static ones of a switch",
      "  flows add web --switch 1f --match in_port=1 --action output:2",
      "  flows remove web",
      "",
      "Entries that applications make for a while, such as those of the learning switch, are not",
      "kept by the cluster: 'switch tables' counts them. STATE: added (the switch confirmed it),",
      "pending_add, pending_remove, or failed with the ERROR of the switch. A rule that the switch",
      "cannot lose stays pending_remove, with the ERROR.",
      FlowHelp.ASKED
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class FlowsCommand implements Callable<Integer> {
  private static final Listing LISTING =
      Listing.of("lockstep.flows/1", "No flow rules.")
          .column("FLOW", "id")
          .column("APP", "app")
          .column("SWITCH", "switch")
          .column("PRIORITY", "priority")
          .column("MATCH", FlowsCommand::match)
          .column("ACTIONS", row -> Listing.cell(row.path("actions")))
          .column("STATE", row -> row.path("state").asText().toLowerCase(Locale.ROOT))
          .column("ERROR", "error")
          .wide("TABLE", "table")
          .wide("IDLE s", "idleSeconds")
          .wide("HARD s", "hardSeconds")
          .wide("RULE", "rule")
          .wide("VERSION", "version");

  /** Rows of one request. */
  private static final int PAGE = 1_000;

  @Spec private CommandSpec spec;

  @Option(names = "--switch", paramLabel = "DPID", description = "Only those of a switch.")
  private @Nullable String dpid;

  @Option(names = "--app", paramLabel = "NAME", description = "Only those of an application.")
  private @Nullable String application;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  private static String match(JsonNode row) {
    return row.path("match").isEmpty() ? "all packets" : Listing.cell(row.path("match"));
  }

  @Override
  public Integer call() throws OperatorException, IOException {
    StringBuilder path = new StringBuilder("flows?limit=" + PAGE);
    if (dpid != null) {
      path.append("&switch=").append(DatapathIdParameter.parse(spec, dpid));
    }
    if (application != null) {
      path.append("&app=").append(FirstNode.encoded(application));
    }
    output.print(spec, LISTING, FirstNode.of(spec, nodes).pages(path.toString()));
    return ExitCode.DONE;
  }
}
