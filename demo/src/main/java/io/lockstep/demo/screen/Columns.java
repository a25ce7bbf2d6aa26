package io.lockstep.demo.screen;

/** How many columns of a terminal text takes: 2 for wide characters, 0 for combining ones. */
final class Columns {
  /** Ranges of wide characters, first and last: East Asian scripts, full-width forms, emoji. */
  private static final int[] WIDE = {
    0x1100, 0x115f, 0x2e80, 0x303e, 0x3041, 0xa4cf, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe30, 0xfe6f,
    0xff00, 0xff60, 0xffe0, 0xffe6, 0x1f300, 0x1f64f, 0x1f680, 0x1f6ff, 0x1f900, 0x1f9ff, 0x20000,
    0x3fffd
  };

  private Columns() {}

  static int of(String text) {
    return text.codePoints().map(Columns::of).sum();
  }

  static int of(int codePoint) {
    int type = Character.getType(codePoint);
    if (type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || type == Character.FORMAT) {
      return 0;
    }
    for (int i = 0; i < WIDE.length; i += 2) {
      if (codePoint >= WIDE[i] && codePoint <= WIDE[i + 1]) {
        return 2;
      }
    }
    return 1;
  }

  /** The longest beginning of a text that takes no more than so many columns. */
  static String clip(String text, int columns) {
    int taken = 0;
    int end = 0;
    while (end < text.length()) {
      int codePoint = text.codePointAt(end);
      taken += of(codePoint);
      if (taken > columns) {
        break;
      }
      end += Character.charCount(codePoint);
    }
    return text.substring(0, end);
  }
}
