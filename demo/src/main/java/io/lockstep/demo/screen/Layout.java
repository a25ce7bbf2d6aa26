package io.lockstep.demo.screen;

import io.lockstep.deploy.status.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Lays the demo out for a size: lines are clipped at its columns, and where its rows do not
 * suffice, the least important go first. Pure.
 */
final class Layout {
  // The larger, the longer a row stays.
  private static final int HEADER = 1000;
  private static final int KEYS = 990;
  private static final int NODE = 980;
  private static final int NODE_HEAD = 970;
  private static final int DOMAIN = 960;
  private static final int PINGS = 950;
  private static final int NEWEST_EVENT = 940;
  private static final int STATUS = 930;
  private static final int LOST = 920;
  private static final int NETWORK = 910;
  private static final int LATE_EVENT = 900;
  private static final int LEGEND = 890;
  private static final int BLANK = 880;
  private static final int OLD_EVENT = 870;

  /** These many events stay longer than the legend. */
  private static final int LATE_EVENTS = 3;

  private static final String ACTION_KEYS =
      "k kill a node  r start it  l cut a link  m move a host  f flows  q quit";
  private static final String FLOW_KEYS = "f next switch  Esc back  q quit";

  private final View view;
  private final Size size;
  private final TerminalCapabilities capabilities;
  private final List<Row> rows = new ArrayList<>();

  private Layout(View view, Size size, TerminalCapabilities capabilities) {
    this.view = view;
    this.size = size;
    this.capabilities = capabilities;
  }

  /** A row; those at the bottom stand at the lower edge of the screen. */
  private record Row(int importance, boolean bottom, StyledLine line) {}

  /** The lines from the top, no more than the size has rows. */
  static List<String> lines(View view, Size size, TerminalCapabilities capabilities) {
    Layout layout = new Layout(view, size, capabilities);
    FlowList flows = view.flows();
    if (flows == null) {
      layout.overview();
    } else {
      layout.flows(flows);
    }
    layout.fit();
    return layout.rows.stream()
        .map(row -> row.line.render(size.columns(), capabilities.colour()))
        .toList();
  }

  private void overview() {
    header();
    add(STATUS, StyledLine.of(Style.BOLD, view.status()));
    blank();
    nodes();
    blank();
    view.picture().domains().forEach(domain -> add(DOMAIN, line(domain)));
    network();
    blank();
    pings();
    blank();
    events();
    legend();
    bottom(KEYS, StyledLine.of(Style.BOLD, ACTION_KEYS));
  }

  private void header() {
    add(
        HEADER,
        StyledLine.of(Style.BOLD, "Lockstep demo")
            .and("   " + DemoScreen.elapsed(view.elapsedMillis()).strip()));
  }

  private void nodes() {
    TextTable table = new TextTable("NODE", "STATE", "REPLICA", "LEADER", "MASTERS");
    List<Picture.Node> nodes = view.picture().nodes();
    for (Picture.Node node : nodes) {
      String masters = String.join(" ", node.masters());
      table.row(node.id(), node.state(), node.replica(), node.leader() ? "*" : "", masters);
    }
    List<String> lines = table.lines();
    add(NODE_HEAD, StyledLine.of(lines.get(0)));
    for (int i = 0; i < nodes.size(); i++) {
      boolean up = nodes.get(i).state() == Picture.NodeState.UP;
      add(NODE, StyledLine.of(up ? Style.ofNode(i) : Style.RED, lines.get(i + 1)));
    }
  }

  private StyledLine line(Picture.Domain domain) {
    String circles =
        capabilities.mastered().repeat(domain.mastered())
            + capabilities.masterless().repeat(Math.max(0, domain.switches() - domain.mastered()));
    String name = "domain " + domain.name() + " ".repeat(Math.max(1, 9 - domain.name().length()));
    return StyledLine.of(name)
        .and(Style.ofNode(domain.master()), circles)
        .and("  master " + domain.masterId())
        .and(", " + domain.mastered() + " of " + domain.switches() + " switches");
  }

  private void network() {
    Picture.Links links = view.picture().links();
    StyledLine line = label("links").and(links.known() + " of " + links.all() + " known");
    add(NETWORK, links.cut().isEmpty() ? line : line.and(Style.RED, "  cut: " + links.cut()));
    String hosts =
        view.picture().hosts().stream()
            .map(host -> host.name() + "@" + host.at())
            .collect(Collectors.joining(" "));
    add(NETWORK, label("hosts").and(hosts));
  }

  private void pings() {
    Picture.Pings pings = view.picture().pings();
    if (pings.sent() == 0) {
      add(PINGS, label("pings").and("warming up: " + pings.warmUp() + " sent"));
      return;
    }
    Style lost = pings.lost() == 0 ? Style.GREEN : Style.RED;
    add(
        PINGS,
        label("pings")
            .and(pings.sent() + " sent, ")
            .and(lost, pings.lost() + " lost")
            .and(", longest gap " + pings.longestGapMillis() + " ms"));
    add(
        LOST,
        label("lost")
            .and(pings.before().lost() + " before the kill, ")
            .and(pings.during().lost() + " until the take-over, ")
            .and(pings.after().lost() + " after it, ")
            .and(pings.changes().lost() + " at changes"));
  }

  private static StyledLine label(String name) {
    return StyledLine.of(name + " ".repeat(7 - name.length()));
  }

  private void events() {
    List<String> events = view.events();
    for (int i = 0; i < events.size(); i++) {
      int age = events.size() - 1 - i;
      int importance = age == 0 ? NEWEST_EVENT : age <= LATE_EVENTS ? LATE_EVENT : OLD_EVENT;
      add(importance, StyledLine.of(events.get(i)));
    }
  }

  private void legend() {
    String mastered =
        capabilities.mastered() + " its master acts on the switch, in the colour of that node";
    legend(mastered + "; " + capabilities.masterless() + " no master");
    legend("LEADER * proposes the order of operations in the store");
    legend("the take-over lasts from kill -9 until 1 s after another node masters all");
  }

  private void legend(String text) {
    bottom(LEGEND, StyledLine.of(Style.DIM, text));
  }

  private void flows(FlowList flows) {
    header();
    add(STATUS, StyledLine.of(Style.BOLD, flows.title()));
    blank();
    TextTable table = new TextTable("PRIORITY", "MATCH", "ACTIONS", "PACKETS");
    for (FlowList.Entry entry : flows.entries()) {
      table.row(entry.priority(), entry.match(), entry.actions(), entry.packets());
    }
    List<String> lines = table.lines();
    add(NODE_HEAD, StyledLine.of(Style.BOLD, lines.get(0)));
    // The last entries go first.
    for (int i = 1; i < lines.size(); i++) {
      add(Math.max(0, OLD_EVENT - i), StyledLine.of(lines.get(i)));
    }
    bottom(KEYS, StyledLine.of(Style.BOLD, FLOW_KEYS));
  }

  private void blank() {
    add(BLANK, StyledLine.EMPTY);
  }

  private void add(int importance, StyledLine line) {
    rows.add(new Row(importance, false, line));
  }

  private void bottom(int importance, StyledLine line) {
    rows.add(new Row(importance, true, line));
  }

  /** Takes away the least important rows, of equals the first, or fills up above the bottom. */
  private void fit() {
    while (rows.size() > size.rows()) {
      int least = 0;
      for (int i = 1; i < rows.size(); i++) {
        least = rows.get(i).importance < rows.get(least).importance ? i : least;
      }
      rows.remove(least);
    }
    int fill = 0;
    while (fill < rows.size() && !rows.get(fill).bottom) {
      fill++;
    }
    while (rows.size() < size.rows()) {
      rows.add(fill, new Row(BLANK, false, StyledLine.EMPTY));
    }
  }
}
