package io.lockstep.bench.page;

import io.lockstep.bench.figures.FigureRow;
import io.lockstep.bench.figures.FigureRow.OperationSize;
import io.lockstep.bench.figures.FigureRow.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A fixture: rows with invented numbers in plausible places, to test the page. They come from no
 * measurement and are never published.
 */
final class InventedRows {
  static final List<Integer> FLOWS = List.of(1, 4, 16, 64, 256, 1024);
  static final String REASON = "invented <b>reason</b> & \"more\"";

  private static final Map<String, String> WORKLOADS = new LinkedHashMap<>();

  static {
    WORKLOADS.put("Fig. 7", "ls-ucast");
    WORKLOADS.put("Fig. 8a", "lb-arp");
    WORKLOADS.put("Fig. 8b", "lb-vip");
    WORKLOADS.put("Fig. 9a", "dm-known");
    WORKLOADS.put("Fig. 9b", "dm-unknown");
  }

  private final List<FigureRow> rows = new ArrayList<>();
  private final boolean intervals;

  private InventedRows(boolean intervals) {
    this.intervals = intervals;
  }

  /** All combinations at all numbers of flows. */
  static List<FigureRow> full() {
    InventedRows all = new InventedRows(true);
    for (Setting setting :
        List.of(
            new Setting("live", true),
            new Setting("messages", true),
            new Setting("live", false),
            new Setting("messages", false))) {
      all.measured(setting, FLOWS);
    }
    all.sizes();
    return all.rows;
  }

  /** One fork of two numbers of flows, as a quick run has. */
  static List<FigureRow> quick() {
    InventedRows few = new InventedRows(false);
    few.measured(new Setting("messages", false), List.of(1, 64));
    few.sizes();
    return few.rows;
  }

  private void measured(Setting setting, List<Integer> flows) {
    int index = 0;
    for (Map.Entry<String, String> figure : WORKLOADS.entrySet()) {
      for (String variant : List.of("init", "cref", "vers", "cols", "micro", "own")) {
        double peak = (13 - 2 * index) * (1 + 0.25 * VariantOrder.place(variant)) * 1000;
        curve(figure.getKey(), figure.getValue(), variant, null, setting, flows, peak);
      }
      index++;
    }
    for (String workload : List.of("ls-ucast", "lb-vip", "dm-known")) {
      boolean local = workload.equals("ls-ucast");
      curve("Table II", workload, "cache", "best", setting, flows, local ? 5_000_000 : 21_000);
      curve("Table II", workload, "cache", "worst", setting, flows, 12_000);
    }
  }

  private void curve(
      String figure,
      String workload,
      String variant,
      @Nullable String bestOrWorst,
      Setting setting,
      List<Integer> flows,
      double peak) {
    double most = peak * (setting.durable() ? 0.6 : 1) * (setting.mode().equals("live") ? 0.8 : 1);
    for (int count : flows) {
      double rate = most * count / (count + 12);
      boolean last = count == flows.get(flows.size() - 1);
      boolean printed = last && !setting.durable() && setting.mode().equals("messages");
      Double paperRate = printed ? paperRate(figure, variant, workload, bestOrWorst) : null;
      Double paperMillis = printed && figure.equals("Fig. 7") ? paperMillis(variant) : null;
      point(
          figure,
          workload,
          variant,
          setting,
          bestOrWorst,
          count,
          "flowsPerSecond",
          rate,
          paperRate);
      double millis = count / rate * 1000;
      point(figure, workload, variant, setting, bestOrWorst, count, "p50Millis", millis, null);
      point(
          figure,
          workload,
          variant,
          setting,
          bestOrWorst,
          count,
          "p90Millis",
          millis * 1.7,
          paperMillis);
    }
  }

  private static @Nullable Double paperRate(
      String figure, String variant, String workload, @Nullable String bestOrWorst) {
    return switch (figure + " " + variant) {
      case "Fig. 7 init" -> 12_000.0;
      case "Fig. 7 micro" -> 22_000.0;
      case "Fig. 8b init" -> 5_400.0;
      case "Fig. 8b cols" -> 6_500.0;
      case "Fig. 8b micro" -> 10_800.0;
      case "Fig. 9a init" -> 5_000.0;
      case "Fig. 9b init" -> 3_000.0;
      case "Fig. 9a micro", "Fig. 9b micro" -> 12_000.0;
      case "Table II cache" ->
          "worst".equals(bestOrWorst)
              ? (Double) 11_400.0
              : workload.equals("ls-ucast") ? null : (Double) 21_400.0;
      default -> null;
    };
  }

  private static @Nullable Double paperMillis(String variant) {
    return switch (variant) {
      case "init" -> 6.0;
      case "micro" -> 4.0;
      default -> null;
    };
  }

  private void point(
      String figure,
      String workload,
      String variant,
      Setting setting,
      @Nullable String bestOrWorst,
      int flows,
      String metric,
      double value,
      @Nullable Double paper) {
    rows.add(
        new Point(
            figure,
            workload,
            variant,
            setting.mode(),
            setting.durable(),
            bestOrWorst,
            flows,
            metric,
            value,
            intervals ? value * 0.96 : null,
            intervals ? value * 1.04 : null,
            metric.equals("flowsPerSecond") ? "flows/s" : "ms",
            paper,
            paper == null ? null : value / paper,
            paper == null ? "" : REASON));
  }

  private void sizes() {
    List<String> workloads = new ArrayList<>(List.of("ls-bcast"));
    workloads.addAll(WORKLOADS.values());
    for (String workload : workloads) {
      for (String variant : List.of("init", "cref", "vers", "cols", "micro", "own")) {
        int operations = Math.max(1, workload.length() - VariantOrder.place(variant));
        for (int step = 1; step <= operations; step++) {
          size("Table I", workload, variant, step);
        }
      }
    }
    size("Table II", "ls-ucast", "cache", 1);
  }

  private void size(String figure, String workload, String variant, int step) {
    boolean own = variant.equals("own");
    Integer request = workload.equals("ls-bcast") && own ? null : (Integer) (40 * step);
    rows.add(
        new OperationSize(
            figure,
            workload,
            variant,
            step,
            "invented operation",
            step % 2 == 0 ? "R" : "W",
            request,
            request == null ? null : (Integer) 13,
            request == null ? null : (Integer) (request + 90),
            request == null ? null : (Integer) 120,
            own ? null : (Integer) (50 * step),
            own ? null : (Integer) 9,
            own ? "" : REASON));
  }
}
