package io.lockstep.bench.page;

import static java.math.RoundingMode.HALF_UP;

import io.lockstep.bench.figures.FigureRow.Point;
import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/** Numbers as the page shows them: with three digits, and a dash where there is none. */
final class Rounded {
  static final String NONE = "–";
  private static final MathContext DIGITS = new MathContext(3, HALF_UP);

  private Rounded() {}

  /** A number with three digits, or with all before the point; NaN and infinity as words. */
  static String number(@Nullable Double value) {
    if (value == null) {
      return NONE;
    }
    if (!Double.isFinite(value)) {
      return Double.toString(value);
    }
    if (Math.abs(value) >= 1000) {
      return Long.toString(Math.round(value));
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS);
    int before = rounded.precision() - rounded.scale();
    return rounded
        .setScale(rounded.signum() == 0 ? 0 : DIGITS.getPrecision() - before, HALF_UP)
        .toPlainString();
  }

  /** A number of the paper, which has as many digits as the paper prints. */
  static String printed(@Nullable Double value) {
    return value == null || !Double.isFinite(value)
        ? number(value)
        : new BigDecimal(value).round(MathContext.DECIMAL32).stripTrailingZeros().toPlainString();
  }

  /** A number of bytes. */
  static String bytes(@Nullable Integer value) {
    return value == null ? NONE : Integer.toString(value);
  }

  /** The value of a point with its interval. */
  static String withInterval(@Nullable Point point, double factor) {
    if (point == null) {
      return NONE;
    }
    Double low = point.low();
    Double high = point.high();
    return number(point.value() * factor)
        + (low == null || high == null
            ? ""
            : " [" + number(low * factor) + ", " + number(high * factor) + "]");
  }

  /** What the paper prints for a point. */
  static String paper(@Nullable Point point, double factor) {
    Double paper = point == null ? null : point.paper();
    return printed(paper == null ? null : paper * factor);
  }

  /** Ours over the paper's. */
  static String ratio(@Nullable Point point) {
    return number(point == null ? null : point.ratio());
  }
}
