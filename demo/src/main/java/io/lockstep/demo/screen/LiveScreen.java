package io.lockstep.demo.screen;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Draws the demo on a terminal, at the size that the terminal has now. Thread-safe. */
public final class LiveScreen implements DemoScreen {
  private static final int EVENTS_KEPT = 200;

  private final Terminal terminal;
  private final TerminalCapabilities capabilities;
  private final long startNanos = System.nanoTime();
  private final Deque<String> events = new ArrayDeque<>();
  private String status = "";
  private @Nullable FlowList flows;

  /** A screen that has drawn nothing yet. */
  public LiveScreen(Terminal terminal, TerminalCapabilities capabilities) {
    this.terminal = terminal;
    this.capabilities = capabilities;
  }

  /** What the demo does or waits for. */
  public synchronized void status(String text) {
    status = text;
  }

  /** Shows flow entries in place of everything else; null ends that. */
  public synchronized void flows(@Nullable FlowList list) {
    flows = list;
  }

  @Override
  public synchronized void event(String text) {
    events.addLast(DemoScreen.elapsed(elapsedMillis()) + "  " + text);
    if (events.size() > EVENTS_KEPT) {
      events.removeFirst();
    }
  }

  @Override
  public synchronized void show(Picture picture) {
    View view = new View(elapsedMillis(), status, picture, List.copyOf(events), flows);
    terminal.draw(Layout.lines(view, terminal.size(), capabilities));
  }

  /** Since the screen was made. */
  public long elapsedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }
}
