package io.lockstep.deploy.cli.list;

import io.lockstep.deploy.admin.ApplicationDoor;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.FirstNode;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.cli.request.Refusals;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep apps activate}. */
@Command(
    name = "activate",
    description = "Has an application decide on packets again, on all nodes.",
    mixinStandardHelpOptions = true,
    footer = {"", ListHelp.ASKED})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
class ActivateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "NAME", description = "As 'apps' lists it.")
  private String name;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  String state() {
    return ApplicationDoor.ACTIVE;
  }

  @Override
  public Integer call() throws OperatorException, IOException {
    String below = "applications/" + Refusals.segment(spec, name) + "?state=" + state();
    JsonAnswer said = FirstNode.of(spec, nodes).send("PUT", below, Map.of(), null);
    if (said.status() != 200) {
      return Refusals.report(spec, said);
    }
    output.print(spec, said.body(), List.of(name + " is " + said.body().path("state").asText()));
    return ExitCode.DONE;
  }

  /** {@code lockstep apps deactivate}. */
  @Command(
      name = "deactivate",
      description = {
        "Shows an application no packets and no events any more, on all nodes. Entries that it",
        "installed stay until their time is up."
      },
      mixinStandardHelpOptions = true,
      footer = {"", ListHelp.ASKED})
  static final class Deactivate extends ActivateCommand {
    @Override
    String state() {
      return ApplicationDoor.INACTIVE;
    }
  }
}
