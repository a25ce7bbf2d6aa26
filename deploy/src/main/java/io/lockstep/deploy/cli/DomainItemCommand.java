package io.lockstep.deploy.cli;

import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.Refusals;
import io.lockstep.deploy.cli.request.RemoteResources;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What {@code lockstep domain} does with one domain as a whole. */
final class DomainItemCommand {
  private DomainItemCommand() {}

  private static final String EXIT_CODES =
      "Exit codes: 0 in force, 1 refused, failed or not yet in force, 2 wrong usage,\n"
          + "5 the domains were changed by others meanwhile: nothing was changed.";

  /** {@code lockstep domain add}. */
  @Command(
      name = "add",
      description = "Makes a domain of switches that are in none, and waits until it is in force.",
      mixinStandardHelpOptions = true,
      footer = {"", "  domain add north 30-3f 50 --masters n2,n3", "", EXIT_CODES})
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class Add implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "The name of the domain.")
    private String name;

    @Parameters(
        index = "1..*",
        arity = "1..*",
        paramLabel = "SWITCH",
        description = "Datapath ids in hexadecimal, or ranges: 1-1f.")
    private List<String> switches;

    @Option(
        names = "--masters",
        split = ",",
        paramLabel = "NODE",
        description = "Its masters, the preferred one first; without it all nodes, spread.")
    private List<String> masters = new ArrayList<>();

    @Mixin private EndpointsMixin nodes = new EndpointsMixin();

    @Override
    public Integer call() throws OperatorException {
      RemoteResources cluster = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("switches", switches);
      fields.put("masters", masters);
      JsonAnswer said = cluster.add("domains/" + Refusals.segment(spec, name), fields);
      int exitCode = awaited(spec, nodes, said);
      // What is there already was not overtaken.
      return exitCode == ExitCode.OUTDATED ? ExitCode.FAILED : exitCode;
    }
  }

  /** {@code lockstep domain remove}. */
  @Command(
      name = "remove",
      description =
          "Removes a domain, whose switches have no master then, and waits until it is so.",
      mixinStandardHelpOptions = true,
      footer = {"", EXIT_CODES})
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class Remove implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "The name of the domain.")
    private String name;

    @Option(
        names = "--version",
        paramLabel = "N",
        description = "The version of the domains that this was decided on.")
    private @Nullable Long version;

    @Mixin private EndpointsMixin nodes = new EndpointsMixin();

    @Override
    public Integer call() throws OperatorException {
      RemoteResources cluster = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
      String path = "domains/" + Refusals.segment(spec, name);
      JsonAnswer now = cluster.read(path);
      if (now.status() != 200) {
        return Refusals.report(spec, now);
      }
      long decidedOn = version == null ? now.body().path("version").asLong() : version;
      return awaited(spec, nodes, cluster.remove(path, decidedOn));
    }
  }

  private static int awaited(CommandSpec spec, EndpointsMixin nodes, JsonAnswer said)
      throws OperatorException {
    if (said.status() >= 300) {
      return Refusals.report(spec, said);
    }
    long accepted = said.body().path("version").asLong();
    long inForce =
        new RemoteDomains(nodes.asked(spec), nodes.timeoutMillis()).awaitInForce(accepted);
    spec.commandLine().getOut().println("version " + inForce + " of the domains is in force");
    spec.commandLine().getOut().flush();
    return ExitCode.DONE;
  }
}
