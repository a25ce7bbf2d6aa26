package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.Refusals;
import io.lockstep.deploy.cli.request.RemoteResources;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lockstep rebalance}: brings all domains back to their preferred masters. */
@Command(
    name = "rebalance",
    description =
        "Gives each domain to the first of its preferred masters that takes part and is not drained.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "One domain after the other, each without losing a packet. Ends what 'masters",
      "move' wanted.",
      "Exit codes: 0 each domain is where it belongs, 1 failed, 2 wrong usage.",
      ResourceCommand.ASKED
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class RebalanceCommand implements Callable<Integer> {
  /** How often a domain is decided anew, since it changed hands meanwhile. */
  private static final int MAX_ATTEMPTS = 10;

  private static final int OUTDATED = 412;

  /** The node is drained, does not take part, or does not reach the switches. */
  private static final int CONFLICT = 409;

  @Spec private CommandSpec spec;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();

  @Override
  public Integer call() throws OperatorException {
    RemoteResources cluster = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
    JsonAnswer all = cluster.read(MastersCommand.PATH);
    if (all.status() != 200) {
      return Refusals.report(spec, all);
    }
    PrintWriter out = spec.commandLine().getOut();
    int exitCode = ExitCode.DONE;
    for (JsonNode item : all.body().path("items")) {
      String domain = item.path("id").asText();
      String before = MastersCommand.master(item);
      String after = rebalance(cluster, domain);
      if (after.isEmpty()) {
        exitCode = ExitCode.FAILED;
      } else {
        String was = after.equals(before) ? "" : " (was " + before + ")";
        out.println("domain " + domain + ": " + after + was);
        out.flush();
      }
    }
    return exitCode;
  }

  /** Gives the master; empty where it failed, and says so. */
  private String rebalance(RemoteResources cluster, String domain) throws OperatorException {
    String path = MastersCommand.PATH + "/" + domain;
    JsonAnswer refusal = cluster.read(path);
    JsonAnswer now = refusal;
    for (int attempt = 0; attempt < MAX_ATTEMPTS && now.status() == 200; attempt++) {
      Given given = give(cluster, path, now);
      refusal = given.said();
      if (refusal.status() < 300) {
        MastersCommand.awaitMaster(cluster, domain, given.node());
        return given.node();
      }
      now = refusal.status() == OUTDATED ? cluster.read(path) : refusal;
    }
    Refusals.report(spec, refusal);
    return "";
  }

  /** To whom a domain was given, and what the node said. */
  private record Given(String node, JsonAnswer said) {}

  /** Gives a domain to the first of its preferred masters that the node takes. */
  private static Given give(RemoteResources cluster, String path, JsonAnswer now)
      throws OperatorException {
    JsonNode item = now.body();
    String master = MastersCommand.master(item);
    long version = item.path("version").asLong();
    boolean rests =
        !item.path("stays").asBoolean() && item.path("node").asText(master).equals(master);
    List<String> choices = new ArrayList<>();
    item.path("state").path("preferred").forEach(node -> choices.add(node.asText()));
    if (!choices.contains(master)) {
      choices.add(master);
    }
    JsonAnswer said = now;
    for (String node : choices) {
      if (node.equals(master) && rests) {
        return new Given(master, now);
      }
      said = cluster.set(path, version, MastersCommand.wish(node, false));
      if (said.status() != CONFLICT) {
        return new Given(node, said);
      }
    }
    return new Given(master, said);
  }
}
