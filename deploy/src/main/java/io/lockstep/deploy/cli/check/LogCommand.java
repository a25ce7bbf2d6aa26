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
import io.lockstep.deploy.status.AdminAddress;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import io.lockstep.deploy.status.Listing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep log}. */
@Command(
    name = "log",
    description = "Looks at the logs of nodes while they run.",
    mixinStandardHelpOptions = true,
    subcommands = LogCommand.Levels.class)
@SuppressWarnings("NullAway.Init") // picocli sets the field
public final class LogCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  /** {@code lockstep log level}. */
  @Command(
      name = "level",
      description = "Shows or sets the levels of loggers.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "  log level                            the loggers that have a level of their own",
        "  log level io.lockstep.core           the level of one",
        "  log level io.lockstep.core debug     off, error, warn, info, debug, trace; inherit: as",
        "                                       the logger above it",
        "",
        "Asks every node of -e, --config or the usual addresses that answers: each has levels of its",
        "own. They last until the node ends.",
        "Exit codes: 0 done, 1 no node answers, 2 wrong usage, or no such logger or level."
      })
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class Levels implements Callable<Integer> {
    private static final Listing LISTING =
        Listing.of("lockstep.log-levels/1", "No levels.")
            .column("ADMIN", "admin")
            .column("LOGGER", "logger")
            .column("LEVEL", "level");

    @Spec private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "LOGGER", description = "Its name.")
    private @Nullable String logger;

    @Parameters(index = "1", arity = "0..1", paramLabel = "LEVEL", description = "Its new level.")
    private @Nullable String level;

    @Mixin private EndpointsMixin nodes = new EndpointsMixin();
    @Mixin private OutputMixin output = new OutputMixin();

    @Override
    public Integer call() throws OperatorException, IOException {
      if (logger != null && !logger.matches("[A-Za-z0-9_.$-]{1,200}")) {
        throw new ParameterException(spec.commandLine(), "'" + logger + "' is no logger");
      }
      String below =
          "log-levels"
              + (logger == null ? "" : "/" + logger)
              + (level == null
                  ? ""
                  : "?level=" + FirstNode.encoded(level.toLowerCase(Locale.ROOT)));
      ArrayNode rows = JsonNodeFactory.instance.arrayNode();
      List<String> silent = new ArrayList<>();
      for (AdminAddress endpoint : nodes.asked(spec)) {
        try {
          JsonAnswer answer =
              new AdminClient(endpoint, nodes.timeoutMillis())
                  .request(level == null ? "GET" : "PUT", below, Map.of(), null);
          if (answer.status() != 200) {
            Refusals.report(spec, answer);
            return ExitCode.USAGE;
          }
          add(rows, endpoint.text(), answer.body());
        } catch (IOException e) {
          silent.add(String.valueOf(e.getMessage()));
        }
      }
      if (rows.isEmpty()) {
        throw new OperatorException(
            "no node answers: " + String.join("; ", silent),
            "start one with ./lockstep node, or name its admin address with -e");
      }
      output.print(spec, LISTING, rows);
      return ExitCode.DONE;
    }

    private static void add(ArrayNode rows, String endpoint, JsonNode body) {
      if (!body.has("items")) {
        ObjectNode row = rows.addObject().put("admin", endpoint);
        body.properties().forEach(one -> row.set(one.getKey(), one.getValue()));
        return;
      }
      body.path("items").forEach(one -> add(rows, endpoint, one));
    }
  }
}
