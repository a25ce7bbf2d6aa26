package io.lockstep.demo;

import io.lockstep.demo.DemoStage.Takeover;
import io.lockstep.demo.screen.Picture.Pings;
import java.util.ArrayList;
import java.util.List;

/**
 * What the demo leaves on the terminal when it ends. Pure.
 *
 * @param userActions what the user did, in order
 */
record DemoSummary(
    long elapsedMillis, Pings pings, List<Takeover> takeovers, List<String> userActions) {
  /** Longer lists end with how many more there are. */
  private static final int SHOWN = 8;

  private static final List<String> NEXT =
      List.of(
          "  ./lockstep demo --ci       the same story as a check, with one line of JSON",
          "  ./lockstep node --config examples/three-nodes/node-1.yaml",
          "                             a cluster of your own; node-2 and node-3 beside it",
          "  ./lockstep status          what that cluster reports");

  DemoSummary {
    takeovers = List.copyOf(takeovers);
    userActions = List.copyOf(userActions);
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("Lockstep demo: ended after " + elapsedMillis / 1000 + " s");
    lines.addAll(pingLines());
    List<String> said =
        takeovers.stream()
            .map(one -> one.domain() + " by " + one.successor() + " in " + one.millis() + " ms")
            .toList();
    lines.addAll(list("take-overs", said));
    lines.addAll(list("you", userActions));
    lines.add("");
    lines.add("Try next:");
    lines.addAll(NEXT);
    return lines;
  }

  private List<String> pingLines() {
    if (pings.sent() == 0) {
      return List.of(row("pings", "none counted: not all hosts answered yet"));
    }
    return List.of(
        row(
            "pings",
            pings.sent()
                + " sent, "
                + pings.lost()
                + " lost, longest gap "
                + pings.longestGapMillis()
                + " ms"),
        row(
            "lost",
            pings.before().lost()
                + " before the kill, "
                + pings.during().lost()
                + " until the take-over, "
                + pings.after().lost()
                + " after it,"),
        row("", pings.changes().lost() + " where a link or a host changed"));
  }

  private static List<String> list(String name, List<String> items) {
    if (items.isEmpty()) {
      return List.of(row(name, "none"));
    }
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < Math.min(SHOWN, items.size()); i++) {
      lines.add(row(i == 0 ? name : "", items.get(i)));
    }
    if (items.size() > SHOWN) {
      lines.add(row("", "and " + (items.size() - SHOWN) + " more"));
    }
    return lines;
  }

  private static String row(String name, String text) {
    return "  " + name + " ".repeat(12 - name.length()) + text;
  }
}
