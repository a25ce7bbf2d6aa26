package io.lockstep.bench.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The paper on switches with tables in hardware and software: Figs. 2 to 8 and table 2. */
final class SwitchModelSection implements PaperSection {
  private static final Map<String, String> PICTURES = new LinkedHashMap<>();

  static {
    PICTURES.put("2", "Fig. 2: rules in hardware over OpenFlow's share of the policy engine");
    PICTURES.put("3", "Fig. 3: throughput through each flow table, Mbit/s");
    PICTURES.put("4", "Fig. 4: throughput and load of the 2920 over its software rate");
    PICTURES.put("5", "Fig. 5: throughput and load of the 3500yl over its software rate");
    PICTURES.put("6", "Fig. 6: promotion of rules by the 3500yl: rules and load over time");
    PICTURES.put("7", "Fig. 7: promotion of rules by the 3500yl: throughput over time");
    PICTURES.put("8", "Fig. 8: promotion of rules by the 2920: throughput over time");
    PICTURES.put("table2", "Table 2: capacities of the tables in hardware, rules");
  }

  private final CommittedResult result;

  /**
   * The section.
   *
   * @param results the directory with the committed result
   */
  SwitchModelSection(Path results) {
    result =
        new CommittedResult(
            results,
            "switch-model",
            "./lockstep bench switch-model --out bench/results/switch-model.json");
  }

  @Override
  public String title() {
    return "Switches with flow tables in hardware and software";
  }

  @Override
  public void write(HtmlText page, Path directory) throws IOException, BenchException {
    page.paragraph(
        "Rygielski et al., \"Performance Analysis of SDN Switches with Hardware and Software Flow"
            + " Tables\" (2016), which measured real switches, beside the emulated ones on a virtual"
            + " clock.");
    if (!result.isThere(page)) {
      return;
    }
    result.origin(page);
    JsonNode points = result.points();
    for (Map.Entry<String, String> each : PICTURES.entrySet()) {
      String figure = each.getKey();
      page.heading(3, "Switches, " + each.getValue());
      String suffix = figure.startsWith("t") ? "." + figure + ".svg" : ".fig" + figure + ".svg";
      result.picture(page, directory, suffix, each.getValue());
      table(page, points, figure);
    }
  }

  /** For each switch and unit, how many values the paper prints and how far ours are from them. */
  private static void table(HtmlText page, JsonNode points, String figure) {
    Map<String, Deviation> deviations = new LinkedHashMap<>();
    for (JsonNode point : points) {
      if (point.path("figure").asText().equals(figure) && point.path("paper").isNumber()) {
        String of = point.path("profile").asText() + ", " + point.path("unit").asText();
        deviations
            .computeIfAbsent(of, key -> new Deviation())
            .add(point.path("value").asDouble(), point.path("paper").asDouble());
      }
    }
    if (deviations.isEmpty()) {
      page.paragraph("The paper's text has no number for this figure.");
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    deviations.forEach((of, deviation) -> rows.add(deviation.row(of)));
    page.table(
        List.of(
            "switch and unit", "values in the paper's text", "farthest: ours", "paper", "ratio"),
        rows);
  }

  /** The farthest of several values from the paper's. */
  private static final class Deviation {
    private int count;
    private double ours;
    private double paper;

    void add(double value, double printed) {
      if (count++ == 0 || Math.abs(value - printed) > Math.abs(ours - paper)) {
        ours = value;
        paper = printed;
      }
    }

    List<String> row(String of) {
      return List.of(
          of,
          Integer.toString(count),
          Rounded.number(ours),
          Rounded.printed(paper),
          Rounded.number(paper == 0 ? null : ours / paper));
    }
  }
}
