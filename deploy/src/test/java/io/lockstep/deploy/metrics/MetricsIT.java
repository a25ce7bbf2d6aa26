package io.lockstep.deploy.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.NodeWithApplications;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code /metrics} of a real node with a real disk and two emulated switches says. */
class MetricsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String REMEDY =
      "no promtool; as root, ./lockstep test --install gets all that is needed";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private static Path directory;
  private static PortBlock ports;
  private static ClusterPlan plan;
  private static NodeWithApplications node;

  @BeforeAll
  static void start() throws Exception {
    ports = PortBlock.take();
    plan =
        new ClusterPlan(
            directory,
            "metrics",
            1,
            ports,
            List.of(new ClusterPlan.DomainPlan("all", List.of(1L, 2L), 0)),
            """
            limits: {packetsPerPort: 2}
            log: {format: json}
            switches: [{switches: ["2"], profile: ovs-small}]
            """);
    plan.writeConfigurationsWithKeys();
    node =
        NodeWithApplications.start(
            new ProcessBuilder(
                CommandRun.line("-Xmx256m", "node", "--config", plan.configFile(0).toString())),
            directory.resolve("n1.log"),
            plan.openflowPort(0));
    node.awaitPing(0, 3);
  }

  @AfterAll
  static void stop() {
    node.close();
    ports.close();
  }

  private static String scrape() throws Exception {
    URI uri = URI.create("http://" + plan.adminEndpoint(0) + "/metrics");
    return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  private static double value(String text, String sample) {
    return text.lines()
        .filter(line -> line.startsWith(sample + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(sample.length() + 1)))
        .findFirst()
        .orElse(Double.NaN);
  }

  private static boolean promtoolIsHere() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .anyMatch(path -> Files.isExecutable(Path.of(path, "promtool")));
  }

  /** What promtool says, which must end with 0. */
  private static String promtool(String input, String... arguments) throws Exception {
    List<String> line = new ArrayList<>(List.of(arguments));
    line.add(0, "promtool");
    Process promtool = new ProcessBuilder(line).redirectErrorStream(true).start();
    try (OutputStream in = promtool.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    }
    String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(promtool.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(promtool.exitValue()).as(said).isZero();
    return said;
  }

  @Test
  void promtoolFindsNothingToComplainOf() throws Exception {
    assumeTrue(promtoolIsHere(), REMEDY);
    assertThat(promtool(scrape(), "check", "metrics")).isEmpty();
  }

  /** So no panel and no alert waits for a metric that is never there. */
  @Test
  void eachMetricOfDashboardAndAlertsIsThere() throws Exception {
    Await.until(
        "packets are dropped",
        PATIENCE,
        () -> {
          node.announce(1, 20); // more than the quota at once, however slow the machine is
          return MetricLint.families(scrape()).contains("lockstep_packet_ins_dropped_total");
        },
        node::log);
    Set<String> families = MetricLint.families(scrape());
    Set<String> missing = new TreeSet<>(Monitoring.metrics());
    assertThat(missing).hasSizeGreaterThan(40);
    missing.removeIf(
        name ->
            families.contains(name)
                || families.contains(name.replaceAll("_(bucket|sum|count)$", "")));
    assertThat(missing).isEmpty();
  }

  @Test
  void promtoolTakesTheAlertsAndTheConfiguration() throws Exception {
    assumeTrue(promtoolIsHere(), REMEDY);
    assertThat(
            promtool(
                "", "check", "config", Monitoring.DIRECTORY.resolve("prometheus.yml").toString()))
        .contains("SUCCESS: " + Monitoring.alerts().size() + " rules found");
  }

  /** Each alert of the file that this test has series for comes, and no other one with it. */
  @Test
  void alertsComeWhenTheirMetricsSaySo() throws Exception {
    assumeTrue(promtoolIsHere(), REMEDY);
    Path rules = Monitoring.DIRECTORY.resolve("lockstep-alerts.yml");
    Files.copy(rules, directory.resolve("lockstep-alerts.yml"));
    Path tests = directory.resolve("alerts-test.yml");
    try (InputStream in = MetricsIT.class.getResourceAsStream("alerts-test.yml")) {
      Files.copy(Objects.requireNonNull(in), tests);
    }
    assertThat(promtool("", "test", "rules", tests.toString())).contains("SUCCESS");
  }

  @Test
  void logIsJsonWithNodeDomainAndEpoch() throws Exception {
    ObjectMapper json = new ObjectMapper();
    List<JsonNode> lines = new ArrayList<>();
    String log = node.log();
    // The node may be in the middle of its last line.
    for (String line : log.substring(0, log.lastIndexOf('\n') + 1).lines().toList()) {
      lines.add(json.readTree(line));
    }
    assertThat(lines)
        .isNotEmpty()
        .allSatisfy(
            line -> {
              assertThat(line.path("timestamp").asLong()).isPositive();
              assertThat(line.path("level").asText()).isIn("INFO", "WARN");
              JsonNode process = line.path("context").path("properties");
              assertThat(process.path("node").asText()).isEqualTo("n1");
              assertThat(process.path("cluster").asText()).isEqualTo("metrics");
            });
    assertThat(lines)
        .anySatisfy(
            line -> {
              assertThat(line.path("mdc").path("domain").asText()).isEqualTo("all");
              assertThat(line.path("mdc").path("epoch").asText()).isEqualTo("1");
              assertThat(line.path("formattedMessage").asText())
                  .isEqualTo("n1: domain all is mastered by n1 in epoch 1");
            });
  }

  @Test
  void whatHappenedIsCounted() throws Exception {
    Await.until(
        "what the network did is counted",
        PATIENCE,
        () -> {
          String seen = scrape();
          return value(seen, "lockstep_flow_setup_duration_seconds_count") > 0
              && value(seen, "lockstep_links") == 2;
        },
        node::log);
    String text = scrape();
    assertThat(MetricLint.problems(text)).isEmpty();
    for (String one :
        List.of(
            "lockstep_node_ready",
            "lockstep_node_answers",
            "lockstep_node_quorum",
            "lockstep_replica_quorum",
            "lockstep_replica_leads",
            "lockstep_replica_leader_known",
            "lockstep_replica_phase{phase=\"operational\"}",
            "lockstep_member_alive{node=\"n1\"}",
            "lockstep_domain_mastered{domain=\"all\"}",
            "lockstep_replica_members",
            "lockstep_replica_log_segments",
            "lockstep_mastership_claims_total")) {
      assertThat(value(text, one)).as(one).isEqualTo(1);
    }
    for (String one :
        List.of(
            "lockstep_switches_connected",
            "lockstep_switches_mastered",
            "lockstep_openflow_handshakes_total{outcome=\"done\"}",
            "lockstep_links")) {
      assertThat(value(text, one)).as(one).isEqualTo(2);
    }
    // A new cluster begins with the newest version that all know.
    assertThat(value(text, "lockstep_replica_cluster_version"))
        .isPositive()
        .isEqualTo(value(text, "lockstep_replica_newest_version"));
    for (String one :
        List.of(
            "lockstep_hosts",
            "lockstep_replica_instances_total",
            "lockstep_replica_log_records_total",
            "lockstep_replica_log_sync_duration_seconds_count",
            "lockstep_replica_log_bytes",
            "lockstep_replica_disk_free_bytes",
            "lockstep_replica_state_bytes{part=\"entries\"}",
            "lockstep_replica_state_limit_bytes{part=\"entries\"}",
            // Of a lease there is one only where the feed, which renews it, too, is late.
            "lockstep_store_operations_total{cause=\"feed\"}",
            "lockstep_store_client_operations_total{kind=\"write\",outcome=\"done\"}",
            "lockstep_store_client_operation_duration_seconds_count{kind=\"write\"}",
            "lockstep_packet_ins_total{what=\"received\"}",
            "lockstep_packet_outs_total{outcome=\"sent\"}",
            "lockstep_flow_mods_total{operation=\"add\"}",
            "lockstep_flow_mod_outcomes_total{outcome=\"installed\"}",
            "lockstep_application_decisions_total{application=\"learning-switch\"}",
            "lockstep_application_questions_total{application=\"learning-switch\"}",
            "jvm_memory_used_bytes{area=\"heap\"}",
            "process_cpu_seconds_total",
            "process_open_fds")) {
      assertThat(value(text, one)).as(one).isPositive();
    }
    assertThat(value(text, "lockstep_switches_without_master")).isZero();
    assertThat(text).contains("lockstep_node_info{cluster=\"metrics\",node=\"n1\"} 1");
  }
}
