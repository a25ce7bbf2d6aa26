package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.config.SettingsReader;
import io.lockstep.deploy.status.ClusterStatus;
import io.lockstep.deploy.status.StatusTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lockstep status}. */
@Command(
    name = "status",
    description = "Shows nodes, replicas, masters, switches, links and hosts.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 quorum, 1 no node answers, 2 wrong usage, 4 no quorum.",
      "Without -e and --config: asks 127.0.0.1:8181, :8182 and :8183."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class StatusCommand implements Callable<Integer> {
  private static final List<String> USUAL =
      List.of("127.0.0.1:8181", "127.0.0.1:8182", "127.0.0.1:8183");

  @Spec private CommandSpec spec;

  @Option(
      names = {"-e", "--endpoints"},
      paramLabel = "HOST:PORT",
      split = ",",
      description = "Admin addresses to ask; may be repeated or separated by commas.")
  private List<String> endpoints = new ArrayList<>();

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "Ask the node of this configuration file.")
  private @Nullable Path config;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table (default) or json.")
  private Format format;

  @Option(
      names = "--timeout",
      paramLabel = "MILLIS",
      defaultValue = "3000",
      description = "How long to wait for each node (default 3000).")
  private int timeoutMillis;

  enum Format {
    table,
    json
  }

  @Override
  public Integer call() throws OperatorException, IOException {
    List<String> asked = asked();
    ClusterStatus status = ClusterStatus.ask(asked, timeoutMillis);
    if (endpoints.isEmpty() && config == null && !status.answers().isEmpty()) {
      // Nobody said that nodes run at all of the usual places.
      status = new ClusterStatus(status.quorum(), status.answers(), List.of());
    }
    PrintWriter out = spec.commandLine().getOut();
    if (format == Format.json) {
      ObjectMapper json = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
      out.println(json.writeValueAsString(status));
    } else {
      StatusTable.lines(status).forEach(out::println);
    }
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    if (status.answers().isEmpty()) {
      err.println("lockstep: no node answers at " + String.join(", ", asked));
      err.println("    remedy: start one with ./lockstep node, or name its admin address with -e");
      return ExitCode.FAILED;
    }
    if (!status.quorum()) {
      err.println("lockstep: no quorum");
      return ExitCode.NO_QUORUM;
    }
    return ExitCode.DONE;
  }

  private List<String> asked() throws OperatorException {
    if (timeoutMillis < 1 || timeoutMillis > 600_000) {
      throw new ParameterException(
          spec.commandLine(), "--timeout " + timeoutMillis + ": give 1 to 600000 milliseconds");
    }
    for (String endpoint : endpoints) {
      if (!endpoint.matches("(\\[[0-9a-fA-F:]+]|[A-Za-z0-9._-]+):[0-9]{1,5}")) {
        throw new ParameterException(
            spec.commandLine(), "-e " + endpoint + ": give HOST:PORT, for example 127.0.0.1:8181");
      }
    }
    if (!endpoints.isEmpty()) {
      return endpoints;
    }
    if (config == null) {
      return USUAL;
    }
    try {
      NodeSettings.Listener admin = SettingsReader.read(config, SettingsReader.Role.NODE).admin();
      return List.of(admin.host() + ":" + admin.port());
    } catch (ConfigException e) {
      throw new OperatorException(e.explanation());
    }
  }
}
