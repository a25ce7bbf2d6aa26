package io.lockstep.deploy.cli.flow;

import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.cli.request.Refusals;
import io.lockstep.deploy.cli.request.RemoteResources;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep flows remove}. */
@Command(
    name = "remove",
    description = "Removes a static flow from its switch.",
    mixinStandardHelpOptions = true,
    footer = {"", FlowHelp.ASKED})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class FlowRemoveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "ID", description = "As it was added.")
  private String id;

  @Option(
      names = "--version",
      paramLabel = "N",
      description = "Only if it has this version; without it the newest is removed.")
  private @Nullable Long version;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  @Override
  public Integer call() throws OperatorException, IOException {
    String path = "flows/" + Refusals.segment(spec, id);
    RemoteResources cluster = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
    Long decidedOn = version;
    if (decidedOn == null) {
      JsonAnswer now = cluster.read(path);
      if (now.status() != 200) {
        return Refusals.report(spec, now);
      }
      decidedOn = now.body().path("version").asLong();
    }
    JsonAnswer said = cluster.remove(path, decidedOn);
    if (said.status() >= 300) {
      return Refusals.report(spec, said);
    }
    output.print(spec, said.body(), List.of(id + " is removed"));
    return ExitCode.DONE;
  }
}
