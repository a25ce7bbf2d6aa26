package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.cli.request.Refusals;
import io.lockstep.deploy.cli.request.RemoteResources;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import io.lockstep.deploy.status.ResourcesText;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep masters}: who masters which domain, and a move of one. */
@Command(
    name = "masters",
    description = "Shows the masters of the domains, or moves a domain to another node.",
    mixinStandardHelpOptions = true,
    subcommands = MastersCommand.MoveDomain.class,
    footer = {
      "",
      "NODE is the master, or the node to which the domain moves. STAYS: it was moved",
      "there, and the preferred masters do not get it back before 'rebalance', or",
      "before the node ends.",
      ResourceCommand.ASKED
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class MastersCommand implements Callable<Integer> {
  static final String PATH = "masters";

  /** How long a hand-over may take, with what it waits for. */
  private static final long PATIENCE_MILLIS = 30_000;

  @Spec private CommandSpec spec;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  @Override
  public Integer call() throws OperatorException, IOException {
    RemoteResources node = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
    JsonAnswer all = node.read(PATH);
    if (all.status() != 200) {
      return Refusals.report(spec, all);
    }
    output.print(spec, all.body(), ResourcesText.items(all.body().path("items")));
    return ExitCode.DONE;
  }

  /** {@code lockstep masters move}. */
  @Command(
      name = "move",
      description =
          "Moves a domain to a node without losing a packet, and waits until it is there.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "The node keeps the domain until 'rebalance', until it ends, or until it is drained.",
        ResourceCommand.EXIT_CODES,
        ResourceCommand.ASKED
      })
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class MoveDomain implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DOMAIN", description = "The name of a domain.")
    private String domain;

    @Parameters(index = "1", paramLabel = "NODE", description = "The id of its next master.")
    private String node;

    @Option(
        names = "--version",
        paramLabel = "N",
        description = "The version of the master that this was decided on.")
    private @Nullable Long version;

    @Mixin private EndpointsMixin nodes = new EndpointsMixin();

    @Override
    public Integer call() throws OperatorException {
      RemoteResources cluster = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
      JsonAnswer now = cluster.read(PATH + "/" + Refusals.segment(spec, domain));
      if (now.status() == Refusals.MISSING) {
        throw new OperatorException(
            "there is no domain '" + domain + "'", "see ./lockstep masters");
      }
      if (now.status() != 200) {
        return Refusals.report(spec, now);
      }
      long decidedOn = version == null ? now.body().path("version").asLong() : version;
      JsonAnswer said = cluster.set(PATH + "/" + domain, decidedOn, wish(node, true));
      if (said.status() >= 300) {
        return Refusals.report(spec, said);
      }
      awaitMaster(cluster, domain, node);
      spec.commandLine().getOut().println(node + " masters domain " + domain);
      spec.commandLine().getOut().flush();
      return ExitCode.DONE;
    }
  }

  /** The fields of a move. */
  static Map<String, Object> wish(String node, boolean stays) {
    return Map.of("node", node, "stays", stays);
  }

  /** The present master of a domain; a dash where it has none. */
  static String master(JsonNode item) {
    return item.path("state").path("master").asText("-");
  }

  /**
   * Waits until a node masters a domain.
   *
   * @throws OperatorException where that takes too long
   */
  static void awaitMaster(RemoteResources cluster, String domain, String node)
      throws OperatorException {
    boolean is =
        Polling.until(
            PATIENCE_MILLIS, () -> master(cluster.read(PATH + "/" + domain).body()).equals(node));
    if (!is) {
      throw new OperatorException(
          "domain " + domain + " is not at " + node + " after " + PATIENCE_MILLIS / 1000 + " s",
          "see ./lockstep masters and ./lockstep status");
    }
  }
}
