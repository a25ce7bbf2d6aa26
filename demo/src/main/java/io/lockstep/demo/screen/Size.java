package io.lockstep.demo.screen;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The size of a terminal, at least 1 by 1. */
public record Size(int columns, int rows) {
  /** Where the terminal does not know its size. */
  public static final Size USUAL = new Size(80, 24);

  private static final Pattern STTY = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");

  public Size {
    if (columns < 1 || rows < 1) {
      throw new IllegalArgumentException(columns + " columns, " + rows + " rows");
    }
  }

  /**
   * Reads what {@code stty size} prints: rows, a blank, columns. Empty where it is anything else. A
   * terminal that does not know its size reports zeros, and counts as {@link #USUAL}.
   */
  static Optional<Size> ofStty(String printed) {
    Matcher matcher = STTY.matcher(printed);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int rows = Integer.parseInt(matcher.group(1));
    int columns = Integer.parseInt(matcher.group(2));
    return Optional.of(columns == 0 || rows == 0 ? USUAL : new Size(columns, rows));
  }
}
