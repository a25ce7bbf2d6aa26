package io.lockstep.bench.switchmodel;

import io.lockstep.bench.drawing.Chart;
import io.lockstep.bench.drawing.FigurePoint;
import io.lockstep.bench.result.ResultOptions;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.switchmodel.Findings.Finding;
import io.lockstep.core.probe.ProbeException;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileFile;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code bench switch-model}: the emulated switches beside Figs. 2 to 8 and Table 2 of "Performance
 * Analysis of SDN Switches with Hardware and Software Flow Tables" (Rygielski et al., 2016).
 */
@Command(
    name = "switch-model",
    description =
        "Redraws the figures of the paper that measured the switches with the emulated ones, on a"
            + " virtual clock; fails where one is outside its tolerance.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class SwitchModelCommand implements Callable<Integer> {
  private static final int ENTRIES_2920 = 460;
  private static final int ENTRIES_3500YL = 1526;
  private static final int ENTRIES_2920_5_PERCENT = 23;
  private static final int ENTRIES_3500YL_5_PERCENT = 76;
  private static final double LINE = ThroughputFigures.LINE_RATE_MBIT;

  private static final Set<String> FIGURES =
      Set.of("2", "3", "4", "5", "6", "7", "8", Table2Figure.FIGURE);

  @Option(
      names = "--figures",
      split = ",",
      paramLabel = "N",
      defaultValue = "2,3,4,5,6,7,8,table2",
      description =
          "Figures of the paper (${DEFAULT-VALUE}); 6 and 7 are of one run, table2 is probed over"
              + " OpenFlow on loopback.")
  private List<String> figures;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "Of the virtual clock, for each throughput of Figs. 3 to 5 (${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--tolerance",
      paramLabel = "PERCENT",
      defaultValue = "20",
      description = "How far software's throughput may be from the paper's (${DEFAULT-VALUE}).")
  private double tolerancePercent;

  @Spec private CommandSpec spec;

  @Mixin private ResultOptions options;

  private final Findings findings = new Findings();

  @Override
  public Integer call() throws BenchException {
    checkOptions();
    try {
      for (String figure : new TreeSet<>(figures)) {
        draw(figure);
      }
    } catch (IOException e) {
      throw new BenchException("a switch could not be started: " + e.getMessage(), e);
    } catch (ProbeException e) {
      throw new BenchException("a table could not be probed: " + e.getMessage(), e);
    }
    for (Finding finding : findings.findings()) {
      spec.commandLine().getOut().println(finding);
    }
    options.writeList(spec, findings.points());
    for (String figure : new TreeSet<>(FIGURES)) {
      writePicture(figure);
    }
    long bad = findings.findings().stream().filter(finding -> !finding.good()).count();
    if (bad > 0) {
      throw new BenchException(bad + " comparisons with the paper are outside their tolerance");
    }
    return 0;
  }

  private void checkOptions() {
    for (String figure : figures) {
      if (!FIGURES.contains(figure)) {
        throw new ParameterException(
            spec.commandLine(), "no figure " + figure + ": 2 to 8, table2");
      }
    }
    if (seconds < 1 || seconds > 3600) {
      throw new ParameterException(spec.commandLine(), "--seconds: 1 to 3600, not " + seconds);
    }
  }

  private void draw(String figure) throws IOException, ProbeException {
    ThroughputFigures throughput = new ThroughputFigures(findings, seconds, tolerancePercent);
    PromotionFigures promotion = new PromotionFigures(findings, tolerancePercent);
    HardwareProfile hp2920 = ProfileFile.builtIn("2920");
    HardwareProfile hp3500 = ProfileFile.builtIn("3500yl-1.0");
    switch (figure) {
      case "2" -> {
        ShareFigure.measure(hp2920, ENTRIES_2920, findings);
        ShareFigure.measure(hp3500, ENTRIES_3500YL, findings);
        ShareFigure.hang(hp3500, findings);
      }
      case "3" -> bars(throughput, hp2920, hp3500);
      case "4" -> throughput.rates("4", hp2920, IperfRules.software(), 200, 14);
      case "5" -> throughput.rates("5", hp3500, IperfRules.software(), 1000, 64);
      case "6" -> promotion.rulesAndThroughput(hp3500, ENTRIES_3500YL_5_PERCENT);
      case "7" -> {
        if (!figures.contains("6")) {
          draw("6");
        }
      }
      case Table2Figure.FIGURE -> Table2Figure.measure(findings);
      default -> promotion.deadUntilResent(hp2920, ENTRIES_2920_5_PERCENT);
    }
  }

  private void bars(ThroughputFigures figure, HardwareProfile hp2920, HardwareProfile hp3500)
      throws IOException {
    HardwareProfile hp3500v13 = ProfileFile.builtIn("3500yl-1.3");
    figure.bar(hp2920, "hardware", IperfRules.hardware(), LINE);
    figure.bar(hp2920, "software", IperfRules.software(), 14);
    figure.bar(hp3500, "hardware", IperfRules.hardware(), LINE);
    figure.bar(hp3500, "software", IperfRules.software(), 64);
    figure.bar(hp3500v13, "hardware", IperfRules.byAddress(), LINE);
    figure.bar(hp3500v13, "software", IperfRules.inTable(1, IperfRules.software()), 64);
    for (String name : List.of("5130", "5700")) {
      HardwareProfile profile = ProfileFile.builtIn(name);
      figure.bar(profile, "MAC-IP", IperfRules.inMacTable(), LINE);
      figure.bar(profile, "EXT", IperfRules.inTable(1, IperfRules.hardware()), LINE);
    }
  }

  private static String title(String figure) {
    return switch (figure) {
      case "2" -> "hardware entries by OpenFlow's share of the policy engine";
      case "3" -> "throughput through each flow table";
      case "4" -> "throughput and load of the 2920 by its software rate";
      case "5" -> "throughput and load of the 3500yl by its software rate";
      case "6" -> "promotion of rules by the 3500yl: rules and load";
      case "7" -> "promotion of rules by the 3500yl: throughput";
      default -> "promotion of rules by the 2920: throughput";
    };
  }

  private void writePicture(String figure) throws BenchException {
    List<FigurePoint> points =
        findings.points().stream()
            .filter(point -> point.figure().equals(figure))
            .filter(point -> !point.unit().equals("s"))
            .toList();
    if (points.isEmpty()) {
      return;
    }
    if (figure.equals(Table2Figure.FIGURE)) {
      options.writeBeside(spec, ".table2.svg", Table2Figure.svg(points, options.origin(spec)));
      return;
    }
    String xLabel =
        switch (figure) {
          case "2" -> "share, %";
          case "4", "5" -> "software rate, packets/s";
          default -> "time, s";
        };
    String svg =
        new Chart(
                "Fig. " + figure + ": " + title(figure), xLabel, "the paper", options.origin(spec))
            .svg(points);
    options.writeBeside(spec, ".fig" + figure + ".svg", svg);
  }
}
