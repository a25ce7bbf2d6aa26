package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminAddress;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import io.lockstep.deploy.status.RecordingText;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lockstep record}: traces of what nodes ask the store. */
@Command(
    name = "record",
    description = "Records what nodes ask the store for each event, and shows what was recorded.",
    mixinStandardHelpOptions = true,
    subcommands = {
      RecordCommand.RecordStart.class,
      RecordCommand.RecordStop.class,
      RecordCommand.RecordStatus.class,
      RecordShowCommand.class
    })
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class RecordCommand implements Runnable {
  private static final String ASKED =
      "Asks every node that is named; without -e and --config those at 127.0.0.1:8181, :8182 and"
          + " :8183.";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  /**
   * Asks each node, and prints what they say.
   *
   * @return failed where one refused or a named one did not answer
   */
  private static int askAll(
      CommandSpec spec, EndpointsMixin nodes, OutputMixin output, String method, String query)
      throws OperatorException, IOException {
    ArrayNode shown = JsonNodeFactory.instance.arrayNode();
    List<String> silent = new ArrayList<>();
    int code = ExitCode.DONE;
    for (AdminAddress endpoint : nodes.asked(spec)) {
      try {
        JsonAnswer answer =
            new AdminClient(endpoint, nodes.timeoutMillis()).recording(method, query);
        if (answer.status() < 300) {
          shown.add(answer.body());
        } else {
          code = refused(spec, endpoint.text(), answer);
        }
      } catch (IOException e) {
        silent.add(String.valueOf(e.getMessage()));
      }
    }
    if (shown.isEmpty() && code == ExitCode.DONE) {
      throw new OperatorException(
          "no node answers: " + String.join("; ", silent),
          "start one with ./lockstep node, or name its admin address with -e");
    }
    if (!silent.isEmpty() && !nodes.usual()) {
      code = ExitCode.FAILED;
      silent.forEach(one -> spec.commandLine().getErr().println("lockstep: " + one));
    }
    if (!shown.isEmpty()) {
      output.print(spec, shown, RecordingText.lines(shown));
    }
    return code;
  }

  private static int refused(CommandSpec spec, String endpoint, JsonAnswer answer) {
    JsonNode body = answer.body();
    spec.commandLine()
        .getErr()
        .println(
            "lockstep: "
                + endpoint
                + ": "
                + body.path("error").asText("HTTP status " + answer.status())
                + "\n    remedy: "
                + body.path("remedy").asText("see the log of the node"));
    return answer.status() == 400 ? ExitCode.USAGE : ExitCode.FAILED;
  }

  /** {@code lockstep record start}. */
  @Command(
      name = "start",
      description = "Begins a recording at each node, in a new file of the node's data directory.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        ASKED,
        "It ends by itself when the file is full or the disk has less than 256 MB free.",
        "Exit codes: 0 all record, 1 a node refuses or none answers, 2 wrong usage."
      })
  static final class RecordStart implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
        names = "--file",
        paramLabel = "NAME",
        description = "The file's name, without a path (default: node and time).")
    private @Nullable String file;

    @Option(
        names = "--megabytes",
        paramLabel = "N",
        description = "The most that the file may take, 1 to 4096 (default 64).")
    private @Nullable String megabytes;

    @Mixin private EndpointsMixin nodes = new EndpointsMixin();
    @Mixin private OutputMixin output = new OutputMixin();

    @Override
    public Integer call() throws OperatorException, IOException {
      List<String> query = new ArrayList<>();
      if (file != null) {
        query.add("file=" + URLEncoder.encode(file, StandardCharsets.UTF_8));
      }
      if (megabytes != null) {
        query.add("megabytes=" + URLEncoder.encode(megabytes, StandardCharsets.UTF_8));
      }
      return askAll(
          spec, nodes, output, "PUT", query.isEmpty() ? "" : "?" + String.join("&", query));
    }
  }

  /** {@code lockstep record stop}. */
  @Command(
      name = "stop",
      description = "Ends the recording at each node.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        ASKED,
        "Exit codes: 0 done, 1 a node records nothing or none answers, 2 wrong usage."
      })
  static final class RecordStop implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private EndpointsMixin nodes = new EndpointsMixin();
    @Mixin private OutputMixin output = new OutputMixin();

    @Override
    public Integer call() throws OperatorException, IOException {
      return askAll(spec, nodes, output, "DELETE", "");
    }
  }

  /** {@code lockstep record status}. */
  @Command(
      name = "status",
      description = "Shows the recording of each node, or its last one since it started.",
      mixinStandardHelpOptions = true,
      footer = {"", ASKED, "Exit codes: 0 shown, 1 no node answers, 2 wrong usage."})
  static final class RecordStatus implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private EndpointsMixin nodes = new EndpointsMixin();
    @Mixin private OutputMixin output = new OutputMixin();

    @Override
    public Integer call() throws OperatorException, IOException {
      return askAll(spec, nodes, output, "GET", "");
    }
  }
}
