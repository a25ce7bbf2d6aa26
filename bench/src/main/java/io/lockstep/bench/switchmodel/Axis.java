package io.lockstep.bench.switchmodel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A linear axis with round numbers at its ticks.
 *
 * @param from value at {@code fromPixel}
 * @param to value at {@code toPixel}, above {@code from}
 */
record Axis(double from, double to, double fromPixel, double toPixel) {
  private static final int TICKS = 6;

  /** From 0 to a round number that is not below the highest value. */
  static Axis upTo(double highest, double fromPixel, double toPixel) {
    double step = step(highest);
    double top = Math.max(step, Math.ceil(highest / step - 1e-9) * step);
    return new Axis(0, top, fromPixel, toPixel);
  }

  double pixel(double value) {
    return fromPixel + (value - from) / (to - from) * (toPixel - fromPixel);
  }

  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    double step = step(to);
    for (int i = 0; i * step <= to * (1 + 1e-9); i++) {
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
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double ratio = rough / power;
    return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
  }

  static String label(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.2g", value);
  }
}
