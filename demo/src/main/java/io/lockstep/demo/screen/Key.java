package io.lockstep.demo.screen;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a key asks for. */
public enum Key {
  KILL,
  START,
  LINK,
  MOVE,
  FLOWS,
  BACK,
  QUIT;

  private static final char ESCAPE = 27;

  /** Ctrl-C and Ctrl-D, where the terminal passes them on. */
  private static final String CONTROL_QUIT = "\u0003\u0004";

  /**
   * The keys of what one read from the terminal gave, in order; other keys mean nothing. A lone
   * escape is a key. A longer sequence, such as an arrow sends, is none.
   */
  public static List<Key> decode(byte[] bytes, int length) {
    String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    List<Key> keys = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      boolean sequence =
          c == ESCAPE
              && at + 1 < text.length()
              && (text.charAt(at + 1) == '[' || text.charAt(at + 1) == 'O');
      if (sequence) {
        at = endOfSequence(text, at + 2);
      } else {
        add(c, keys);
        at++;
      }
    }
    return keys;
  }

  /** Behind the letter or tilde that ends a control sequence (ECMA-48 section 5.4). */
  private static int endOfSequence(String text, int from) {
    int at = from;
    while (at < text.length() && (text.charAt(at) < '@' || text.charAt(at) > '~')) {
      at++;
    }
    return Math.min(at + 1, text.length());
  }

  private static void add(char c, List<Key> keys) {
    switch (Character.toLowerCase(c)) {
      case 'k' -> keys.add(KILL);
      case 'r' -> keys.add(START);
      case 'l' -> keys.add(LINK);
      case 'm' -> keys.add(MOVE);
      case 'f' -> keys.add(FLOWS);
      case 'q' -> keys.add(QUIT);
      case ESCAPE -> keys.add(BACK);
      default -> {
        if (CONTROL_QUIT.indexOf(c) >= 0) {
          keys.add(QUIT);
        }
      }
    }
  }
}
