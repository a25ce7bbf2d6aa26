package io.lockstep.deploy.cli.request;

import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.config.SettingsReader;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which nodes a command asks over their admin HTTP. */
public final class EndpointsMixin {
  private static final List<String> USUAL =
      List.of("127.0.0.1:8181", "127.0.0.1:8182", "127.0.0.1:8183");

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
      names = "--timeout",
      paramLabel = "MILLIS",
      defaultValue = "3000",
      description = "How long to wait for each node (default 3000).")
  private int timeoutMillis = 3000;

  /** Whether nobody said whom to ask. */
  public boolean usual() {
    return endpoints.isEmpty() && config == null;
  }

  public int timeoutMillis() {
    return timeoutMillis;
  }

  /**
   * The addresses.
   *
   * @throws OperatorException where the configuration file is broken
   */
  public List<String> asked(CommandSpec spec) throws OperatorException {
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

  /** A question to one node; each switch is known to its master only. */
  public interface Question<T> {
    Map<String, T> of(AdminClient node) throws IOException;
  }

  /**
   * Asks all nodes and puts what they know together.
   *
   * @throws OperatorException where none answers
   */
  public <T> Map<String, T> gather(CommandSpec spec, Question<T> question)
      throws OperatorException {
    List<String> asked = asked(spec);
    Map<String, T> all = new TreeMap<>();
    int silent = 0;
    for (String endpoint : asked) {
      try {
        all.putAll(question.of(new AdminClient(endpoint, timeoutMillis)));
      } catch (IOException e) {
        silent++;
        if (!usual()) {
          spec.commandLine().getErr().println("lockstep: " + e.getMessage());
        }
      }
    }
    if (silent == asked.size()) {
      throw new OperatorException(
          "no node answers at " + String.join(", ", asked),
          "start one with ./lockstep node, or name its admin address with -e");
    }
    return all;
  }
}
