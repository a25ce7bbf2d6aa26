package io.lockstep.deploy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.deploy.onos.OnosRouter;
import io.lockstep.deploy.onos.RunningOnos;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ONOS's REST API over HTTP, before services of the test. */
class OnosRequestsTest {
  private static final String FLOW = "{\"priority\":1,\"isPermanent\":true}";
  private static final String FLOWS = "/flows/of:0000000000000001";

  private final HttpClient client = HttpClient.newHttpClient();
  private AdminServer server;

  @BeforeEach
  void open() throws IOException {
    server = AdminServer.open(new Listener("127.0.0.1", 0), () -> SampleReport.ready("n1"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> send(String method, String below, String body, String type)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.port() + OnosRouter.ROOT + below))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static void refused(HttpResponse<String> response, int status, String message)
      throws Exception {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    JsonNode body = new ObjectMapper().readTree(response.body());
    assertThat(body.path("code").asInt()).isEqualTo(status);
    assertThat(body.path("message").asText()).contains(message);
  }

  @Test
  void beforeTheNodeRunsItIsAskedAgain() throws Exception {
    refused(send("GET", "/devices", "", ""), 503, "no node runs");
  }

  @Test
  void requestsAreAnsweredWithStatusHeadersAndBody() throws Exception {
    server.offer(RunningOnos.router(false));
    HttpResponse<String> devices = send("GET", "/devices/of%3A0000000000000001", "", "");
    assertThat(devices.statusCode()).as(devices.body()).isEqualTo(200);
    assertThat(devices.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(devices.body()).contains("\"id\":\"of:0000000000000001\"");
    assertThat(send("HEAD", "/devices", "", "").statusCode()).isEqualTo(200);
    assertThat(send("GET", "/hosts/46:E4:3C:A4:17:C8/None", "", "").statusCode()).isEqualTo(200);
    assertThat(send("GET", "/hosts/46:E4:3C:A4:17:C8%2FNone", "", "").statusCode()).isEqualTo(400);
    HttpResponse<String> posted =
        send("POST", FLOWS + "?appId=org.x", FLOW, "application/json; charset=utf-8");
    assertThat(posted.statusCode()).as(posted.body()).isEqualTo(201);
    String location = posted.headers().firstValue("Location").orElse("");
    assertThat(location).startsWith(OnosRouter.ROOT + FLOWS + "/");
    String path = location.substring(OnosRouter.ROOT.length());
    assertThat(send("GET", path, "", "").body()).contains("\"appId\":\"org.x\"");
    HttpResponse<String> deleted = send("DELETE", path, "", "");
    assertThat(deleted.statusCode()).as(deleted.body()).isEqualTo(204);
    assertThat(deleted.body()).isEmpty();
    HttpResponse<String> after = send("GET", path, "", "");
    refused(after, 404, "Flow is not found");
  }

  @Test
  void bodiesAreBoundedAndSaidToBeJson() throws Exception {
    server.offer(RunningOnos.router(false));
    refused(send("POST", FLOWS, FLOW, ""), 415, "Content-Type: application/json");
    refused(send("POST", FLOWS, FLOW, "text/plain"), 415, "Content-Type: application/json");
    refused(send("POST", FLOWS, "", ""), 400, "the body is no JSON object");
    String large = " ".repeat(DomainDoor.MAX_FILE_BYTES) + FLOW;
    refused(send("POST", FLOWS, large, "application/json"), 413, "more than 1048576 bytes");
    HttpResponse<String> other = send("PATCH", FLOWS, FLOW, "application/json");
    refused(other, 405, "PATCH");
    assertThat(other.headers().firstValue("Allow")).hasValue("GET, POST");
  }

  /** What the node itself says of a failure is for its log. */
  @Test
  void noFailureLeavesTheNode() throws Exception {
    server.offer(RunningOnos.router(true));
    HttpResponse<String> failed = send("GET", "/devices", "", "");
    refused(failed, 500, "the node failed: see its log");
    assertThat(failed.body()).doesNotContain("secret", "Exception", "io.lockstep");
  }
}
