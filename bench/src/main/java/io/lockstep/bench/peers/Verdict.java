package io.lockstep.bench.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * The table of ratios and what is expected of them: at 64 flows at least 3 times SOFA-JRaft and 6
 * times Atomix on the procedures (micro), twice SOFA-JRaft on the unoptimised variants (init); one
 * flow at a time within 1.2 times the best peer's latency. Each figure is the median of the rounds.
 */
final class Verdict {
  private static final List<String> PEERS = List.of("jraft", "atomix", "etcd");
  private static final int MANY = 64;
  private static final double LATENCY_LIMIT = 1.2;

  private final List<ComparePoint> points;

  Verdict(List<ComparePoint> points) {
    this.points = List.copyOf(points);
  }

  /** The lines of the table; none where no point of ours has one of a peer beside it. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (boolean durable : new boolean[] {false, true}) {
      TreeSet<String> names = new TreeSet<>();
      points.stream()
          .filter(point -> point.durable() == durable)
          .forEach(point -> names.add(point.workload() + " " + point.variant()));
      for (String name : names) {
        String[] parts = name.split(" ", -1);
        many(lines, parts[0], parts[1], durable);
        one(lines, parts[0], parts[1], durable);
      }
    }
    return lines;
  }

  private void many(List<String> lines, String workload, String variant, boolean durable) {
    OptionalDouble ours =
        median("lockstep", workload, variant, durable, MANY, ComparePoint::flowsPerSecond);
    if (ours.isEmpty()) {
      return;
    }
    for (String peer : PEERS) {
      OptionalDouble theirs =
          median(peer, workload, variant, durable, MANY, ComparePoint::flowsPerSecond);
      if (theirs.isPresent()) {
        double ratio = ours.getAsDouble() / theirs.getAsDouble();
        double expected = expected(peer, variant);
        lines.add(
            String.format(
                Locale.ROOT,
                "%-9s %-10s %-5s 64 flows: %9.0f/s, %-6s %9.0f/s, ratio %6.2f%s",
                durable ? "durable" : "in-memory",
                workload,
                variant,
                ours.getAsDouble(),
                peer,
                theirs.getAsDouble(),
                ratio,
                expected == 0 ? "" : against(ratio >= expected, "at least", expected)));
      }
    }
  }

  private void one(List<String> lines, String workload, String variant, boolean durable) {
    OptionalDouble ours =
        median("lockstep", workload, variant, durable, 1, ComparePoint::p50Millis);
    double best = Double.MAX_VALUE;
    String bestPeer = "";
    for (String peer : PEERS) {
      OptionalDouble theirs = median(peer, workload, variant, durable, 1, ComparePoint::p50Millis);
      if (theirs.isPresent() && theirs.getAsDouble() < best) {
        best = theirs.getAsDouble();
        bestPeer = peer;
      }
    }
    if (ours.isPresent() && !bestPeer.isEmpty()) {
      double ratio = ours.getAsDouble() / best;
      lines.add(
          String.format(
              Locale.ROOT,
              "%-9s %-10s %-5s  1 flow:   %7.3f ms p50, %-6s %7.3f ms, ratio %6.2f%s",
              durable ? "durable" : "in-memory",
              workload,
              variant,
              ours.getAsDouble(),
              bestPeer,
              best,
              ratio,
              against(ratio <= LATENCY_LIMIT, "at most", LATENCY_LIMIT)));
    }
  }

  private static double expected(String peer, String variant) {
    return switch (peer + " " + variant) {
      case "jraft micro" -> 3;
      case "atomix micro" -> 6;
      case "jraft init" -> 2;
      default -> 0;
    };
  }

  private static String against(boolean met, String how, double expected) {
    return String.format(
        Locale.ROOT, " (expected %s %.1f: %s)", how, expected, met ? "met" : "NOT MET");
  }

  private OptionalDouble median(
      String store,
      String workload,
      String variant,
      boolean durable,
      int flows,
      ToDoubleFunction<ComparePoint> figure) {
    double[] figures =
        points.stream()
            .filter(point -> point.store().equals(store) && point.durable() == durable)
            .filter(point -> point.workload().equals(workload) && point.variant().equals(variant))
            .filter(point -> point.flows() == flows)
            .mapToDouble(figure)
            .sorted()
            .toArray();
    int half = figures.length / 2;
    if (figures.length == 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        figures.length % 2 == 1 ? figures[half] : (figures[half - 1] + figures[half]) / 2);
  }
}
