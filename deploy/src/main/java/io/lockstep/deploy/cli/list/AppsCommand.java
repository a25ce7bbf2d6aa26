package io.lockstep.deploy.cli.list;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.FirstNode;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.Listing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lockstep apps}. */
@Command(
    name = "apps",
    description = {
      "Lists the applications of a node; the lowest priority sees packets first. Activates and",
      "deactivates them, on all nodes."
    },
    mixinStandardHelpOptions = true,
    subcommands = {ActivateCommand.class, ActivateCommand.Deactivate.class},
    footer = {"", "'app NAME' shows what one can be asked.", ListHelp.ASKED})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class AppsCommand implements Callable<Integer> {
  private static final Listing LISTING =
      Listing.of("lockstep.apps/1", "No applications.")
          .column("APPLICATION", "name")
          .column("PRIORITY", "priority")
          .column("STATE", "state")
          .column("NOUNS", row -> names(row.path("nouns")))
          .wide("FROM", "from");

  @Spec private CommandSpec spec;
  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  private static String names(JsonNode nouns) {
    List<String> names = new ArrayList<>();
    nouns.forEach(noun -> names.add(noun.path("name").asText()));
    return names.isEmpty() ? "-" : String.join(" ", names);
  }

  @Override
  public Integer call() throws OperatorException, IOException {
    output.print(spec, LISTING, FirstNode.of(spec, nodes).list("applications"));
    return ExitCode.DONE;
  }
}
