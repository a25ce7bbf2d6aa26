package io.lockstep.deploy.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.measure.DurationHistogram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricFamiliesTest {
  private static final Path SOURCES = Path.of("src/main/java/io/lockstep/deploy/metrics");
  private static final Pattern FAMILY =
      Pattern.compile("\\b(counter|gauge|info|durations|sums)\\(\\s*\"([^\"]+)\",\\s*\"([^\"]+)\"");

  private final MetricFamilies families = new MetricFamilies();

  @Test
  void eachKindHasItsHelpItsTypeAndItsSamples() {
    families.counter("lockstep_a_total", "All a.", "switch", "layer").add(3, "1f", "a\"b\\c");
    families.gauge("lockstep_b_bytes", "All b.").add(Double.POSITIVE_INFINITY);
    families.info("lockstep_build_info", "What runs.", Map.of("version", "1.2"));
    DurationHistogram durations = new DurationHistogram();
    durations.record(200_000);
    durations.record(2_000_000_000L);
    durations.record(20_000_000_000L);
    families.durations("lockstep_c_seconds", "All c.", "kind").add(durations.read(), "read");
    families.sums("lockstep_d_seconds", "All d.").add(4, 0.5);
    String text = families.text();
    assertThat(text.lines())
        .contains(
            "# HELP lockstep_a_total All a.",
            "# TYPE lockstep_a_total counter",
            "lockstep_a_total{layer=\"a\\\"b\\\\c\",switch=\"1f\"} 3.0",
            "# TYPE lockstep_b_bytes gauge",
            "lockstep_b_bytes +Inf",
            "lockstep_build_info{version=\"1.2\"} 1",
            "# TYPE lockstep_c_seconds histogram",
            "lockstep_c_seconds_bucket{kind=\"read\",le=\"1.0E-4\"} 0",
            "lockstep_c_seconds_bucket{kind=\"read\",le=\"2.5E-4\"} 1",
            "lockstep_c_seconds_bucket{kind=\"read\",le=\"2.5\"} 2",
            "lockstep_c_seconds_bucket{kind=\"read\",le=\"+Inf\"} 3",
            "lockstep_c_seconds_count{kind=\"read\"} 3",
            "lockstep_c_seconds_sum{kind=\"read\"} 22.0002",
            "lockstep_d_seconds_count 4",
            "lockstep_d_seconds_sum 0.5");
    assertThat(MetricLint.problems(text)).isEmpty();
  }

  @Test
  void familyWithoutASampleIsLeftOut() {
    MetricFamilies.Samples none = families.counter("lockstep_a_total", "All a.", "switch");
    assertThat(none).isNotNull();
    assertThat(families.text()).doesNotContain("lockstep_a_total");
  }

  @Test
  void aDirectoryThatCannotBeListedIsAMetricAndNotASilence(@TempDir Path directory) {
    ReplicaFamilies.addFiles(families, directory);
    assertThat(families.text())
        .contains("lockstep_replica_directory_readable 1.0", "lockstep_replica_disk_free_bytes ");
    MetricFamilies without = new MetricFamilies();
    ReplicaFamilies.addFiles(without, directory.resolve("unmounted"));
    assertThat(without.text())
        .contains("lockstep_replica_directory_readable 0.0")
        .doesNotContain("lockstep_replica_disk_free_bytes");
    MetricFamilies inMemory = new MetricFamilies();
    ReplicaFamilies.addFiles(inMemory, null);
    assertThat(inMemory.text()).doesNotContain("directory_readable");
  }

  @Test
  void counterWithoutItsSuffixIsRefused() {
    assertThatThrownBy(() -> families.counter("lockstep_a", "All a."))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lockstep_a does not end with _total");
  }

  /** Also those that a node shows only at times, such as those of bounded tables. */
  @Test
  void eachFamilyOfTheSourcesFollowsTheConventions() throws IOException {
    List<String> wrong = new ArrayList<>();
    int found = 0;
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : files.sorted().toList()) {
        Matcher family = FAMILY.matcher(Files.readString(file));
        while (family.find()) {
          found++;
          String type =
              switch (String.valueOf(family.group(1))) {
                case "counter" -> "counter";
                case "durations" -> "histogram";
                case "sums" -> "summary";
                default -> "gauge";
              };
          wrong.addAll(
              MetricLint.problems(
                  String.valueOf(family.group(2)), type, String.valueOf(family.group(3))));
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(found).isGreaterThan(60);
  }

  @Test
  void lintFindsWhatPromtoolFinds() {
    assertThat(
            MetricLint.problems(
                """
                # TYPE lockstep_puts counter
                lockstep_puts 1
                # HELP lockstep_waitMillis How long.
                # TYPE lockstep_waitMillis gauge
                lockstep_waitMillis 1
                # HELP lockstep_wait_ms How long.
                # TYPE lockstep_wait_ms gauge
                lockstep_wait_ms 1
                lockstep_wait_ms 2
                lockstep_other 3
                """))
        .contains(
            "lockstep_puts: no help",
            "lockstep_puts: a counter, and nothing else, ends with _total",
            "lockstep_waitMillis: not in lower case with underscores",
            "lockstep_wait_ms: ms is no base unit",
            "lockstep_other: without HELP and TYPE of its own")
        .anyMatch(problem -> problem.startsWith("lockstep_wait_ms") && problem.endsWith(": twice"));
  }
}
