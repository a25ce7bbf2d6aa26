package io.lockstep.bench.peers;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** Medians of the rounds, and how far single rounds lie apart. */
record Medians(List<ComparePoint> points) {
  Medians {
    points = List.copyOf(points);
  }

  /** What is compared with each other. */
  record Subject(String workload, String variant, boolean durable) {
    /** As the beginning of a line. */
    String label() {
      return String.format(
          Locale.ROOT, "%-9s %-10s %-5s", durable ? "durable" : "in-memory", workload, variant);
    }
  }

  /** Whose figure. */
  record Side(String store, Subject subject) {}

  /**
   * One figure over another.
   *
   * @param median of all rounds of the one over the median of all rounds of the other
   * @param lowest of the ratios within one round
   * @param highest of the ratios within one round
   * @param rounds that both were measured in
   */
  record Ratio(double median, double lowest, double highest, int rounds) {}

  /** All there are, those in memory first. */
  List<Subject> subjects() {
    return points.stream()
        .map(point -> new Subject(point.workload(), point.variant(), point.durable()))
        .distinct()
        .sorted(
            Comparator.comparing(Subject::durable)
                .thenComparing(Subject::workload)
                .thenComparing(Subject::variant))
        .toList();
  }

  /** The median of a figure; empty where there is no such point. */
  OptionalDouble of(
      String store, Subject subject, int flows, ToDoubleFunction<ComparePoint> figure) {
    double[] figures =
        byRound(new Side(store, subject), flows, figure).values().stream()
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    int half = figures.length / 2;
    if (figures.length == 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        figures.length % 2 == 1 ? figures[half] : (figures[half - 1] + figures[half]) / 2);
  }

  /** A ratio; empty where one of the two was not measured. */
  Optional<Ratio> ratio(Side over, Side under, int flows, ToDoubleFunction<ComparePoint> figure) {
    OptionalDouble one = of(over.store(), over.subject(), flows, figure);
    OptionalDouble other = of(under.store(), under.subject(), flows, figure);
    if (one.isEmpty() || other.isEmpty()) {
      return Optional.empty();
    }
    double median = one.getAsDouble() / other.getAsDouble();
    Map<Integer, Double> below = byRound(under, flows, figure);
    double[] ratios =
        byRound(over, flows, figure).entrySet().stream()
            .flatMapToDouble(
                round -> {
                  Double divisor = below.get(round.getKey());
                  return divisor == null
                      ? DoubleStream.empty()
                      : DoubleStream.of(round.getValue() / divisor);
                })
            .sorted()
            .toArray();
    return Optional.of(
        ratios.length == 0
            ? new Ratio(median, median, median, 0)
            : new Ratio(median, ratios[0], ratios[ratios.length - 1], ratios.length));
  }

  private Map<Integer, Double> byRound(
      Side side, int flows, ToDoubleFunction<ComparePoint> figure) {
    Map<Integer, Double> byRound = new TreeMap<>();
    for (ComparePoint point : points) {
      Subject subject = new Subject(point.workload(), point.variant(), point.durable());
      if (point.store().equals(side.store())
          && point.flows() == flows
          && subject.equals(side.subject())) {
        byRound.put(point.round(), figure.applyAsDouble(point));
      }
    }
    return byRound;
  }
}
