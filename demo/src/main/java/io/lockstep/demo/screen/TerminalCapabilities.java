package io.lockstep.demo.screen;

import java.nio.charset.Charset;

/**
 * What the terminal may be sent.
 *
 * @param colour whether colours are wanted; without them the text is the same
 * @param circles whether the terminal's character set has circles; otherwise letters stand for them
 */
public record TerminalCapabilities(boolean colour, boolean circles) {

  /** For a character set; {@code NO_COLOR} with any content takes the colours away. */
  public static TerminalCapabilities of(Charset charset, String noColor) {
    return new TerminalCapabilities(
        noColor.isEmpty(), charset.newEncoder().canEncode("\u25cf\u25cb"));
  }

  String mastered() {
    return circles ? "\u25cf" : "M";
  }

  String masterless() {
    return circles ? "\u25cb" : "o";
  }
}
