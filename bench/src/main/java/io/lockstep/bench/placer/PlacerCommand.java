package io.lockstep.bench.placer;

import io.lockstep.bench.BenchException;
import io.lockstep.bench.ResultOptions;
import io.lockstep.core.placer.Wanted;
import io.lockstep.core.placer.choice.Policy;
import io.lockstep.core.placer.profile.BuiltInProfiles;
import io.lockstep.core.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
            + " at packets behind every flow-mod.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class PlacerCommand implements Callable<Integer> {
  @Option(
      names = "--rules",
      split = ",",
      paramLabel = "N",
      defaultValue = "20,1000",
      description = "Rules in a set (${DEFAULT-VALUE}); the optimum is known for up to 20.")
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
      defaultValue = "ovs-small",
      description = "Built-in profiles whose TCAM gets that room (${DEFAULT-VALUE}).")
  private List<String> profiles;

  @Option(
      names = "--sets",
      paramLabel = "N",
      defaultValue = "20",
      description = "Sets of up to 20 rules for each point; of larger ones there is 1 set.")
  private int sets;

  @Option(
      names = "--changes",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Changes after the filling, for the placer's own policy (${DEFAULT-VALUE}).")
  private int changes;

  @Option(
      names = "--packets",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Packets looked at for each set with the placer's own policy.")
  private long packets;

  @Spec private CommandSpec spec;

  @Mixin private ResultOptions options;

  @Override
  public Integer call() throws BenchException {
    for (String profile : profiles) {
      if (!BuiltInProfiles.names().contains(profile)) {
        throw new ParameterException(
            spec.commandLine(), "no profile '" + profile + "': " + BuiltInProfiles.names());
      }
    }
    List<PlacerPoint> points = new ArrayList<>();
    long mismatches = 0;
    for (RuleFamily family : RuleFamily.values()) {
      for (String profile : profiles) {
        for (int count : rules) {
          for (double share : shares) {
            for (boolean zipf : new boolean[] {true, false}) {
              for (PlacerPoint point : points(family, profile, count, share, zipf)) {
                spec.commandLine().getOut().println(text(point));
                points.add(point);
                mismatches += point.mismatches();
              }
            }
          }
        }
      }
    }
    options.writeList(spec, points);
    if (mismatches > 0) {
      throw new BenchException(mismatches + " packets were not treated as the table says");
    }
    return 0;
  }

  private List<PlacerPoint> points(
      RuleFamily family, String profile, int count, double share, boolean zipf) {
    boolean few = count <= 20;
    double[] best = new double[few ? sets : 1];
    List<PlacerPoint> points = new ArrayList<>();
    for (Policy policy :
        List.of(
            Policy.OPTIMUM,
            Policy.PLACER,
            Policy.COVER_ONLY,
            Policy.CLOSURE_ONLY,
            Policy.FIRST_COME)) {
      if (few || policy != Policy.OPTIMUM) {
        points.add(point(family, profile, count, share, zipf, policy, best));
      }
    }
    return points;
  }

  private PlacerPoint point(
      RuleFamily family,
      String name,
      int count,
      double share,
      boolean zipf,
      Policy policy,
      double[] best) {
    boolean known = count <= 20;
    boolean own = policy == Policy.PLACER;
    double hardware = 0;
    double ofOptimum = 0;
    long flowMods = 0;
    long checked = 0;
    long mismatches = 0;
    double millis = 0;
    for (int set = 0; set < best.length; set++) {
      Random random = new Random(31L * set + count);
      List<Wanted> wanted = RuleFamily.weighted(family.rules(count, random), zipf, random);
      SwitchProfile profile = PlacerRun.scaled(name, count, share);
      PlacerRun run =
          new PlacerRun(profile, policy, wanted, set)
              .run(own ? changes : 0, own ? packets : Math.min(packets, 10_000));
      if (policy == Policy.OPTIMUM) {
        best[set] = run.hardwareTrafficShare();
      }
      hardware += run.hardwareTrafficShare() / best.length;
      ofOptimum += (best[set] == 0 ? 1 : run.hardwareTrafficShare() / best[set]) / best.length;
      flowMods += run.flowMods();
      checked += run.packets();
      mismatches += run.mismatches();
      millis += run.millis() / best.length;
    }
    return new PlacerPoint(
        label(family),
        name,
        count,
        share,
        zipf ? "zipf" : "uniform",
        label(policy),
        hardware,
        optimum(known, ofOptimum),
        flowMods,
        checked,
        mismatches,
        millis);
  }

  private static @Nullable Double optimum(boolean known, double share) {
    return known ? share : null;
  }

  /** In camel case, as keys of results are. */
  private static String label(Enum<?> value) {
    StringBuilder text = new StringBuilder();
    for (String word : value.name().toLowerCase(Locale.ROOT).split("_", -1)) {
      text.append(
          text.isEmpty()
              ? word
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return text.toString();
  }

  private static String text(PlacerPoint point) {
    String optimum =
        point.shareOfOptimum() == null
            ? ""
            : String.format(Locale.ROOT, ", %.3f of the optimum", point.shareOfOptimum());
    return String.format(
        Locale.ROOT,
        "%s %s %d rules, %.0f %%, %s, %s: %.3f of the traffic in hardware%s; %d flow-mods, %d"
            + " packets, %d mismatches, %.1f ms",
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
