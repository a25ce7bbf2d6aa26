package io.lockstep.deploy.cli.list;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.FirstNode;
import io.lockstep.deploy.cli.request.Refusals;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep nodes replace}: puts another machine behind an id while the cluster works. */
@Command(
    name = "replace",
    description = "Replaces the machine of a node, which is lost for good, by another one.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The machine before is refused for ever once this is done, whatever its disk says.",
      "All other nodes must run until the new one takes part. One machine at a time.",
      "Says what it would do and ends, unless --yes is given.",
      "Exit codes: 0 done, 1 refused, failed or no node answers, 2 wrong usage,",
      "5 others replace machines, too.",
      ListHelp.ASKED
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class ReplaceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "NODE", description = "The id of the node.")
  private String node;

  @Option(
      names = "--host",
      required = true,
      paramLabel = "HOST",
      description = "Where the new machine listens: an address or a name.")
  private String host;

  @Option(
      names = "--store-port",
      paramLabel = "PORT",
      description = "Its storePort; without it that of the machine before.")
  private @Nullable Integer storePort;

  @Option(names = "--yes", description = "Do it.")
  private boolean yes;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();

  @Override
  public Integer call() throws OperatorException {
    String path = "replacements/" + Refusals.segment(spec, node);
    FirstNode cluster = FirstNode.of(spec, nodes);
    JsonAnswer now = cluster.get(path);
    if (now.status() != 200 && now.status() != Refusals.MISSING) {
      return Refusals.report(spec, now);
    }
    if (!yes) {
      throw new OperatorException(
          "nothing was done: the machine of "
              + node
              + before(now)
              + " would be replaced by "
              + host
              + " and never be let in again",
          "give --yes to go on");
    }
    Map<String, Object> fields = new HashMap<>();
    fields.put("host", host);
    if (storePort != null) {
      fields.put("storePort", storePort);
    }
    JsonAnswer said = cluster.send("PUT", path, condition(now), fields);
    if (said.status() >= 300) {
      return Refusals.report(spec, said);
    }
    tell(cluster.list(path));
    return ExitCode.DONE;
  }

  private static String before(JsonAnswer now) {
    return now.status() == 200
        ? " (" + now.body().path("host").asText() + ", itself a replacement)"
        : "";
  }

  private static Map<String, String> condition(JsonAnswer now) {
    return now.status() == 200
        ? Map.of("If-Match", "\"" + now.body().path("version").asLong() + "\"")
        : Map.of("If-None-Match", "*");
  }

  private void tell(JsonNode item) {
    PrintWriter out = spec.commandLine().getOut();
    long incarnation = item.path("state").path("incarnation").asLong();
    out.println(node + " is replaced by " + host + ", incarnation " + incarnation + ". Now:");
    out.println(
        "  1. pki revoke the certificate of the lost machine, then pki renew it for the new");
    out.println("     one. Copy the list of revoked certificates to all nodes.");
    out.println("  2. Copy a configuration file of the cluster to the new machine. Write into it:");
    out.println("       node: " + node);
    out.println(
        "       members: - {id: "
            + node
            + ", host: "
            + host
            + ", incarnation: "
            + incarnation
            + ", ...}");
    out.println("  3. Start it there with an empty directory, and wait for 'ready' in nodes.");
    out.println("  4. Write the same member into the files of the others when you next edit them.");
    out.flush();
  }
}
