package io.lockstep.deploy.demo;

import io.lockstep.deploy.status.TextTable;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/**
 * Shows the demo on standard error: a table that redraws itself where that is a terminal, otherwise
 * what happens and one plain line every few seconds. Thread-safe.
 */
final class DemoScreen {
  private static final int EVENTS_SHOWN = 8;
  private static final long PLAIN_LINE_NANOS = 3_000_000_000L;
  private static final String[] COLOURS = {"\033[32m", "\033[36m", "\033[35m"};
  private static final String RED = "\033[31m";
  private static final String BOLD = "\033[1m";
  private static final String PLAIN = "\033[0m";

  private final PrintStream out;
  private final boolean terminal;
  private final long startNanos = System.nanoTime();
  private final Deque<String> events = new ArrayDeque<>();
  private int linesDrawn;
  private long lastPlainLine = startNanos;

  DemoScreen(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /**
   * One node's line.
   *
   * @param state up, starting or down
   */
  record NodeLine(String id, String state, String replica, boolean leader, List<String> masters) {}

  /** One domain's line; {@code master} is a position among the nodes, -1 for none. */
  record DomainLine(String name, int master, String masterId, int mastered, int switches) {}

  /** Everything to show. */
  record Picture(List<NodeLine> nodes, List<DomainLine> domains, PingBoard.Tally pings) {}

  /** Something happened: shown at once and, on a terminal, kept for a while. */
  synchronized void event(String text) {
    String line = elapsed() + "  " + text;
    if (!terminal) {
      out.println(line);
      return;
    }
    events.addLast(line);
    if (events.size() > EVENTS_SHOWN) {
      events.removeFirst();
    }
  }

  /** Redraws, or prints a plain line when it is time for one. */
  synchronized void show(Picture picture) {
    if (terminal) {
      redraw(picture);
      return;
    }
    long now = System.nanoTime();
    if (now - lastPlainLine >= PLAIN_LINE_NANOS) {
      lastPlainLine = now;
      out.println(plainLine(picture));
    }
  }

  private String plainLine(Picture picture) {
    StringBuilder line = new StringBuilder(elapsed()).append("  nodes");
    for (NodeLine node : picture.nodes()) {
      line.append(' ').append(node.id()).append('=').append(node.state());
      line.append(node.leader() ? "(leader)" : "");
    }
    line.append(", masters");
    for (DomainLine domain : picture.domains()) {
      line.append(' ').append(domain.name()).append('=').append(domain.masterId());
    }
    return line.append(", ").append(pings(picture.pings())).toString();
  }

  private void redraw(Picture picture) {
    List<String> lines = new ArrayList<>();
    lines.add(BOLD + "Lockstep demo" + PLAIN + "   " + elapsed());
    lines.add("");
    TextTable table = new TextTable("NODE", "STATE", "REPLICA", "LEADER", "MASTERS");
    for (NodeLine node : picture.nodes()) {
      String masters = String.join(" ", node.masters());
      table.row(node.id(), node.state(), node.replica(), node.leader() ? "*" : "", masters);
    }
    List<String> rows = table.lines();
    lines.add(rows.get(0));
    for (int i = 1; i < rows.size(); i++) {
      boolean up = picture.nodes().get(i - 1).state().equals("up");
      lines.add((up ? COLOURS[(i - 1) % COLOURS.length] : RED) + rows.get(i) + PLAIN);
    }
    lines.add("");
    for (DomainLine domain : picture.domains()) {
      String colour = domain.master() < 0 ? RED : COLOURS[domain.master() % COLOURS.length];
      lines.add(
          String.format(
              Locale.ROOT,
              "domain %-8s %s%s%s  master %s, %d of %d switches",
              domain.name(),
              colour,
              "\u25cf".repeat(domain.mastered())
                  + "\u25cb".repeat(domain.switches() - domain.mastered()),
              PLAIN,
              domain.masterId(),
              domain.mastered(),
              domain.switches()));
    }
    lines.add("");
    lines.add(pings(picture.pings()));
    lines.add("");
    lines.addAll(events);
    StringBuilder text = new StringBuilder();
    if (linesDrawn > 0) {
      text.append("\033[").append(linesDrawn).append('A');
    }
    for (String line : lines) {
      text.append(line).append("\033[K\n");
    }
    text.append("\033[J");
    linesDrawn = lines.size();
    out.print(text);
    out.flush();
  }

  private static String pings(PingBoard.Tally tally) {
    long sent = 0;
    long lost = 0;
    for (PingBoard.Phase phase : PingBoard.Phase.values()) {
      if (phase != PingBoard.Phase.WARM_UP) {
        sent += tally.of(phase).sent();
        lost += tally.of(phase).lost();
      }
    }
    return String.format(
        Locale.ROOT,
        "pings: %d sent, %d lost, longest gap %d ms%s",
        sent,
        lost,
        tally.longestGapMillis(),
        sent == 0
            ? " (warming up: " + tally.of(PingBoard.Phase.WARM_UP).sent() + " sent)"
            : String.format(
                Locale.ROOT,
                " (lost before the kill %d, until the take-over %d, after it %d)",
                tally.of(PingBoard.Phase.BEFORE).lost(),
                tally.of(PingBoard.Phase.DURING).lost(),
                tally.of(PingBoard.Phase.AFTER).lost()));
  }

  private String elapsed() {
    long millis = (System.nanoTime() - startNanos) / 1_000_000;
    return String.format(Locale.ROOT, "%3d.%03d s", millis / 1000, millis % 1000);
  }
}
