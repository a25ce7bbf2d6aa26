package io.lockstep.bench.page;

import io.lockstep.bench.drawing.LineStyle;
import java.util.List;

/** The variants in the order of the paper's table I, so that each looks alike in all figures. */
final class VariantOrder {
  private static final List<String> ALL =
      List.of("init", "cref", "vers", "cols", "micro", "cache", "own");

  private VariantOrder() {}

  /** The variant's place, from 0; unknown ones come last. */
  static int place(String variant) {
    int index = ALL.indexOf(variant);
    return index < 0 ? ALL.size() : index;
  }

  /** How its curve looks. */
  static LineStyle style(String variant) {
    return LineStyle.of(place(variant));
  }
}
