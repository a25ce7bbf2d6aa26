package io.lockstep.deploy.metrics;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The conventions for names of metrics (prometheus.io, "Metric and label naming"), as far as {@code
 * promtool check metrics} looks at them, and the shape of the text format. For machines without
 * promtool.
 */
final class MetricLint {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{.*})? ([-+0-9.eEINafn]+)");
  private static final Set<String> OTHER_UNITS =
      Set.of(
          "ms",
          "us",
          "ns",
          "s",
          "sec",
          "millis",
          "milliseconds",
          "microseconds",
          "nanoseconds",
          "minutes",
          "hours",
          "days",
          "kb",
          "mb",
          "gb",
          "kilobytes",
          "megabytes",
          "bits",
          "percent");
  private static final Set<String> TYPES =
      Set.of("counter", "gauge", "histogram", "summary", "untyped");

  private MetricLint() {}

  /** What is wrong with a family's name, type and help; empty where nothing is. */
  static List<String> problems(String name, String type, String help) {
    List<String> wrong = new ArrayList<>();
    if (!NAME.matcher(name).matches()) {
      wrong.add(name + ": not in lower case with underscores");
    }
    if (help.isBlank()) {
      wrong.add(name + ": no help");
    }
    if (type.equals("counter") != name.endsWith("_total")) {
      wrong.add(name + ": a counter, and nothing else, ends with _total");
    }
    if (type.equals("histogram") && !name.endsWith("_seconds")) {
      wrong.add(name + ": a distribution of durations ends with _seconds");
    }
    if (name.matches(".*_(count|sum|bucket)")) {
      wrong.add(name + ": a suffix of histograms and summaries");
    }
    for (String part : name.split("_", -1)) {
      if (OTHER_UNITS.contains(part)) {
        wrong.add(name + ": " + part + " is no base unit");
      }
      if (TYPES.contains(part)) {
        wrong.add(name + ": the type is in the name");
      }
    }
    return wrong;
  }

  /** What is wrong with the answer of {@code /metrics}; empty where nothing is. */
  static List<String> problems(String text) {
    List<String> wrong = new ArrayList<>();
    if (!text.endsWith("\n")) {
      wrong.add("the last line does not end");
    }
    Set<String> families = new HashSet<>();
    Set<String> samples = new HashSet<>();
    String help = "";
    String family = "";
    String type = "";
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ", 4);
      if (line.startsWith("# HELP ")) {
        help = words.length < 4 ? "" : words[3];
      } else if (line.startsWith("# TYPE ")) {
        family = words[2];
        type = words[3];
        wrong.addAll(problems(family, type, help));
        if (!families.add(family)) {
          wrong.add(family + ": twice");
        }
        help = "";
      } else {
        wrong.addAll(sample(line, family, type, samples));
      }
    }
    return wrong;
  }

  private static List<String> sample(String line, String family, String type, Set<String> samples) {
    Matcher sample = SAMPLE.matcher(line);
    if (!sample.matches()) {
      return List.of("no sample: " + line);
    }
    String name = sample.group(1);
    boolean distribution = type.equals("histogram") || type.equals("summary");
    boolean own =
        name.equals(family) || (distribution && name.matches(family + "_(bucket|sum|count)"));
    List<String> wrong = new ArrayList<>();
    if (!own) {
      wrong.add(name + ": without HELP and TYPE of its own");
    }
    if (!samples.add(name + sample.group(2))) {
      wrong.add(name + sample.group(2) + ": twice");
    }
    return wrong;
  }

  /** The names of all families in the answer of {@code /metrics}. */
  static Set<String> families(String text) {
    Set<String> names = new HashSet<>();
    text.lines()
        .filter(line -> line.startsWith("# TYPE "))
        .forEach(line -> names.add(line.split(" ", -1)[2]));
    return names;
  }
}
