package io.lockstep.bench.placer;

import io.lockstep.bench.drawing.Chart;
import io.lockstep.bench.result.ResultOptions;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.placer.profile.BuiltInProfiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code bench placer}: how much traffic the placer gets into hardware, and whether it is exact.
 */
@Command(
    name = "placer",
    description =
        "Places random and generated rule sets, beside simpler policies and the optimum, and looks"
            + " at packets behind every flow-mod; then the same kinds through three nodes.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class PlacerCommand implements Callable<Integer> {
  @Option(
      names = "--rules",
      split = ",",
      paramLabel = "N",
      defaultValue = "18,1000",
      description = "Rules in a set (${DEFAULT-VALUE}); the optimum is known for up to 18.")
  private List<Integer> rules;

  @Option(
      names = "--shares",
      split = ",",
      paramLabel = "SHARE",
      defaultValue = "0.1,0.25,0.5",
      description = "Entries of the hardware layer for each rule (${DEFAULT-VALUE}).")
  private List<Double> shares;

  @Option(
      names = "--profiles",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "2920,5130-mac-ip,ovs-small",
      description = "Built-in profiles whose TCAM gets that room (${DEFAULT-VALUE}).")
  private List<String> profiles;

  @Option(
      names = "--families",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "ACL,FIREWALL,IP_CHAIN,RANDOM,CHAINS,PREFIXES,RANGES,MASKS",
      description = "Kinds of rule sets (${DEFAULT-VALUE}).")
  private List<RuleFamily> families;

  @Option(
      names = "--sets",
      paramLabel = "N",
      defaultValue = "200",
      description = "Sets of up to 18 rules for each point; of larger ones there is 1 set.")
  private int sets;

  @Option(
      names = "--changes",
      paramLabel = "N",
      defaultValue = "100",
      description = "Changes after the filling, for the placer's own policy (${DEFAULT-VALUE}).")
  private int changes;

  @Option(
      names = "--packets",
      paramLabel = "N",
      defaultValue = "400000",
      description = "Packets looked at for each point with the placer's own policy.")
  private long packets;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "Points that are worked on at a time; times are true with 1 (${DEFAULT-VALUE}).")
  private int threads;

  @Mixin private ProductOptions product = new ProductOptions();

  @Spec private CommandSpec spec;

  @Mixin private ResultOptions options;

  @Override
  public Integer call() throws BenchException, InterruptedException {
    for (String profile : profiles) {
      if (!BuiltInProfiles.names().contains(profile)) {
        throw new ParameterException(
            spec.commandLine(), "no profile '" + profile + "': " + BuiltInProfiles.names());
      }
    }
    if (threads < 1 || threads > 64 || sets < 1 || rules.stream().anyMatch(count -> count < 2)) {
      throw new ParameterException(
          spec.commandLine(), "--threads 1 to 64, --sets from 1, --rules from 2");
    }
    product.check(spec);
    List<PlacerPoint> points = study();
    List<PhasePoint> phases = new ArrayList<>();
    product.run(families, new Collected(points, phases));
    options.writeList(spec, points);
    if (!phases.isEmpty()) {
      options.writeBeside(spec, ".phases.json", PhasePoint.json(phases));
    }
    PlacerSummary summary = new PlacerSummary(points);
    draw(points, summary);
    summary.lines().forEach(spec.commandLine().getOut()::println);
    long mismatches =
        points.stream().mapToLong(PlacerPoint::mismatches).sum()
            + phases.stream().mapToLong(PhasePoint::mismatches).sum();
    if (mismatches > 0) {
      throw new BenchException(mismatches + " packets were not treated as the table says");
    }
    List<PlacerPoint> below = summary.belowFirstCome();
    if (!below.isEmpty()) {
      throw new BenchException("less in hardware than first come has: " + below);
    }
    return 0;
  }

  /** A picture for each number of rules, and one of the path through three nodes. */
  private void draw(List<PlacerPoint> points, PlacerSummary summary) throws BenchException {
    for (int count : rules) {
      options.writeBeside(
          spec,
          "." + count + ".svg",
          new Chart(
                  "The placer alone, "
                      + count
                      + " rules: share of all traffic in hardware, 0 to 1, mean over the profiles",
                  "entries in hardware, % of rules",
                  "the optimum",
                  options.origin(spec))
              .svg(summary.figure(count)));
    }
    if (points.stream().anyMatch(point -> point.path().equals(PlacerPoint.PRODUCT))) {
      options.writeBeside(spec, ".product.svg", ProductPicture.svg(points, options.origin(spec)));
    }
  }

  /** Keeps the results of the product's path, and prints each. */
  private final class Collected implements ProductStudy.Results {
    private final List<PlacerPoint> points;
    private final List<PhasePoint> phases;

    Collected(List<PlacerPoint> points, List<PhasePoint> phases) {
      this.points = points;
      this.phases = phases;
    }

    @Override
    public void point(PlacerPoint point) {
      note(text(point));
      points.add(point);
    }

    @Override
    public void phase(PhasePoint phase) {
      note(phase.text());
      phases.add(phase);
    }

    @Override
    public void note(String text) {
      spec.commandLine().getOut().println(text);
    }
  }

  /** All points, in the order of the options, whatever the number of threads. */
  private List<PlacerPoint> study() throws BenchException {
    PlacerStudy.Effort effort = new PlacerStudy.Effort(sets, changes, packets);
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    try {
      List<Future<List<PlacerPoint>>> all = new ArrayList<>();
      for (PlacerStudy study : studies()) {
        all.add(workers.submit(() -> study.points(effort)));
      }
      List<PlacerPoint> points = new ArrayList<>();
      for (Future<List<PlacerPoint>> one : all) {
        for (PlacerPoint point : one.get()) {
          spec.commandLine().getOut().println(text(point));
          points.add(point);
        }
      }
      return points;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("interrupted", e);
    } catch (ExecutionException e) {
      throw new BenchException("a study failed: " + e.getCause(), e);
    } finally {
      workers.shutdownNow();
    }
  }

  private List<PlacerStudy> studies() {
    List<PlacerStudy> studies = new ArrayList<>();
    for (RuleFamily family : families) {
      for (String profile : profiles) {
        for (int count : rules) {
          for (double share : shares) {
            for (boolean zipf : new boolean[] {true, false}) {
              studies.add(new PlacerStudy(family, profile, count, share, zipf));
            }
          }
        }
      }
    }
    return studies;
  }

  private static String text(PlacerPoint point) {
    String optimum =
        point.shareOfOptimum() == null
            ? ""
            : String.format(
                Locale.ROOT,
                ", %.3f of the optimum, at least %.3f",
                point.shareOfOptimum(),
                point.minShareOfOptimum());
    return String.format(
        Locale.ROOT,
        "%s, %s %s %d rules, %.0f %%, %s, %s: %.3f of the traffic in hardware%s; %d flow-mods, %d"
            + " packets, %d mismatches, %.1f ms",
        point.path(),
        point.ruleSet(),
        point.profile(),
        point.rules(),
        100 * point.capacityShare(),
        point.traffic(),
        point.policy(),
        point.hardwareTrafficShare(),
        optimum,
        point.flowMods(),
        point.packetsChecked(),
        point.mismatches(),
        point.millis());
  }
}
