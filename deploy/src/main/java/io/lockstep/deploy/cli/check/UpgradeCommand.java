package io.lockstep.deploy.cli.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.FirstNode;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.cli.request.Refusals;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import io.lockstep.deploy.status.Listing;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep upgrade}. */
@Command(
    name = "upgrade",
    description = "Shows and activates the version of the cluster.",
    mixinStandardHelpOptions = true,
    subcommands = {UpgradeCommand.Status.class, UpgradeCommand.Activate.class})
@SuppressWarnings("NullAway.Init") // picocli sets the field
public final class UpgradeCommand implements Runnable {
  private static final String PATH = "upgrade";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  /** The newest version that every replica knows; 0 while one is not linked. */
  static int common(JsonNode shown) {
    int least = Integer.MAX_VALUE;
    for (JsonNode replica : shown.path("replicas")) {
      least = Math.min(least, replica.path("newest").asInt());
    }
    return least == Integer.MAX_VALUE ? 0 : least;
  }

  /** What to do next, in one line. */
  static String advice(JsonNode shown) {
    int active = shown.path("active").asInt();
    int permitted = shown.path("permitted").asInt();
    int common = common(shown);
    String now = "The cluster is at version " + active;
    if (common > active && permitted >= common) {
      return now + "; version " + common + " comes into force now.";
    }
    if (permitted > active) {
      return now + "; version " + permitted + " is permitted, and waits for every node.";
    }
    if (common == 0) {
      return now + "; not every node is linked.";
    }
    boolean newer = false;
    for (JsonNode replica : shown.path("replicas")) {
      newer |= replica.path("newest").asInt() > active;
    }
    if (common > active) {
      return now + ". Every node knows version " + common + ": lockstep upgrade activate.";
    }
    return newer
        ? now + ". Upgrade the other nodes; until a version is activated, each can go back."
        : now + ", the newest that every node knows.";
  }

  /** {@code lockstep upgrade status}. */
  @Command(
      name = "status",
      description = "Lists which versions of the cluster each node's release knows.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "One node answers for all. KNOWS is the range of versions; a node that is not linked has none.",
        "Exit codes: 0 done, 1 no node answers, 2 wrong usage."
      })
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class Status implements Callable<Integer> {
    private static final Listing LISTING =
        Listing.of("lockstep.upgrade/1", "No replicas.")
            .column("NODE", "id")
            .column("RELEASE", "release")
            .column("KNOWS", Status::range)
            .column("ACTIVE", "active")
            .column("PERMITTED", row -> row.path("permitted").asInt() == 0 ? "-" : permitted(row));

    @Spec private CommandSpec spec;
    @Mixin private EndpointsMixin nodes = new EndpointsMixin();
    @Mixin private OutputMixin output = new OutputMixin();

    private static String range(JsonNode row) {
      int newest = row.path("newest").asInt();
      return newest == 0 ? "not linked" : newest == 1 ? "1" : "1-" + newest;
    }

    private static String permitted(JsonNode row) {
      return row.path("permitted").asText();
    }

    @Override
    public Integer call() throws OperatorException, IOException {
      FirstNode node = FirstNode.of(spec, nodes);
      JsonNode shown = node.list(PATH);
      JsonNode published = node.list("nodes");
      ArrayNode rows = JsonNodeFactory.instance.arrayNode();
      for (JsonNode replica : shown.path("replicas")) {
        ObjectNode row = rows.addObject();
        replica.properties().forEach(one -> row.set(one.getKey(), one.getValue()));
        row.put("release", release(published, replica.path("id").asText()));
        row.put("active", shown.path("active").asInt());
        row.put("permitted", shown.path("permitted").asInt());
      }
      output.print(spec, LISTING, rows);
      if (!output.isForPrograms()) {
        spec.commandLine().getOut().println(advice(shown));
      }
      return ExitCode.DONE;
    }

    private static String release(JsonNode published, String id) {
      for (JsonNode node : published) {
        if (node.path("id").asText().equals(id)) {
          return node.path("self").path("version").asText("-");
        }
      }
      return "-";
    }
  }

  /** {@code lockstep upgrade activate}. */
  @Command(
      name = "activate",
      description = "Brings a version of the cluster into force; there is no way back from it.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "Refused, with nothing changed, while a node is not linked or runs a release that does not",
        "know the version. If the version is not in force in time, the permission is taken back.",
        "Make a backup before: the releases before refuse the cluster's state from then on.",
        "Exit codes: 0 in force, 1 not in force, or no node answers, 2 wrong usage."
      })
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class Activate implements Callable<Integer> {
    private static final long PATIENCE_SECONDS = 30;
    private static final long POLL_MILLIS = 100;

    @Spec private CommandSpec spec;

    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "VERSION",
        description = "The version; by default the newest that every node knows.")
    private @Nullable Integer version;

    @Mixin private EndpointsMixin nodes = new EndpointsMixin();

    @Override
    public Integer call() throws OperatorException {
      if (version != null && version < 1) {
        throw new ParameterException(spec.commandLine(), version + " is no version");
      }
      FirstNode node = FirstNode.of(spec, nodes);
      JsonNode before = node.list(PATH);
      int active = before.path("active").asInt();
      int wanted = version == null ? Math.max(active, common(before)) : version;
      if (wanted <= active) {
        spec.commandLine().getOut().println(advice(before));
        return ExitCode.DONE;
      }
      JsonAnswer answer = node.send("PUT", PATH + "?version=" + wanted, Map.of(), null);
      if (answer.status() >= 300) {
        return Refusals.report(spec, answer);
      }
      if (inForce(node, wanted)) {
        spec.commandLine().getOut().println("The cluster is at version " + wanted + ".");
        return ExitCode.DONE;
      }
      JsonAnswer undone = node.send("DELETE", PATH, Map.of(), null);
      if (inForce(node, wanted, 0)) {
        spec.commandLine().getOut().println("The cluster is at version " + wanted + ".");
        return ExitCode.DONE;
      }
      throw new OperatorException(
          "version "
              + wanted
              + " is not in force after "
              + PATIENCE_SECONDS
              + " s, and the permission "
              + (undone.status() < 300 ? "was taken back" : "could not be taken back"),
          "./lockstep upgrade status shows which node is not linked; then try again");
    }

    private static boolean inForce(FirstNode node, int wanted) throws OperatorException {
      return inForce(node, wanted, PATIENCE_SECONDS);
    }

    private static boolean inForce(FirstNode node, int wanted, long seconds)
        throws OperatorException {
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      while (node.list(PATH).path("active").asInt() < wanted) {
        if (System.nanoTime() - until >= 0) {
          return false;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
      }
      return true;
    }
  }
}
