package io.lockstep.demo.screen;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Prints what happens, and one plain line every few seconds: for pipes and files. Thread-safe. */
public final class PlainScreen implements DemoScreen {
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final PrintStream out;
  private final long startNanos = System.nanoTime();
  private long lastLine = startNanos;

  /** A screen that has printed nothing yet. */
  public PlainScreen(PrintStream out) {
    this.out = out;
  }

  @Override
  public synchronized void event(String text) {
    out.println(elapsed() + "  " + text);
  }

  @Override
  public synchronized void show(Picture picture) {
    long now = System.nanoTime();
    if (now - lastLine >= LINE_NANOS) {
      lastLine = now;
      out.println(elapsed() + "  " + words(picture));
    }
  }

  /** The state in one line. */
  static String words(Picture picture) {
    StringBuilder line = new StringBuilder("nodes");
    for (Picture.Node node : picture.nodes()) {
      line.append(' ').append(node.id()).append('=').append(node.state());
      line.append(node.leader() ? "(leader)" : "");
    }
    line.append(", masters");
    for (Picture.Domain domain : picture.domains()) {
      line.append(' ').append(domain.name()).append('=').append(domain.masterId());
    }
    return line.append(", ").append(pings(picture.pings())).toString();
  }

  private static String pings(Picture.Pings pings) {
    String more =
        pings.sent() == 0
            ? " (warming up: " + pings.warmUp() + " sent)"
            : String.format(
                Locale.ROOT,
                " (lost before the kill %d, until the take-over %d, after it %d)",
                pings.before().lost(),
                pings.during().lost(),
                pings.after().lost());
    return String.format(
        Locale.ROOT,
        "pings: %d sent, %d lost, longest gap %d ms%s",
        pings.sent(),
        pings.lost(),
        pings.longestGapMillis(),
        more);
  }

  private String elapsed() {
    return DemoScreen.elapsed(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
  }
}
