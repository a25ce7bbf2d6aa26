package io.lockstep.deploy.cli.flow;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.FirstNode;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.cli.request.Refusals;
import io.lockstep.deploy.cli.request.RemoteResources;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import io.lockstep.deploy.status.Listing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep path}. */
@Command(
    name = "path",
    description = "Finds ways through the network, and installs paths of flows.",
    mixinStandardHelpOptions = true,
    subcommands = {
      PathCommand.Find.class,
      PathCommand.Install.class,
      PathCommand.Listed.class,
      PathCommand.Remove.class
    })
@SuppressWarnings("NullAway.Init") // picocli sets the field
public final class PathCommand implements Runnable {
  private static final String ENDS =
      "SRC, DST: a MAC or IP address of a host, a switch, or SWITCH/PORT.";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  private static JsonNode find(FirstNode node, String from, String to, int limit)
      throws OperatorException {
    return node.list(
        "routes?from="
            + FirstNode.encoded(from)
            + "&to="
            + FirstNode.encoded(to)
            + "&limit="
            + limit);
  }

  /** {@code lockstep path find}. */
  @Command(
      name = "find",
      description = "Finds the shortest ways between two places.",
      mixinStandardHelpOptions = true,
      footer = {"", ENDS, FlowHelp.ASKED})
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class Find implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SRC", description = "Where it begins.")
    private String from;

    @Parameters(index = "1", paramLabel = "DST", description = "Where it ends.")
    private String to;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "1",
        description = "So many ways at most, 1 to 16 (default 1).")
    private int limit = 1;

    @Mixin private EndpointsMixin nodes = new EndpointsMixin();
    @Mixin private OutputMixin output = new OutputMixin();

    @Override
    public Integer call() throws OperatorException, IOException {
      JsonNode found = find(FirstNode.of(spec, nodes), from, to, limit);
      Listing listing =
          Listing.of("lockstep.routes/1", "There is no way from " + from + " to " + to + ".")
              .column("LINKS", "links")
              .column("HOPS", "hops");
      output.print(spec, listing, found.path("items"));
      return found.path("items").isEmpty() ? ExitCode.FAILED : ExitCode.DONE;
    }
  }

  /** {@code lockstep path install}. */
  @Command(
      name = "install",
      description = "Installs a path for a flow along the shortest way, and waits until it serves.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "  path install web 10.0.0.1 10.0.0.7",
        "  path install web 1f/1 2f/3 --match eth_type=0x800,ipv4_dst=10.0.0.7",
        "",
        ENDS,
        "Without --match: what the host SRC sends to the host DST. The way does not follow later",
        "changes of the network: 'resource path set NAME hops=...' gives it another one.",
        FlowHelp.ASKED
      })
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class Install implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "A name of your choice.")
    private String name;

    @Parameters(index = "1", paramLabel = "SRC", description = "Where it begins.")
    private String from;

    @Parameters(index = "2", paramLabel = "DST", description = "Where it ends.")
    private String to;

    @Option(
        names = "--match",
        split = ",",
        paramLabel = "FIELD=VALUE",
        description = "The packets of the flow, with OpenFlow's names.")
    private List<String> match = new ArrayList<>();

    @Option(
        names = "--priority",
        paramLabel = "N",
        defaultValue = "2000",
        description = "Of all its rules, 0 to 65534 (default 2000).")
    private int priority = 2_000;

    @Mixin private EndpointsMixin nodes = new EndpointsMixin();
    @Mixin private OutputMixin output = new OutputMixin();

    @Override
    public Integer call() throws OperatorException, IOException {
      String below = "paths/" + Refusals.segment(spec, name);
      JsonNode found = find(FirstNode.of(spec, nodes), from, to, 1);
      JsonNode route = found.path("items").path(0);
      if (route.isMissingNode()) {
        throw new OperatorException(
            "there is no way from " + from + " to " + to, "see ./lockstep links");
      }
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("hops", route.path("hops"));
      fields.put("match", match(found));
      fields.put("priority", priority);
      RemoteResources cluster = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
      JsonAnswer said = cluster.add(below, fields);
      if (said.status() >= 300) {
        int exitCode = Refusals.report(spec, said);
        return exitCode == ExitCode.OUTDATED ? ExitCode.FAILED : exitCode;
      }
      output.print(
          spec, said.body(), List.of(name + " is installed: " + Listing.cell(route.path("hops"))));
      return ExitCode.DONE;
    }

    private List<String> match(JsonNode found) {
      String source = found.path("from").path("mac").asText();
      String target = found.path("to").path("mac").asText();
      if (!match.isEmpty()) {
        return match;
      }
      if (source.isEmpty() || target.isEmpty()) {
        throw new ParameterException(
            spec.commandLine(), "give --match, since SRC or DST is no host");
      }
      return List.of("eth_src=" + source, "eth_dst=" + target);
    }
  }

  /** {@code lockstep path list}. */
  @Command(
      name = "list",
      description = "Lists the paths that were installed.",
      mixinStandardHelpOptions = true,
      footer = {"", FlowHelp.ASKED})
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class Listed implements Callable<Integer> {
    private static final Listing LISTING =
        Listing.of("lockstep.paths/1", "No paths.")
            .column("PATH", "id")
            .column("HOPS", "hops")
            .column("MATCH", "match")
            .column("PRIORITY", "priority")
            .column("PHASE", row -> Listing.cell(row.path("state").path("phase")))
            .wide("TAG", row -> Listing.cell(row.path("state").path("tag")))
            .wide("NEXT", row -> Listing.cell(row.path("state").path("next")))
            .wide("LEFTOVERS", row -> Listing.cell(row.path("state").path("leftovers")))
            .wide("VERSION", "version");

    @Spec private CommandSpec spec;
    @Mixin private EndpointsMixin nodes = new EndpointsMixin();
    @Mixin private OutputMixin output = new OutputMixin();

    @Override
    public Integer call() throws OperatorException, IOException {
      output.print(spec, LISTING, FirstNode.of(spec, nodes).list("paths").path("items"));
      return ExitCode.DONE;
    }
  }

  /** {@code lockstep path remove}. */
  @Command(
      name = "remove",
      description = "Removes a path, first where packets enter it.",
      mixinStandardHelpOptions = true,
      footer = {"", FlowHelp.ASKED})
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class Remove implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "As it was installed.")
    private String name;

    @Mixin private EndpointsMixin nodes = new EndpointsMixin();
    @Mixin private OutputMixin output = new OutputMixin();

    @Override
    public Integer call() throws OperatorException, IOException {
      String below = "paths/" + Refusals.segment(spec, name);
      RemoteResources cluster = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
      JsonAnswer now = cluster.read(below);
      if (now.status() != 200) {
        return Refusals.report(spec, now);
      }
      JsonAnswer said = cluster.remove(below, now.body().path("version").asLong());
      if (said.status() >= 300) {
        return Refusals.report(spec, said);
      }
      output.print(spec, said.body(), List.of(name + " is removed"));
      return ExitCode.DONE;
    }
  }
}
