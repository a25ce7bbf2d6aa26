package io.lockstep.deploy.metrics;

import io.lockstep.store.measure.DurationHistogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The families of one scrape, gathered and then written. A family without a sample is left out. A
 * name, label or value that the format does not allow is an {@link IllegalArgumentException} of the
 * library, so a unit test finds it. Used by one thread.
 */
final class MetricFamilies {
  private static final String COUNTER_SUFFIX = "_total";
  private static final String INFO_SUFFIX = "_info";

  private final Map<String, Supplier<MetricSnapshot>> families = new TreeMap<>();

  /** Adds a sample, with a value for each label of the family, in their order. */
  @FunctionalInterface
  interface Samples {
    void add(double value, String... labels);

    /** The same of a whole number; one beyond 2^53 is rounded. */
    default void add(long value, String... labels) {
      add((double) value, labels);
    }
  }

  /** The same of a distribution. */
  @FunctionalInterface
  interface Distributions {
    void add(DurationHistogram.Reading reading, String... labels);
  }

  /** The same of a number of events that took some seconds together. */
  @FunctionalInterface
  interface Sums {
    void add(long count, double sumSeconds, String... labels);
  }

  /** A number that only grows while the process runs; its name ends with {@code _total}. */
  Samples counter(String name, String help, String... labelNames) {
    CounterSnapshot.Builder built =
        CounterSnapshot.builder().name(without(name, COUNTER_SUFFIX)).help(help);
    return (value, labels) -> {
      built.dataPoint(
          CounterDataPointSnapshot.builder()
              .value(value)
              .labels(Labels.of(labelNames, labels))
              .build());
      families.put(name, built::build);
    };
  }

  /** A number that rises and falls. */
  Samples gauge(String name, String help, String... labelNames) {
    GaugeSnapshot.Builder built = GaugeSnapshot.builder().name(name).help(help);
    return (value, labels) -> {
      built.dataPoint(
          GaugeDataPointSnapshot.builder()
              .value(value)
              .labels(Labels.of(labelNames, labels))
              .build());
      families.put(name, built::build);
    };
  }

  /** Labels without a number; its name ends with {@code _info}. */
  void info(String name, String help, Map<String, String> labels) {
    TreeMap<String, String> sorted = new TreeMap<>(labels);
    List<String> names = List.copyOf(sorted.keySet());
    List<String> values = List.copyOf(sorted.values());
    families.put(
        name,
        () ->
            InfoSnapshot.builder()
                .name(without(name, INFO_SUFFIX))
                .help(help)
                .dataPoint(InfoDataPointSnapshot.builder().labels(Labels.of(names, values)).build())
                .build());
  }

  /** Durations in buckets; its name ends with {@code _seconds}. */
  Distributions durations(String name, String help, String... labelNames) {
    HistogramSnapshot.Builder built = HistogramSnapshot.builder().name(name).help(help);
    return (reading, labels) -> {
      built.dataPoint(
          HistogramDataPointSnapshot.builder()
              .classicHistogramBuckets(
                  ClassicHistogramBuckets.of(reading.upperSeconds(), reading.counts()))
              .sum(reading.sumSeconds())
              .labels(Labels.of(labelNames, labels))
              .build());
      families.put(name, built::build);
    };
  }

  /** How many there were and how long all took; its name ends with {@code _seconds}. */
  Sums sums(String name, String help, String... labelNames) {
    SummarySnapshot.Builder built = SummarySnapshot.builder().name(name).help(help);
    return (count, sumSeconds, labels) -> {
      built.dataPoint(
          SummaryDataPointSnapshot.builder()
              .count(count)
              .sum(sumSeconds)
              .labels(Labels.of(labelNames, labels))
              .build());
      families.put(name, built::build);
    };
  }

  private static String without(String name, String suffix) {
    if (!name.endsWith(suffix)) {
      throw new IllegalArgumentException(name + " does not end with " + suffix);
    }
    return name.substring(0, name.length() - suffix.length());
  }

  /** All families in the text format of Prometheus, version 0.0.4. */
  String text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(64 << 10);
    try {
      PrometheusTextFormatWriter.create()
          .write(out, new MetricSnapshots(families.values().stream().map(Supplier::get).toList()));
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
