package io.lockstep.demo.screen;

import java.util.ArrayList;
import java.util.List;

/** One line of text with styles. Immutable. */
record StyledLine(List<Span> spans) {
  static final StyledLine EMPTY = new StyledLine(List.of());

  StyledLine {
    spans = List.copyOf(spans);
  }

  /** Text in one style. A control character, which could move the cursor, becomes a blank. */
  record Span(Style style, String text) {
    Span {
      text = text.replaceAll("\\p{Cntrl}", " ");
    }
  }

  static StyledLine of(String text) {
    return EMPTY.and(Style.PLAIN, text);
  }

  static StyledLine of(Style style, String text) {
    return EMPTY.and(style, text);
  }

  /** The same line with more text at its end. */
  StyledLine and(Style style, String text) {
    List<Span> more = new ArrayList<>(spans);
    more.add(new Span(style, text));
    return new StyledLine(more);
  }

  /** The same line with more text at its end. */
  StyledLine and(String text) {
    return and(Style.PLAIN, text);
  }

  /** What a terminal is sent: at most so many columns, and with or without escape sequences. */
  String render(int columns, boolean colour) {
    StringBuilder out = new StringBuilder();
    int left = columns;
    for (Span span : spans) {
      String text = Columns.clip(span.text, left);
      left -= Columns.of(text);
      boolean styled = colour && span.style != Style.PLAIN && !text.isEmpty();
      out.append(styled ? span.style.on : "").append(text).append(styled ? Style.OFF : "");
      if (text.length() < span.text.length()) {
        break; // what follows would stand where this should go on
      }
    }
    return out.toString();
  }
}
