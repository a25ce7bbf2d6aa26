package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.host.PingResult;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.ClusterProcesses;
import io.lockstep.deploy.testbed.CommandRun;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator asks real nodes for devices: by each address, by place, after a move, and wrongly.
 */
class DevicesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final DomainPlan LEFT = new DomainPlan("left", List.of(1L, 2L), 0);
  private static final DomainPlan RIGHT = new DomainPlan("right", List.of(3L), 1);
  private static final int NEW_PORT = 77;

  @TempDir private Path directory;

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void devicesAreFoundWhereTheyAre() throws Exception {
    try (ClusterProcesses cluster = ClusterProcesses.start(directory, List.of(LEFT, RIGHT));
        EmulatedNetwork network =
            EmulatedNetwork.start(Topologies.ring(3, 1), controllers(cluster))) {
      Await.until(
          "every host reaches every other",
          PATIENCE,
          () ->
              network.pingAll(Duration.ofSeconds(2)).join().stream().allMatch(PingResult::complete),
          cluster::logs);
      EmulatedHost host = network.hostNamed("h1");
      String mac = host.mac().toString();
      String ip = host.address().toString();
      Await.until(
          "the host's address is known",
          PATIENCE,
          () -> find(cluster, 2, ip).size() == 1,
          cluster::logs);
      JsonNode device = find(cluster, 0, mac).get(0);
      assertThat(device.path("mac").asText()).isEqualToIgnoringCase(mac);
      String dpid = device.path("atSwitch").asText();
      assertThat(dpid).isEqualTo("0000000000000001");
      String place = dpid + "/" + device.path("atPort").asText();
      assertThat(find(cluster, 1, place)).isEqualTo(find(cluster, 2, ip));
      assertThat(find(cluster, 1, "1")).hasSize(1);
      assertThat(run(cluster, 0).out()).contains("LAST SEEN", ip);
      single(cluster, device.path("id").asText());
      wrong(cluster);

      network.moveHost("h1", "s3", NEW_PORT);
      Await.until(
          "the index shows the host at its new place",
          PATIENCE,
          () -> {
            host.announce();
            return find(cluster, 0, "3/" + NEW_PORT).size() == 1;
          },
          cluster::logs);
      assertThat(run(cluster, 0, place).exitCode())
          .as("no host is left")
          .isEqualTo(ExitCode.FAILED);
      assertThat(run(cluster, 0, ip).out()).contains("was at", "  " + place + " from ");
    }
  }

  /** One device has a path of its own. */
  private void single(ClusterProcesses cluster, String id) throws Exception {
    HttpResponse<String> found = get(cluster, "/api/v1/devices/" + id);
    assertThat(found.statusCode()).as(found.body()).isEqualTo(200);
    assertThat(new ObjectMapper().readTree(found.body()).path("id").asText()).isEqualTo(id);
    HttpResponse<String> unknown = get(cluster, "/api/v1/devices/02:00:00:00:aa:bb/None");
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(unknown.body()).contains("remedy");
    HttpResponse<String> onos = get(cluster, "/onos/v1/hosts/" + id);
    assertThat(onos.statusCode()).as("as scripts for ONOS ask: " + onos.body()).isEqualTo(200);
    assertThat(get(cluster, "/api/v1/devices/h1").statusCode()).isEqualTo(400);
    assertThat(get(cluster, "/api/v1/devices?next=zz").statusCode()).isEqualTo(400);
    assertThat(get(cluster, "/api/v1/devices?next=" + "a".repeat(59)).statusCode()).isEqualTo(400);
  }

  private HttpResponse<String> get(ClusterProcesses cluster, String path) throws Exception {
    URI uri = URI.create("http://" + cluster.plan().adminEndpoint(0) + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private static void wrong(ClusterProcesses cluster) throws Exception {
    CommandRun name = run(cluster, 0, "h1");
    assertThat(name.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(name.err()).contains("'h1' names no device", "remedy: give a MAC address");
    CommandRun unknown = run(cluster, 0, "10.9.9.9");
    assertThat(unknown.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(unknown.err()).contains("no device is known at or as 10.9.9.9", "remedy: ");
  }

  private static CommandRun run(ClusterProcesses cluster, int node, String... words)
      throws Exception {
    List<String> line = new ArrayList<>(List.of("devices"));
    line.addAll(List.of(words));
    line.addAll(List.of("-e", cluster.plan().adminEndpoint(node), "--timeout", "30000"));
    return CommandRun.lockstep(PATIENCE, line.toArray(String[]::new));
  }

  private static JsonNode find(ClusterProcesses cluster, int node, String which) throws Exception {
    CommandRun run = run(cluster, node, which, "-o", "json");
    return new ObjectMapper().readTree(run.exitCode() == ExitCode.DONE ? run.out() : "[]");
  }

  private static List<InetSocketAddress> controllers(ClusterProcesses cluster) {
    return IntStream.range(0, cluster.plan().nodes())
        .mapToObj(
            i ->
                new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), cluster.plan().openflowPort(i)))
        .toList();
  }
}
