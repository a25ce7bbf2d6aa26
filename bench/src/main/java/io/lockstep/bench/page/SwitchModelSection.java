package io.lockstep.bench.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

  /** So many different values of the paper have a row each. */
  private static final int FEW = 3;

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
            + " clock. The paper's curves are not in its text, so a figure shows only the values that"
            + " the text names. Neither 14 nor 64 Mbit/s is in the model: it has a rate of packets in"
            + " software, and TCP does the rest. When the rules of Figs. 6 and 7 move depends on how"
            + " the rules are numbered, which the paper leaves open.");
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

  /**
   * For each switch and unit, ours beside each value of the paper; of many values, how many agree.
   */
  private static void table(HtmlText page, JsonNode points, String figure) {
    Map<String, TreeMap<Double, List<Double>>> compared = new LinkedHashMap<>();
    for (JsonNode point : points) {
      if (point.path("figure").asText().equals(figure) && point.path("paper").isNumber()) {
        String of = point.path("profile").asText() + ", " + point.path("unit").asText();
        compared
            .computeIfAbsent(of, key -> new TreeMap<>())
            .computeIfAbsent(point.path("paper").asDouble(), key -> new ArrayList<>())
            .add(point.path("value").asDouble());
      }
    }
    if (compared.isEmpty()) {
      page.paragraph("The paper's text has no number for this figure.");
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    compared.forEach(
        (of, byPaper) -> {
          if (byPaper.size() > FEW) {
            rows.add(agreement(of, byPaper));
          } else {
            byPaper.forEach((paper, ours) -> rows.add(median(of, paper, ours)));
          }
        });
    page.table(List.of("switch and unit", "points", "paper", "ours (median)", "ratio"), rows);
  }

  private static List<String> agreement(String of, Map<Double, List<Double>> byPaper) {
    long all = byPaper.values().stream().mapToLong(List::size).sum();
    long equal =
        byPaper.entrySet().stream()
            .mapToLong(each -> each.getValue().stream().filter(each.getKey()::equals).count())
            .sum();
    return List.of(
        of,
        Long.toString(all),
        byPaper.size() + " values",
        "the paper's in " + equal + " of " + all,
        Rounded.NONE);
  }

  private static List<String> median(String of, double paper, List<Double> ours) {
    double median = ours.stream().sorted().toList().get(ours.size() / 2);
    return List.of(
        of,
        Integer.toString(ours.size()),
        Rounded.printed(paper),
        Rounded.number(median),
        Rounded.number(paper == 0 ? null : median / paper));
  }
}
