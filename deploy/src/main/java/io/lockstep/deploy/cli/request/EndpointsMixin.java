package io.lockstep.deploy.cli.request;

import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.config.SettingsReader;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminAddress;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.AdminCredentials;
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

  private static final String AT = "LOCKSTEP_AT";
  private static final String KEYS = "LOCKSTEP_KEYS";
  private static final String TOKEN = "LOCKSTEP_TOKEN";
  private static final String PRINTABLE = "[!-~]{1,512}";

  @Option(
      names = {"-e", "--endpoints", "--at"},
      paramLabel = "HOST:PORT",
      split = ",",
      description = {
        "Admin addresses to ask; may be repeated or separated by commas. From another machine:",
        "https://HOST:PORT or https://NODE@HOST:PORT, with --keys. Or in LOCKSTEP_AT."
      })
  private List<String> endpoints = new ArrayList<>();

  @Option(
      names = "--keys",
      paramLabel = "DIR",
      description = {
        "Keys of a person, for https: a directory that pki issue made, or one with authority.crt",
        "alone and a token in LOCKSTEP_TOKEN. Or in LOCKSTEP_KEYS."
      })
  private @Nullable Path keys;

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
    return endpoints.isEmpty() && config == null && set(AT) == null;
  }

  public int timeoutMillis() {
    return timeoutMillis;
  }

  private static @Nullable String set(String variable) {
    String value = System.getenv(variable);
    return value == null || value.isBlank() ? null : value.strip();
  }

  /**
   * The addresses.
   *
   * @throws OperatorException where the configuration file or the keys are broken
   */
  public List<AdminAddress> asked(CommandSpec spec) throws OperatorException {
    if (timeoutMillis < 1 || timeoutMillis > 600_000) {
      throw new ParameterException(
          spec.commandLine(), "--timeout " + timeoutMillis + ": give 1 to 600000 milliseconds");
    }
    String token = set(TOKEN);
    if (token != null && !token.matches(PRINTABLE)) {
      throw new OperatorException(
          TOKEN + " is no token", "set it to what ./lockstep user add printed");
    }
    List<String> texts = texts();
    boolean secured = texts.stream().anyMatch(text -> text.startsWith("https://"));
    AdminCredentials credentials =
        new AdminCredentials(secured ? CallerDirectory.read(directory()) : null, token);
    List<AdminAddress> asked = new ArrayList<>();
    for (String text : texts) {
      AdminAddress address =
          AdminAddress.of(text, credentials)
              .orElseThrow(
                  () ->
                      new ParameterException(
                          spec.commandLine(),
                          "-e "
                              + text
                              + ": give HOST:PORT, for example 127.0.0.1:8181, or"
                              + " https://HOST:PORT"));
      if (token != null && address.isReadableOnTheWay() && !address.isPlainOnPurpose()) {
        throw new OperatorException(
            "everyone on the way to " + text + " could read the token in " + TOKEN,
            "write https://" + text + ", or http://" + text + " if that does not matter");
      }
      asked.add(address);
    }
    return asked;
  }

  private @Nullable Path directory() {
    String variable = set(KEYS);
    return keys != null || variable == null ? keys : Path.of(variable);
  }

  private List<String> texts() throws OperatorException {
    if (!endpoints.isEmpty()) {
      return endpoints;
    }
    if (config == null) {
      String at = set(AT);
      return at == null ? USUAL : List.of(at.split("[,\\s]+"));
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
    List<AdminAddress> asked = asked(spec);
    Map<String, T> all = new TreeMap<>();
    int silent = 0;
    for (AdminAddress endpoint : asked) {
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
          "no node answers at " + AdminAddress.texts(asked),
          "start one with ./lockstep node, or name its admin address with -e");
    }
    return all;
  }
}
