package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.deploy.admin.AdminServer;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.Distribution;
import io.lockstep.deploy.testbed.OneNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests as ONOS's documentation shows them, to a real node with emulated switches. */
class OnosRestIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String DEVICE = "of:0000000000000001";
  private static final int PRIORITY = 40_123;

  private final HttpClient http = HttpClient.newHttpClient();
  private OneNode node;
  private AdminServer admin;
  private EmulatedNetwork network;

  @BeforeEach
  void start() throws IOException {
    node = OneNode.start();
    admin = ServedOnos.over(node, new Listener("127.0.0.1", 0));
    network = EmulatedNetwork.start(Topologies.linear(2, 1), List.of(node.address()));
  }

  @AfterEach
  void stop() {
    network.close();
    admin.close();
    node.close();
  }

  private String url() {
    return "http://127.0.0.1:" + admin.port();
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url() + path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  private JsonNode get(String path) throws Exception {
    HttpResponse<String> response = send("GET", path, "");
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return new ObjectMapper().readTree(response.body());
  }

  private long inSwitch() {
    return network
        .switchNamed("s1")
        .inspect(
            model ->
                model.pipeline().tables().get(0).entries().stream()
                    .filter(entry -> entry.priority() == PRIORITY)
                    .count())
        .join();
  }

  @Test
  void requestsAsOnosDocumentsThemWork() throws Exception {
    Await.until(
        "the hosts reach each other",
        PATIENCE,
        () -> network.ping("h1", "h2", Duration.ofSeconds(2)).join().complete(),
        () -> String.valueOf(node.status()));
    Await.until(
        "the hosts are shown",
        PATIENCE,
        () -> get("/onos/v1/hosts").path("hosts").size() == 2,
        this::url);
    JsonNode topology = get("/onos/v1/topology");
    assertThat(topology.path("devices").asInt()).isEqualTo(2);
    assertThat(topology.path("links").asInt()).isEqualTo(2);
    assertThat(topology.path("clusters").asInt()).isEqualTo(1);
    assertThat(get("/onos/v1/topology/clusters/0/devices").path("devices")).hasSize(2);
    JsonNode link =
        get("/onos/v1/links?device=" + DEVICE + "&direction=EGRESS").path("links").path(0);
    String end = DEVICE + ":" + link.path("src").path("port").asText();
    assertThat(get("/onos/v1/topology/infrastructure/" + end).path("infrastructure").asBoolean())
        .isTrue();
    aFlowIsPostedAndDeleted();
    CommandRun script =
        CommandRun.of(
            PATIENCE,
            Map.of(),
            Path.of("/bin/sh"),
            Distribution.root().resolve("examples/onos-rest.sh").toString(),
            url(),
            DEVICE);
    assertThat(script.exitCode()).as(script.out() + script.err()).isZero();
    assertThat(script.out()).contains("201 POST /flows/" + DEVICE, "all answers were as expected");
  }

  private void aFlowIsPostedAndDeleted() throws Exception {
    HttpResponse<String> posted =
        send(
            "POST",
            "/onos/v1/flows/" + DEVICE + "?appId=org.onosproject.core",
            """
            {"priority": 40123, "timeout": 0, "isPermanent": true,
             "deviceId": "of:0000000000000001",
             "treatment": {"instructions": [{"type": "OUTPUT", "port": "CONTROLLER"}]},
             "selector": {"criteria": [{"type": "ETH_TYPE", "ethType": "0x88cd"}]}}
            """);
    assertThat(posted.statusCode()).as(posted.body()).isEqualTo(201);
    String flow = posted.headers().firstValue("Location").orElseThrow();
    assertThat(get(flow).path("flows").path(0).path("appId").asText())
        .as("it is shown at once")
        .isEqualTo("org.onosproject.core");
    Await.until(
        "the switch has the flow",
        PATIENCE,
        () -> get(flow).path("flows").path(0).path("state").asText().equals("ADDED"),
        () -> flow);
    assertThat(inSwitch()).isEqualTo(1);
    assertThat(send("DELETE", flow, "").statusCode()).isEqualTo(204);
    Await.until(
        "the flow is gone", PATIENCE, () -> send("GET", flow, "").statusCode() == 404, () -> flow);
    assertThat(inSwitch()).isZero();
  }
}
