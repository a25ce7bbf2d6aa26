package io.lockstep.bench.evaluation;

import io.lockstep.bench.replay.ReplayMode;
import io.lockstep.bench.replay.ReplayPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line of one of the paper's figures, or a row of its table II.
 *
 * @param figure as the paper calls it
 * @param bestOrWorst of table II, else null
 * @param paper what the text and table II of the paper print for it, section VII
 */
record PaperCurve(
    String figure, String workload, String variant, @Nullable String bestOrWorst, Printed paper) {

  /** All of them, in the paper's order. */
  static final List<PaperCurve> ALL = all();

  /**
   * What the paper prints of a curve: its highest throughput and the latency there, of which 90 %
   * of the measurements are below.
   *
   * @param flowsPerSecond null where it prints none
   * @param p90Millis null where it prints none
   */
  record Printed(@Nullable Double flowsPerSecond, @Nullable Double p90Millis) {
    static final Printed NOTHING = new Printed(null, null);

    private static Printed flows(double flowsPerSecond) {
      return new Printed(flowsPerSecond, null);
    }
  }

  private static List<PaperCurve> all() {
    List<PaperCurve> all = new ArrayList<>();
    Map<String, Printed> learningSwitch =
        Map.of("init", new Printed(12_000.0, 6.0), "micro", new Printed(22_000.0, 4.0));
    add(all, "Fig. 7", "ls-ucast", List.of("init", "micro"), learningSwitch);
    // Of lb-arp the paper says only that the best form has up to 60 % more throughput.
    add(all, "Fig. 8a", "lb-arp", List.of("init", "cref", "vers", "cols"), Map.of());
    List<String> variants = List.of("init", "cref", "vers", "cols", "micro");
    add(
        all,
        "Fig. 8b",
        "lb-vip",
        variants,
        Map.of(
            "init", Printed.flows(5_400),
            "cols", Printed.flows(6_500),
            "micro", Printed.flows(10_800)));
    add(
        all,
        "Fig. 9a",
        "dm-known",
        variants,
        Map.of("init", Printed.flows(5_000), "micro", new Printed(12_000.0, 4.0)));
    add(
        all,
        "Fig. 9b",
        "dm-unknown",
        variants,
        Map.of("init", Printed.flows(3_000), "micro", new Printed(12_000.0, 4.0)));
    // The paper's best case of the learning switch has no latency and an infinite throughput.
    addCache(all, "ls-ucast", Printed.NOTHING, new Printed(21_500.0, 4.7));
    addCache(all, "lb-vip", new Printed(21_400.0, 4.8), new Printed(11_400.0, 3.4));
    addCache(all, "dm-known", new Printed(21_400.0, 3.6), new Printed(11_100.0, 3.5));
    return List.copyOf(all);
  }

  private static void add(
      List<PaperCurve> all,
      String figure,
      String workload,
      List<String> variants,
      Map<String, Printed> paper) {
    for (String variant : variants) {
      all.add(
          new PaperCurve(
              figure, workload, variant, null, paper.getOrDefault(variant, Printed.NOTHING)));
    }
  }

  private static void addCache(List<PaperCurve> all, String workload, Printed best, Printed worst) {
    all.add(new PaperCurve("Table II", workload, "cache", ReplayPoint.BEST, best));
    all.add(new PaperCurve("Table II", workload, "cache", ReplayPoint.WORST, worst));
  }

  /** A point of it. */
  ReplayPoint point(ReplayMode mode, boolean durable, int flows) {
    return new ReplayPoint(workload, variant, bestOrWorst, mode, durable, flows);
  }

  /** Whether no message goes to the store: the learning switch's best case. */
  boolean asksNothing() {
    return ReplayPoint.BEST.equals(bestOrWorst) && workload.equals("ls-ucast");
  }
}
