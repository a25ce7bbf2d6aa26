package io.lockstep.bench.placer;

import io.lockstep.bench.drawing.FigurePoint;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** The points of a study together: against the optimum, and against first come. Pure. */
final class PlacerSummary {
  private static final String PLACER = StudiedPolicy.PLACER.label();
  private static final String FIRST_COME = StudiedPolicy.FIRST_COME.label();
  private static final String OPTIMUM = StudiedPolicy.OPTIMUM.label();

  /** Those of the placer alone. */
  private final List<PlacerPoint> points;

  private final List<PlacerPoint> all;

  PlacerSummary(List<PlacerPoint> points) {
    this.points = points.stream().filter(point -> point.path().equals(PlacerPoint.PURE)).toList();
    this.all = List.copyOf(points);
  }

  /** A line for each number of rules, kind of traffic and share of the capacity, and totals. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (int rules : distinct(PlacerPoint::rules)) {
      for (String traffic : distinct(PlacerPoint::traffic)) {
        for (double share : distinct(PlacerPoint::capacityShare)) {
          line(lines, rules, traffic, share);
        }
      }
      DoubleSummaryStatistics ofOptimum = ofOptimum(rules);
      if (ofOptimum.getCount() > 0) {
        lines.add(
            String.format(
                Locale.ROOT,
                "%d rules: the placer serves %.4f of what the optimum serves (worst point %.4f,"
                    + " worst set %.4f)",
                rules,
                ofOptimum.getAverage(),
                ofOptimum.getMin(),
                worstSet(rules)));
      }
    }
    for (String path : List.of(PlacerPoint.PURE, PlacerPoint.PRODUCT)) {
      for (StudiedPolicy other : List.of(StudiedPolicy.ARRIVAL, StudiedPolicy.RESIDUAL_GREEDY)) {
        beside(path, other.label()).ifPresent(lines::add);
      }
      beside(path, ProductStudy.FILL).ifPresent(lines::add);
    }
    return lines;
  }

  private double worstSet(int rules) {
    return points.stream()
        .filter(point -> point.rules() == rules && point.policy().equals(PLACER))
        .map(PlacerPoint::minShareOfOptimum)
        .filter(Objects::nonNull)
        .mapToDouble(share -> share)
        .min()
        .orElse(Double.NaN);
  }

  /** How the placer is beside another policy at the same points; empty where there are none. */
  private Optional<String> beside(String path, String policy) {
    DoubleSummaryStatistics ratios = new DoubleSummaryStatistics();
    String worst = "";
    for (PlacerPoint point : all) {
      for (PlacerPoint other : all) {
        boolean compared =
            point.path().equals(path)
                && point.policy().equals(PLACER)
                && other.policy().equals(policy)
                && point.isBeside(other)
                && other.hardwareTrafficShare() > 0;
        if (compared) {
          double ratio = point.hardwareTrafficShare() / other.hardwareTrafficShare();
          worst =
              ratio < ratios.getMin()
                  ? point.ruleSet()
                      + " on "
                      + point.profile()
                      + ", "
                      + point.rules()
                      + " rules, "
                      + point.traffic()
                  : worst;
          ratios.accept(ratio);
        }
      }
    }
    return ratios.getCount() == 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%s: the placer serves %.3f times what %s serves (worst point %.3f: %s)",
                path,
                ratios.getAverage(),
                policy,
                ratios.getMin(),
                worst));
  }

  private void line(List<String> lines, int rules, String traffic, double share) {
    StringBuilder text = new StringBuilder();
    for (String family : distinct(PlacerPoint::ruleSet)) {
      Predicate<PlacerPoint> here =
          point ->
              point.rules() == rules
                  && point.traffic().equals(traffic)
                  && point.capacityShare() == share
                  && point.ruleSet().equals(family);
      double placer = mean(here, PLACER);
      double first = mean(here, FIRST_COME);
      double optimum = mean(here, OPTIMUM);
      if (Double.isNaN(placer) || Double.isNaN(first)) {
        continue;
      }
      text.append(String.format(Locale.ROOT, "  %s %.3f", family, placer));
      text.append(first == 0 ? "" : String.format(Locale.ROOT, " = %.2f x", placer / first));
      if (!Double.isNaN(optimum) && first > 0) {
        text.append(String.format(Locale.ROOT, " (optimum %.2f x)", optimum / first));
      }
    }
    if (!text.isEmpty()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%d rules, %s, %.0f %%: in hardware, and beside first come:%s",
              rules,
              traffic,
              100 * share,
              text));
    }
  }

  /** The points where the placer serves less than first come does at the same place. */
  List<PlacerPoint> belowFirstCome() {
    return points.stream()
        .filter(point -> point.policy().equals(PLACER))
        .filter(
            point ->
                points.stream()
                    .anyMatch(
                        other ->
                            other.policy().equals(FIRST_COME)
                                && point.isBeside(other)
                                && other.hardwareTrafficShare()
                                    > point.hardwareTrafficShare() + 1e-9))
        .toList();
  }

  /**
   * The figure of one number of rules: a panel for each kind of rules and traffic, a line for each
   * policy, means over the profiles; the optimum dashed where it is known.
   */
  List<FigurePoint> figure(int rules) {
    List<FigurePoint> figure = new ArrayList<>();
    for (String family : distinct(PlacerPoint::ruleSet)) {
      for (String traffic : distinct(PlacerPoint::traffic)) {
        for (String policy : distinct(PlacerPoint::policy)) {
          for (double share : distinct(PlacerPoint::capacityShare)) {
            Predicate<PlacerPoint> here =
                point ->
                    point.rules() == rules
                        && point.ruleSet().equals(family)
                        && point.traffic().equals(traffic)
                        && point.capacityShare() == share;
            double value = mean(here, policy);
            double optimum = mean(here, OPTIMUM);
            boolean dashed = policy.equals(PLACER) && !Double.isNaN(optimum);
            if (!policy.equals(OPTIMUM) && !Double.isNaN(value)) {
              figure.add(
                  new FigurePoint(
                      Integer.toString(rules),
                      policy,
                      100 * share,
                      value,
                      family + ", " + traffic,
                      dashed ? optimum : null));
            }
          }
        }
      }
    }
    return figure;
  }

  /** Over the profiles; not a number where there is no such point. */
  private double mean(Predicate<PlacerPoint> where, String policy) {
    return points.stream()
        .filter(where)
        .filter(point -> point.policy().equals(policy))
        .mapToDouble(PlacerPoint::hardwareTrafficShare)
        .average()
        .orElse(Double.NaN);
  }

  private DoubleSummaryStatistics ofOptimum(int rules) {
    return points.stream()
        .filter(point -> point.rules() == rules && point.policy().equals(PLACER))
        .map(PlacerPoint::shareOfOptimum)
        .filter(Objects::nonNull)
        .mapToDouble(share -> share)
        .summaryStatistics();
  }

  private <T> List<T> distinct(Function<PlacerPoint, T> what) {
    return points.stream().map(what).distinct().toList();
  }
}
