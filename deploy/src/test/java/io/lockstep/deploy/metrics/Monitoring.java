package io.lockstep.deploy.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.deploy.testbed.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The alerts and the dashboard of {@code examples/monitoring}. */
final class Monitoring {
  static final Path DIRECTORY = Distribution.root().resolve("examples/monitoring");
  private static final Pattern METRIC = Pattern.compile("\\b(lockstep|jvm|process)_[a-z0-9_]+");
  private static final Pattern ALERT =
      Pattern.compile(
          "- alert: (\\w+)\\s+expr: '([^\\v]+)'\\s+for: \\w+"
              + "\\s+labels: \\{severity: (critical|warning)}\\s+annotations:"
              + "\\s+summary: '[^\\v]+'\\s+runbook: '([^\\v]+)'");

  private Monitoring() {}

  /** An alert. */
  record Alert(String name, String expression, String severity, String runbook) {}

  static List<Alert> alerts() throws IOException {
    List<Alert> alerts = new ArrayList<>();
    Matcher found = ALERT.matcher(Files.readString(DIRECTORY.resolve("lockstep-alerts.yml")));
    while (found.find()) {
      alerts.add(
          new Alert(
              String.valueOf(found.group(1)),
              String.valueOf(found.group(2)),
              String.valueOf(found.group(3)),
              String.valueOf(found.group(4))));
    }
    return alerts;
  }

  /** How often the file says that an alert begins. */
  static long alertLines() throws IOException {
    return Files.readString(DIRECTORY.resolve("lockstep-alerts.yml"))
        .lines()
        .filter(line -> line.strip().startsWith("- alert:"))
        .count();
  }

  /** The expressions of all panels. */
  static List<String> panels() throws IOException {
    JsonNode dashboard =
        new ObjectMapper().readTree(DIRECTORY.resolve("grafana/dashboards/lockstep.json").toFile());
    List<String> expressions = new ArrayList<>();
    for (JsonNode panel : dashboard.path("panels")) {
      panel.path("targets").forEach(target -> expressions.add(target.path("expr").asText()));
    }
    return expressions;
  }

  /** The metrics of all expressions, also those of histograms with their suffix. */
  static Set<String> metrics() throws IOException {
    List<String> expressions = new ArrayList<>(panels());
    alerts().forEach(alert -> expressions.add(alert.expression()));
    Set<String> names = new TreeSet<>();
    for (String expression : expressions) {
      Matcher metric = METRIC.matcher(expression);
      while (metric.find()) {
        names.add(metric.group());
      }
    }
    return names;
  }
}
