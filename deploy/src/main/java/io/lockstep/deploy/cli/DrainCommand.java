package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.Refusals;
import io.lockstep.deploy.cli.request.RemoteResources;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep drain}: takes a node out of service. */
@Command(
    name = "drain",
    description =
        "Gives all domains of a node to others without losing a packet, and waits until it is done.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A drained node masters nothing while another node takes part, also after a",
      "restart, until 'undrain'. It may be stopped then.",
      "Exit codes: 0 it masters nothing, 1 refused, failed or not done in time,",
      "2 wrong usage.",
      ResourceCommand.ASKED
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class DrainCommand implements Callable<Integer> {
  /** How long the store's leader may take to leave, once all else is done. */
  private static final long LEADER_MILLIS = 3_000;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "NODE", description = "The id of a node.")
  private String node;

  @Option(
      names = "--force",
      description =
          "Also where its stop would take the quorum along, or leave switches without a master.")
  private boolean isForced;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long to wait until it masters nothing (default 60).")
  private int waitSeconds = 60;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();

  static String path(CommandSpec spec, String node) {
    return "nodes/" + Refusals.segment(spec, node) + "/drain";
  }

  @Override
  public Integer call() throws OperatorException {
    String path = path(spec, node);
    RemoteResources cluster = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
    JsonAnswer said = cluster.add(path, Map.of("force", isForced));
    boolean isDrained = said.status() < 300 || said.status() == 412;
    if (!isDrained) {
      return Refusals.report(spec, said);
    }
    List<String> left = new ArrayList<>();
    boolean isEmpty =
        Polling.until(
            waitSeconds * 1_000L,
            () -> {
              left.clear();
              left.addAll(left(cluster.read(path).body().path("state")));
              return left.isEmpty();
            });
    if (!isEmpty) {
      throw new OperatorException(
          node + " is drained, but still masters " + String.join(", ", left),
          "see CONNECTED TO in ./lockstep status: other nodes must reach these switches");
    }
    boolean isFollower =
        Polling.until(
            LEADER_MILLIS,
            () -> !cluster.read(path).body().path("state").path("leadsStore").asBoolean());
    spec.commandLine()
        .getOut()
        .println(
            node
                + " is drained: it masters nothing"
                + (isFollower ? "" : ". It leads the store until it is stopped"));
    spec.commandLine().getOut().flush();
    return ExitCode.DONE;
  }

  private static List<String> left(JsonNode state) {
    List<String> left = new ArrayList<>();
    state.path("domains").forEach(domain -> left.add("domain " + domain.asText()));
    state.path("switches").forEach(dpid -> left.add("switch " + dpid.asText()));
    return left;
  }

  /** {@code lockstep undrain}: takes a node into service again. */
  @Command(
      name = "undrain",
      description =
          "Lets a drained node master domains again: it gets back what prefers it, as after a start.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "Exit codes: 0 done, 1 it is not drained, or failed, 2 wrong usage, 5 others",
        "drain nodes, too.",
        ResourceCommand.ASKED
      })
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class Undrain implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NODE", description = "The id of a node.")
    private String node;

    @Mixin private EndpointsMixin nodes = new EndpointsMixin();

    @Override
    public Integer call() throws OperatorException {
      String path = path(spec, node);
      RemoteResources cluster = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
      JsonAnswer now = cluster.read(path);
      if (now.status() == Refusals.MISSING) {
        throw new OperatorException(node + " is not drained", "see READY in ./lockstep status");
      }
      JsonAnswer said =
          now.status() == 200 ? cluster.remove(path, now.body().path("version").asLong()) : now;
      if (said.status() >= 300) {
        return Refusals.report(spec, said);
      }
      spec.commandLine().getOut().println(node + " is not drained any more");
      spec.commandLine().getOut().flush();
      return ExitCode.DONE;
    }
  }
}
