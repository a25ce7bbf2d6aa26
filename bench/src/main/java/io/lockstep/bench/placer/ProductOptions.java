package io.lockstep.bench.placer;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.placer.profile.BuiltInProfiles;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of the path through three nodes, and the run of it. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class ProductOptions {
  private static final int MOST_RULES = 20_000;
  private static final int MOST_PACKETS_PER_SECOND = 1_000_000;
  private static final int MOST_STEADY_MINUTES = 1440;

  @Option(
      names = "--product-rules",
      paramLabel = "N",
      defaultValue = "500",
      description =
          "Rules at each switch of the three nodes, 0 for no such points (${DEFAULT-VALUE}).")
  private int rules;

  @Option(
      names = "--product-share",
      paramLabel = "SHARE",
      defaultValue = "0.25",
      description = "Entries of the hardware layer for each of these rules (${DEFAULT-VALUE}).")
  private double share;

  @Option(
      names = "--product-profiles",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "3500yl-1.3,5130,ovs-small",
      description = "Built-in profiles with bounded tables, 16 at most (${DEFAULT-VALUE}).")
  private List<String> profiles;

  @Option(
      names = "--settle-seconds",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "Traffic at these switches before the placement is read (${DEFAULT-VALUE}).")
  private int settleSeconds;

  @Option(
      names = "--product-packets-per-second",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Of this traffic to each switch, a multiple of 10 (${DEFAULT-VALUE}).")
  private int packetsPerSecond;

  @Option(
      names = "--swap",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Then the N heaviest rules change places with the N lightest, and the placement is read"
              + " 30 s later; 0 for no such phase (${DEFAULT-VALUE}).")
  private int swap;

  @Option(
      names = "--steady-minutes",
      paramLabel = "MINUTES",
      defaultValue = "0",
      description =
          "Then traffic stays as it is, and flow-mods are counted; 0 for no such phase"
              + " (${DEFAULT-VALUE}).")
  private int steadyMinutes;

  @Option(
      names = "--ready-seconds",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description = "Within which the nodes have all rules in place (${DEFAULT-VALUE}).")
  private int readySeconds;

  void check(CommandSpec spec) {
    boolean wrong =
        rules < 0
            || rules > MOST_RULES
            || !(share > 0 && share <= 1)
            || profiles.isEmpty()
            || profiles.size() > ProductStudy.MOST_MODELS
            || settleSeconds < 0
            || settleSeconds > 3600
            || packetsPerSecond < SwitchTraffic.BURSTS_PER_SECOND
            || packetsPerSecond > MOST_PACKETS_PER_SECOND
            || packetsPerSecond % SwitchTraffic.BURSTS_PER_SECOND != 0
            || swap < 0
            || swap > rules / 2
            || steadyMinutes < 0
            || steadyMinutes > MOST_STEADY_MINUTES
            || readySeconds < 1
            || readySeconds > 3600;
    if (wrong) {
      throw new ParameterException(
          spec.commandLine(),
          "--product-rules 0 to "
              + MOST_RULES
              + ", --product-share above 0 to 1, --product-profiles 1 to 16, --settle-seconds 0 to"
              + " 3600, --product-packets-per-second 10 to "
              + MOST_PACKETS_PER_SECOND
              + " in tens, --swap 0 to half of the rules, --steady-minutes 0 to "
              + MOST_STEADY_MINUTES
              + ", --ready-seconds 1 to 3600");
    }
    for (String profile : profiles) {
      if (!BuiltInProfiles.names().contains(profile) || profile.equals("ideal")) {
        throw new ParameterException(
            spec.commandLine(),
            "--product-profiles: '" + profile + "' is no built-in profile with bounded tables");
      }
    }
  }

  /** Measures the families, and gives away each result when it is known. */
  void run(List<RuleFamily> families, ProductStudy.Results results)
      throws BenchException, InterruptedException {
    if (rules == 0) {
      return;
    }
    results.note("three nodes with " + profiles + " start");
    ProductStudy.Settings settings =
        new ProductStudy.Settings(
            profiles,
            rules,
            share,
            settleSeconds,
            packetsPerSecond,
            new TrafficPhases.Settings(swap, steadyMinutes),
            TimeUnit.SECONDS.toMillis(readySeconds));
    try {
      ProductStudy study = new ProductStudy(settings, families);
      try (study) {
        study.run(results);
      }
      study.removeLogs();
    } catch (IOException e) {
      throw new BenchException("the nodes cannot be run: " + e.getMessage(), e);
    }
  }
}
