package io.lockstep.demo.screen;

import java.util.Locale;

/** Shows the demo. Thread-safe. */
public interface DemoScreen {

  /** Something happened. */
  void event(String text);

  /** Shows the state, where it is time for that. */
  void show(Picture picture);

  /** Seconds and milliseconds, 9 columns and more. */
  static String elapsed(long millis) {
    return String.format(Locale.ROOT, "%3d.%03d s", millis / 1000, millis % 1000);
  }
}
