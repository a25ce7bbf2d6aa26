package io.lockstep.deploy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.TablesText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RuleViewsTest {
  private static final String DPID = "000000000000001f";
  private static final PlacementReport TABLES =
      new PlacementReport(
          "5130",
          "the configuration names it",
          3,
          1,
          true,
          List.of(
              new PlacementReport.Layer(
                  "tcam",
                  0,
                  "hardware",
                  2,
                  1,
                  9,
                  1536,
                  32,
                  4,
                  1250,
                  List.of(new PlacementReport.Free("all other entries", 498)),
                  2,
                  "FLOW_MOD_FAILED/TABLE_FULL"),
              new PlacementReport.Layer(
                  "soft", 1, "software", 1, 0, 1, -1, 0, 0, 10, List.of(), 0, "")),
          List.of(new PlacementReport.Refused("ab12", "priority 5 (any)", "no room, 9 used")),
          1,
          List.of(
              new PlacementReport.Served("", "priority 9 (any)", "soft", 3, true),
              new PlacementReport.Served("cd34", "priority 6 (any)", "soft", 10, false)),
          2,
          7,
          8,
          new PlacementReport.PassingEntries(
              12,
              3,
              List.of(new PlacementReport.MissingEntry("ef56", "priority 10 (any)", 4.06)),
              2));
  private static final RuleReport RULE =
      new RuleReport(
          "priority 6 (any)",
          "soft",
          1_000,
          10,
          false,
          2,
          3,
          List.of("priority 7 (any)"),
          List.of("tcam: would take 3 units"),
          "comes forward when 3 units come free");

  private AdminServer server;

  @BeforeEach
  void open() throws IOException {
    RuleSource rules =
        new RuleSource() {
          @Override
          public Map<String, PlacementReport> tables() {
            return Map.of(DPID, TABLES);
          }

          @Override
          public Map<String, RuleReport> explain(long flowId) {
            return flowId == 0xcd34 ? Map.of(DPID, RULE) : Map.of();
          }

          @Override
          public String metrics() {
            return "# HELP a_total is \u00e4.\n# TYPE a_total counter\na_total 1.0\n";
          }
        };
    server =
        AdminServer.open(
            new Listener("127.0.0.1", 0), List.of(), () -> SampleReport.ready("n1"), rules);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private AdminClient client() {
    return new AdminClient("127.0.0.1:" + server.port(), 60_000);
  }

  @Test
  void tablesAndExplanationsGoOverHttpUnchanged() throws IOException {
    assertThat(client().tables()).isEqualTo(Map.of(DPID, TABLES));
    assertThat(client().explain(0xcd34)).isEqualTo(Map.of(DPID, RULE));
    assertThat(client().explain(1)).isEmpty();
  }

  @Test
  void metricsAreInTheTextFormat() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
            .build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertThat(answer.body())
        .isEqualTo("# HELP a_total is \u00e4.\n# TYPE a_total counter\na_total 1.0\n");
    assertThat(answer.headers().firstValue("Content-Type"))
        .contains("text/plain; version=0.0.4; charset=utf-8");
  }

  /**
   * Tables whose node lists 30 of 40 refused rules, and 2 of 3 in software. The table in software
   * has a cover and a copy of a rule in hardware besides.
   */
  private static PlacementReport many() {
    List<PlacementReport.Refused> refused =
        Stream.iterate(0, i -> i + 1)
            .limit(30)
            .map(i -> new PlacementReport.Refused("id" + i, "priority 5 (any)", "no room"))
            .toList();
    PlacementReport.Layer soft =
        new PlacementReport.Layer("soft", 1, "software", 5, 1, 5, -1, 0, 0, 10, List.of(), 0, "");
    return new PlacementReport(
        "5130", "", 43, 0, false, List.of(soft), refused, 40, TABLES.software(), 3, 0, 0, null);
  }

  @Test
  void aListThatIsCutSaysWhatItLeavesOut() {
    assertThat(TablesText.tables(DPID, many()))
        .contains(
            "  and 10 more refused, which --all shows",
            "  and 10 more refused, which the node does not list here: ./lockstep flows --switch "
                + DPID
                + " lists those that the cluster keeps, nothing lists those of applications",
            "  and 1 more in software, which the node does not list here: ./lockstep flows"
                + " --switch "
                + DPID
                + " lists those that the cluster keeps, nothing lists those of applications",
            "  not listed: 40 rules in hardware or hidden by others, covers, and entries for ports"
                + " and groups that a fixed pipeline needs")
        .filteredOn(line -> line.startsWith("  refused"))
        .hasSize(TablesText.USUAL);
    assertThat(TablesText.tables(DPID, many(), Integer.MAX_VALUE))
        .filteredOn(line -> line.startsWith("  refused"))
        .hasSize(30);
    assertThat(TablesText.tables(DPID, many(), Integer.MAX_VALUE))
        .noneMatch(line -> line.contains("--all"));
  }

  @Test
  void tablesAreShownWithUseRoomRefusalsAndSoftware() {
    assertThat(String.join("\n", TablesText.tables(DPID, TABLES)))
        .contains("Switch " + DPID + ": profile 5130, 3 rules, 1 waiting, 1 refused, changing")
        .contains("9/1536")
        .contains("1/unbounded")
        .contains("tcam, free: 498, all other entries")
        .contains("the switch refused 2 entries")
        .contains("TABLE_FULL")
        .contains("refused ab12: no room, 9 used")
        .contains("in software priority 9 (any), in soft, 3 bytes/s, pinned")
        .contains("in software cd34: priority 6 (any), in soft, 10 bytes/s")
        .contains("entries of applications: 12 in the switch, 2 not")
        .contains("displaced by entries with more traffic: 3")
        .contains("not in the switch ef56: priority 10 (any), at least 4.1 packets/s")
        .contains(
            "and 1 more not in the switch, which the node does not list here: these have the"
                + " fewest packets, and nothing lists them")
        .contains("not listed: 1 rules in hardware or hidden by others")
        .doesNotContain("10 bytes/s, pinned");
    assertThat(String.join("\n", TablesText.rule(DPID, RULE)))
        .contains("where: soft, since 1970-01-01T00:00:01Z")
        .contains("traffic: 10 bytes/s, number 2 of 3 rules")
        .contains("why: tcam: would take 3 units")
        .contains("below: priority 7 (any)")
        .contains("what would move it: comes forward");
  }
}
