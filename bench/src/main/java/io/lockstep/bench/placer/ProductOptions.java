package io.lockstep.bench.placer;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.placer.profile.BuiltInProfiles;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of the path through three nodes, and the run of it. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class ProductOptions {
  private static final int MOST_RULES = 20_000;
  private static final int MOST_PACKETS_PER_SECOND = 1_000_000;

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
              + " in tens, --ready-seconds 1 to 3600");
    }
    for (String profile : profiles) {
      if (!BuiltInProfiles.names().contains(profile) || profile.equals("ideal")) {
        throw new ParameterException(
            spec.commandLine(),
            "--product-profiles: '" + profile + "' is no built-in profile with bounded tables");
      }
    }
  }

  /** Measures the families, and gives away each point when it is known. */
  void run(CommandSpec spec, List<RuleFamily> families, Consumer<PlacerPoint> points)
      throws BenchException, InterruptedException {
    if (rules == 0) {
      return;
    }
    spec.commandLine().getOut().println("three nodes with " + profiles + " start");
    ProductStudy.Settings settings =
        new ProductStudy.Settings(
            profiles,
            rules,
            share,
            settleSeconds,
            packetsPerSecond,
            TimeUnit.SECONDS.toMillis(readySeconds));
    try {
      ProductStudy study = new ProductStudy(settings, families);
      try (study) {
        study.run(points, spec.commandLine().getOut()::println);
      }
      study.removeLogs();
    } catch (IOException e) {
      throw new BenchException("the nodes cannot be run: " + e.getMessage(), e);
    }
  }
}
