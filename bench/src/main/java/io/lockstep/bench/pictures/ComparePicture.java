package io.lockstep.bench.pictures;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.bench.drawing.Bar;
import io.lockstep.bench.drawing.BarFill;
import io.lockstep.bench.drawing.BarPanel;
import io.lockstep.bench.drawing.Legend;
import io.lockstep.bench.runs.BenchException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Our store beside its peers: throughput at 64 flows, latency of one flow. */
final class ComparePicture implements HeadlinePicture {
  private static final String FILE = "compare-peers.json";
  private static final String OURS = "lockstep";
  private static final int WIDTH = 820;
  private static final double THOUSANDTH = 1e-3;

  /** In the order of their bars. */
  private static final List<String> VARIANTS = List.of("micro", "init");

  private static final Map<String, String> WHAT =
      Map.of(
          "ls-ucast micro", "learning switch, one operation (micro)",
          "ls-ucast init", "learning switch, a write and a read (init)",
          "dm-known micro", "device manager, known device (micro)",
          "dm-known init", "device manager, known device (init)");

  @Override
  public String name() {
    return "compare";
  }

  @Override
  public String svg(Path results) throws BenchException {
    HeadlineResult result = HeadlineResult.read(results, FILE, "compare");
    Legend legend = new Legend();
    legend.bar("Lockstep", BarFill.DARK);
    legend.bar("other stores", BarFill.HOLLOW);
    PictureSheet sheet =
        new PictureSheet("The replicated store beside others, three servers", WIDTH, 1, legend);
    for (PanelContent content : contents()) {
      if (!result.where(content::shows).isEmpty()) {
        sheet.add(panel(result, content));
      }
    }
    sheet.note("Bars: medians of the rounds; lines: from the lowest to the highest round.");
    sheet.note(
        "jraft-frames: JRaft behind our own framing. atomix never syncs its log, also on disk.");
    sheet.note(result.origin());
    return sheet.svg();
  }

  /** What a panel shows. */
  private record PanelContent(
      String title, String axis, boolean durable, int flows, String figure, double factor) {

    boolean shows(JsonNode point) {
      return point.path("durable").asBoolean() == durable && point.path("flows").asInt() == flows;
    }
  }

  private static List<PanelContent> contents() {
    String many = "thousand flows a second (more is better)";
    String one = "median latency of a flow in milliseconds (less is better)";
    return List.of(
        new PanelContent(
            "64 flows at a time, state in memory", many, false, 64, "flowsPerSecond", THOUSANDTH),
        new PanelContent(
            "64 flows at a time, state on disk", many, true, 64, "flowsPerSecond", THOUSANDTH),
        new PanelContent("one flow at a time, state in memory", one, false, 1, "p50Millis", 1),
        new PanelContent("one flow at a time, state on disk", one, true, 1, "p50Millis", 1));
  }

  private static BarPanel panel(HeadlineResult result, PanelContent content) {
    List<String> names =
        result.where(content::shows).stream()
            .map(ComparePicture::name)
            .distinct()
            .sorted(Comparator.comparing(name -> VARIANTS.indexOf(name.replaceAll(".* ", ""))))
            .toList();
    boolean single = names.size() == 1;
    String what = single ? ": " + WHAT.getOrDefault(names.get(0), names.get(0)) : "";
    BarPanel panel = new BarPanel(content.title() + what, content.axis(), Double.MAX_VALUE);
    for (String name : names) {
      for (String store : stores(result)) {
        rounds(result, content, name, store)
            .ifPresent(
                rounds ->
                    panel.add(
                        single ? store : name + ", " + store,
                        List.of(
                            Bar.of(
                                rounds.median(),
                                store.equals(OURS) ? BarFill.DARK : BarFill.HOLLOW,
                                rounds.interval(),
                                number(rounds.median())))));
      }
    }
    return panel;
  }

  /** All stores, ours first. */
  private static List<String> stores(HeadlineResult result) {
    return result.points().stream()
        .map(point -> point.path("store").asText())
        .distinct()
        .sorted((a, b) -> Boolean.compare(b.equals(OURS), a.equals(OURS)))
        .toList();
  }

  /** Workload and variant. */
  private static String name(JsonNode point) {
    return point.path("workload").asText() + " " + point.path("variant").asText();
  }

  private static Optional<RoundSpread> rounds(
      HeadlineResult result, PanelContent content, String name, String store) {
    List<JsonNode> points =
        result.where(
            point ->
                point.path("store").asText().equals(store)
                    && content.shows(point)
                    && name(point).equals(name));
    return RoundSpread.of(
        points, point -> point.path(content.figure()).asDouble(Double.NaN) * content.factor());
  }

  /** With three digits. */
  static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
  }
}
