package io.lockstep.bench.peers;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Medians of the rounds. */
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
        points.stream()
            .filter(point -> point.store().equals(store) && point.flows() == flows)
            .filter(point -> point.durable() == subject.durable())
            .filter(point -> point.workload().equals(subject.workload()))
            .filter(point -> point.variant().equals(subject.variant()))
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
