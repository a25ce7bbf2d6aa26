package io.lockstep.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A terminal that shows what it is sent, and knows the few control sequences that the demo uses. It
 * fails on any other, and on text beyond its right edge. Used by one thread.
 */
final class ScreenModel {
  private static final Pattern CONTROL = Pattern.compile("\033\\[(\\??)([0-9;]*)([A-Za-z])");

  private final List<StringBuilder> rows = new ArrayList<>();
  private final List<String> normal = new ArrayList<>();
  private final int columns;
  private int row;
  private int column;
  private int styles;
  private boolean alternate;
  private boolean cursorHidden;

  ScreenModel(int columns, int height) {
    this.columns = columns;
    for (int i = 0; i < height; i++) {
      rows.add(new StringBuilder());
    }
    normal.add("");
  }

  boolean alternate() {
    return alternate;
  }

  boolean cursorHidden() {
    return cursorHidden;
  }

  /** How many colours and weights were asked for. */
  int styles() {
    return styles;
  }

  /** The alternate screen. */
  String text() {
    return String.join("\n", rows);
  }

  /** What stands on the normal screen. */
  String normal() {
    return String.join("\n", normal);
  }

  /**
   * Takes text in.
   *
   * @return what is left over: a control sequence that is not yet complete
   */
  String take(String text) {
    Matcher control = CONTROL.matcher(text);
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c != '\033') {
        put(c);
        at++;
      } else if (control.find(at) && control.start() == at) {
        obey(control.group(1), control.group(2), control.group(3).charAt(0));
        at = control.end();
      } else {
        return text.substring(at);
      }
    }
    return "";
  }

  private void put(char c) {
    if (!alternate) {
      if (c == '\n') {
        normal.add("");
      } else if (c != '\r') {
        normal.set(normal.size() - 1, normal.get(normal.size() - 1) + c);
      }
      return;
    }
    if (c < ' ' || row >= rows.size() || column >= columns) {
      throw new AssertionError(
          "character " + (int) c + " at row " + row + ", column " + column + "\n" + text());
    }
    StringBuilder line = rows.get(row);
    while (line.length() <= column) {
      line.append(' ');
    }
    line.setCharAt(column++, c);
  }

  private void obey(String question, String parameters, char last) {
    switch (question + last) {
      case "?h" -> mode(parameters, true);
      case "?l" -> mode(parameters, false);
      case "m" -> styles += parameters.equals("0") ? 0 : 1;
      case "J" -> rows.forEach(line -> line.setLength(0));
      case "K" -> rows.get(row).setLength(0);
      case "H" -> {
        String[] place = parameters.split(";", -1);
        row = Integer.parseInt(place[0]) - 1;
        column = Integer.parseInt(place[1]) - 1;
        if (row >= rows.size()) {
          throw new AssertionError("row " + row + " of " + rows.size());
        }
      }
      default -> throw new AssertionError("unknown: " + question + parameters + last);
    }
  }

  private void mode(String number, boolean on) {
    switch (number) {
      case "1049" -> alternate = on;
      case "25" -> cursorHidden = !on;
      case "7" -> {}
      default -> throw new AssertionError("unknown mode " + number);
    }
  }
}
