package io.lockstep.bench.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The placer of rules on bounded tables, beside simpler policies and the optimum. */
final class PlacerSection implements PaperSection {
  private final CommittedResult result;

  /**
   * The section.
   *
   * @param results the directory with the committed result
   */
  PlacerSection(Path results) {
    result =
        new CommittedResult(
            results, "placer", "./lockstep bench placer --out bench/results/placer.json");
  }

  @Override
  public String title() {
    return "Placement of rules in hardware";
  }

  @Override
  public void write(HtmlText page, Path directory) throws IOException, BenchException {
    page.paragraph(
        "Which part of the traffic the entries in hardware serve, by the placer and by the policies"
            + " that papers on bounded flow tables compare: greedy by covers, greedy by closures,"
            + " first come. All of them treat every packet as the whole table says. The optimum is"
            + " known for sets of few rules.");
    if (!result.isThere(page)) {
      return;
    }
    result.origin(page);
    alone(page, directory);
    throughNodes(page);
  }

  /** The placer alone: a picture and a table for each number of rules. */
  private void alone(HtmlText page, Path directory) throws IOException, BenchException {
    Map<String, Map<String, DoubleSummaryStatistics>> means = new LinkedHashMap<>();
    List<String> policies = new ArrayList<>();
    for (JsonNode point : points(false)) {
      String policy = point.path("policy").asText();
      if (!policies.contains(policy)) {
        policies.add(policy);
      }
      means
          .computeIfAbsent(group(point), key -> new LinkedHashMap<>())
          .computeIfAbsent(policy, key -> new DoubleSummaryStatistics())
          .accept(point.path("hardwareTrafficShare").asDouble());
    }
    for (String rules : means.keySet().stream().map(PlacerSection::rules).distinct().toList()) {
      String title = "Sets of " + rules + " rules: share of the traffic in hardware";
      page.heading(3, title);
      result.picture(page, directory, "." + rules + ".svg", title);
      table(page, policies, rules, means);
    }
  }

  /** The same rules through three nodes: a row for each kind of rules and switch. */
  private void throughNodes(HtmlText page) throws IOException, BenchException {
    Map<String, Map<String, DoubleSummaryStatistics>> shares = new LinkedHashMap<>();
    List<String> policies = new ArrayList<>();
    for (JsonNode point : points(true)) {
      String policy = point.path("policy").asText();
      if (!policies.contains(policy)) {
        policies.add(policy);
      }
      String place =
          group(point)
              + ", "
              + point.path("ruleSet").asText()
              + ", "
              + point.path("profile").asText();
      shares
          .computeIfAbsent(place, key -> new LinkedHashMap<>())
          .computeIfAbsent(policy, key -> new DoubleSummaryStatistics())
          .accept(point.path("hardwareTrafficShare").asDouble());
    }
    if (shares.isEmpty()) {
      return;
    }
    page.heading(3, "Through three nodes: share of the traffic in hardware");
    for (String rules : shares.keySet().stream().map(PlacerSection::rules).distinct().toList()) {
      table(page, policies, rules, shares);
    }
  }

  /** The points of one path; those of older files, which have none, are of the placer alone. */
  private List<JsonNode> points(boolean throughNodes) throws IOException, BenchException {
    List<JsonNode> points = new ArrayList<>();
    for (JsonNode point : result.points()) {
      if (point.path("path").asText().equals("product") == throughNodes) {
        points.add(point);
      }
    }
    return points;
  }

  /** Means over the switches and kinds of rules, a row for each kind of traffic and capacity. */
  private static void table(
      HtmlText page,
      List<String> policies,
      String rules,
      Map<String, Map<String, DoubleSummaryStatistics>> means) {
    List<String> header = new ArrayList<>(List.of("rules, traffic, entries in % of the rules"));
    header.addAll(policies);
    List<List<String>> rows = new ArrayList<>();
    means.forEach(
        (group, byPolicy) -> {
          if (rules(group).equals(rules)) {
            List<String> row = new ArrayList<>(List.of(group));
            for (String policy : policies) {
              DoubleSummaryStatistics mean = byPolicy.get(policy);
              row.add(Rounded.number(mean == null ? null : mean.getAverage()));
            }
            rows.add(row);
          }
        });
    page.table(header, rows);
  }

  private static String group(JsonNode point) {
    return "%d rules, %s, %.0f %%"
        .formatted(
            point.path("rules").asInt(),
            point.path("traffic").asText(),
            100 * point.path("capacityShare").asDouble());
  }

  private static String rules(String group) {
    return group.substring(0, group.indexOf(' '));
  }
}
