package io.lockstep.bench.drawing;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/**
 * An axis with round numbers at its ticks.
 *
 * @param from value at {@code fromPixel}; above 0 where the axis is logarithmic
 * @param to value at {@code toPixel}, above {@code from}
 * @param logarithmic whether equal ratios have equal distances, else equal differences have
 */
public record Axis(double from, double to, double fromPixel, double toPixel, boolean logarithmic) {
  private static final int TICKS = 6;
  private static final double ROUNDING = 1e-9;

  /** From 0 to a round number that is not below the highest value. */
  public static Axis upTo(double highest, double fromPixel, double toPixel) {
    double step = step(highest);
    double top = Math.max(step, Math.ceil(highest / step - ROUNDING) * step);
    return new Axis(0, top, fromPixel, toPixel, false);
  }

  /** Logarithmic, between round numbers that are not above the lowest and below the highest. */
  static Axis logarithmic(double lowest, double highest, double fromPixel, double toPixel) {
    double from = lowest > 0 ? roundAtMost(lowest) : 1;
    double to = Math.max(highest, from);
    double top = roundAtMost(to);
    if (top < to * (1 - ROUNDING) || top <= from) {
      top = next(top);
    }
    return new Axis(from, top, fromPixel, toPixel, true);
  }

  double pixel(double value) {
    double part =
        logarithmic ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
    return fromPixel + part * (toPixel - fromPixel);
  }

  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (logarithmic) {
      for (double tick = from; tick <= to * (1 + ROUNDING); tick = next(tick)) {
        ticks.add(tick);
      }
      return ticks;
    }
    double step = step(to);
    for (int i = 0; i * step <= to * (1 + ROUNDING); i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  /** 1, 2 or 5 times a power of ten. */
  private static double step(double highest) {
    if (!(highest > 0)) {
      return 1;
    }
    double rough = highest / TICKS;
    double power = power(rough);
    double ratio = rough / power;
    return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
  }

  /** The highest of 1, 2 and 5 times a power of ten that is not above the value. */
  private static double roundAtMost(double value) {
    double power = power(value);
    double ratio = value / power * (1 + ROUNDING);
    return power * (ratio >= 5 ? 5 : ratio >= 2 ? 2 : 1);
  }

  /** The one that follows 1, 2 or 5 times a power of ten. */
  private static double next(double tick) {
    double power = power(tick * (1 + ROUNDING));
    double ratio = Math.rint(tick / power);
    return power * (ratio < 2 ? 2 : ratio < 5 ? 5 : 10);
  }

  private static double power(double value) {
    return Math.pow(10, Math.floor(Math.log10(value)));
  }

  /** With two digits, or all that stand before the point. */
  static String label(double value) {
    return value == Math.rint(value)
        ? Long.toString(Math.round(value))
        : new BigDecimal(value).round(new MathContext(2)).stripTrailingZeros().toPlainString();
  }
}
