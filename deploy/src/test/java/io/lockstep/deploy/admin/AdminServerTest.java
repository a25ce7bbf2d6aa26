package io.lockstep.deploy.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.deploy.config.NodeSettings.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminServerTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  private volatile NodeReport report = SampleReport.ready("n1");
  private AdminServer server;

  @BeforeEach
  void open() throws IOException {
    server = AdminServer.open(new Listener("127.0.0.1", 0), () -> report);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .method(method, BodyPublishers.noBody())
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Test
  void statusIsTheWholeReport() throws Exception {
    HttpResponse<String> response = send("GET", "/api/v1/status");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type")).contains("application/json");
    assertThat(json.readValue(response.body(), NodeReport.class)).isEqualTo(report);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nodes", "replica", "switches", "links", "hosts"})
  void eachPartHasAPathOfItsOwn(String part) throws Exception {
    HttpResponse<String> response = send("GET", "/api/v1/" + part);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(json.readTree(response.body()).isArray()).isTrue();
    assertThat(json.readTree(response.body())).isNotEmpty();
  }

  @Test
  void readinessIsAStatusCodeAndSaysWhyNot() throws Exception {
    assertThat(send("GET", "/health/live").statusCode()).isEqualTo(200);
    assertThat(send("GET", "/health/ready").statusCode()).isEqualTo(200);
    report = SampleReport.withoutQuorum("n1");
    assertThat(send("GET", "/health/live").statusCode()).isEqualTo(200);
    HttpResponse<String> response = send("GET", "/health/ready");
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(json.readTree(response.body()).get("detail").asText()).isEqualTo("no quorum");
  }

  /** A body that says "ready": false on a ready node misleads whoever reads it. */
  @Test
  void eachHealthPathSaysOneThing() throws Exception {
    JsonNode live = json.readTree(send("GET", "/health/live").body());
    assertThat(live.get("live").asBoolean()).isTrue();
    assertThat(live.has("ready")).isFalse();
    JsonNode ready = json.readTree(send("GET", "/health/ready").body());
    assertThat(ready.get("ready").asBoolean()).isTrue();
    assertThat(ready.has("live")).isFalse();
  }

  @Test
  void aRuleThatNoSwitchHasIsNotFound() throws Exception {
    HttpResponse<String> response = send("GET", "/api/v1/flows/0x1/placement");
    assertThat(response.statusCode()).isEqualTo(404);
    JsonNode body = json.readTree(response.body());
    assertThat(body.get("error").asText()).startsWith("no rule with the id 1 at a switch");
    assertThat(body.get("remedy").asText()).contains("/api/v1/switches");
  }

  @Test
  void anUnknownPathIsAnsweredWithTheKnownOnes() throws Exception {
    HttpResponse<String> response = send("GET", "/api/v1/swiches");
    assertThat(response.statusCode()).isEqualTo(404);
    JsonNode body = json.readTree(response.body());
    assertThat(body.get("error").asText()).isEqualTo("no such path");
    assertThat(body.get("remedy").asText()).contains("/api/v1/switches");
  }

  private String domains(String method, boolean header, int bytes) throws Exception {
    HttpResponse<String> response = domains(method, header, "If-Match", "\"3\"", bytes);
    return response.statusCode() + " " + response.body();
  }

  private HttpResponse<String> domains(
      String method, boolean header, String condition, String value, int bytes) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.port() + DomainDoor.PATH + "?name=x"))
            .header(condition, value)
            .timeout(Duration.ofSeconds(60))
            .method(method, BodyPublishers.ofByteArray(new byte[bytes]));
    if (header) {
      request.header(ProbeDoor.HEADER, "domains");
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private void offer(List<String> asked) {
    server.offer(
        new DomainDoor() {
          @Override
          public ProbeDoor.Answer show() {
            return new ProbeDoor.Answer(200, new Shown(2, 3, List.of("n2"), List.of(), "x"));
          }

          @Override
          public ProbeDoor.Answer change(long decidedOn, Map<String, String> query, String file) {
            asked.add(decidedOn + " " + query + " " + file.length());
            return new ProbeDoor.Answer(202, new Accepted(4));
          }
        });
  }

  @Test
  void domainsAreChangedByAPostWithTheHeaderOnly() throws Exception {
    assertThat(domains("POST", true, 1)).startsWith("503").contains("no node runs");
    List<String> asked = new CopyOnWriteArrayList<>();
    offer(asked);
    assertThat(domains("GET", false, 0)).startsWith("200 {\"version\":2,\"next\":3,");
    assertThat(domains("POST", false, 5)).startsWith("403").contains(ProbeDoor.HEADER);
    assertThat(domains("PUT", true, 5)).startsWith("405");
    assertThat(domains("POST", true, DomainDoor.MAX_FILE_BYTES + 1)).startsWith("413");
    assertThat(asked).isEmpty();
    assertThat(domains("POST", true, DomainDoor.MAX_FILE_BYTES)).startsWith("202");
    assertThat(asked).containsExactly("3 {name=x} " + DomainDoor.MAX_FILE_BYTES);
  }

  @Test
  void domainsAreChangedOnlyWithTheETagThatTheChangeWasDecidedOn() throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    offer(asked);
    assertThat(domains("GET", false, "Accept", "*/*", 0).headers().firstValue("ETag"))
        .as("of the newest version, which is not in force yet")
        .contains("\"3\"");
    for (String header : List.of("If-Match", "Accept")) {
      HttpResponse<String> said = domains("POST", true, header, "*", 5);
      assertThat(said.statusCode()).as(header).isEqualTo(428);
      assertThat(said.body()).contains("send their ETag as If-Match");
    }
    assertThat(domains("POST", true, "If-Match", "3", 5).statusCode()).isEqualTo(400);
    assertThat(domains("POST", true, "If-None-Match", "*", 5).statusCode()).isEqualTo(412);
    assertThat(asked).isEmpty();
    HttpResponse<String> changed = domains("POST", true, "If-Match", "\"3\"", 5);
    assertThat(changed.statusCode()).isEqualTo(202);
    assertThat(changed.headers().firstValue("ETag")).contains("\"4\"");
    assertThat(asked).containsExactly("3 {name=x} 5");
  }

  @Test
  void clientsThatSendNoFileOrAPartOfOneKeepNobodyFromChangingDomains() throws Exception {
    server.close();
    server =
        AdminServer.open(
            new Listener("127.0.0.1", 0),
            List.of(),
            null,
            () -> report,
            RuleSource.NONE,
            new AdminConnections.Limits(64, 16, 60_000, 10_000));
    List<String> asked = new CopyOnWriteArrayList<>();
    offer(asked);
    String header =
        "POST " + DomainDoor.PATH + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n";
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 12; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        silent.add(socket);
        socket.setSoTimeout(60_000);
        String begin =
            header + ProbeDoor.HEADER + ": domains\r\nIf-Match: \"3\"\r\n\r\n" + "x".repeat(i % 2);
        socket.getOutputStream().write(begin.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(domains("POST", true, 7)).as("beside %d", i + 1).startsWith("202");
      }
      for (Socket socket : silent) {
        assertThat(socket.getInputStream().readAllBytes()).as("it is closed").isEmpty();
      }
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
    assertThat(asked).containsOnly("3 {name=x} 7").hasSize(12);
  }

  /** Otherwise the client would send its next request on a connection that the server closes. */
  @ParameterizedTest
  @ValueSource(strings = {DomainDoor.PATH, ProbeDoor.PATH, "/api/v1/status"})
  void whoIsAnsweredBeforeItsBodyArrivedHearsThatTheConnectionCloses(String path) throws Exception {
    String header = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n";
    assertThat(raw(header + "\r\n")).containsIgnoringCase("\r\nConnection: close\r\n");
    assertThat(raw(header + "Origin: http://foreign.example\r\n\r\n"))
        .startsWith("HTTP/1.1 403")
        .containsIgnoringCase("\r\nConnection: close\r\n");
  }

  @Test
  void changesAreAskedForAgainWhileTheNodeStarts() throws Exception {
    server.starting(true);
    HttpResponse<String> early = send("PUT", "/api/v1/flows/web");
    assertThat(early.statusCode()).isEqualTo(503);
    assertThat(json.readTree(early.body()).path("remedy").asText()).contains("ask again");
    assertThat(send("GET", "/api/v1/status").statusCode()).isEqualTo(200);
    server.starting(false);
    assertThat(send("PUT", "/api/v1/status").statusCode()).isEqualTo(405);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH"})
  void onlyReadingIsAllowed(String method) throws Exception {
    HttpResponse<String> response = send(method, "/api/v1/status");
    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("allow")).contains("GET, HEAD");
    assertThat(json.readTree(response.body()).has("remedy")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GARBAGE\r\n\r\n",
        "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n"
      })
  void aMalformedRequestIsRefusedAndTheServerStays(String request) throws Exception {
    assertThat(raw(request)).startsWith("HTTP/1.1 4").contains("\"remedy\"");
    assertThat(send("GET", "/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void anOversizedRequestIsRefused() throws Exception {
    String request =
        "GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(AdminServer.MAX_HEADER_BYTES) + "\r\n\r\n";
    assertThat(raw(request)).startsWith("HTTP/1.1 431");
  }

  private String raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void aPortInUseIsAnEnvironmentsFailure() {
    assertThatThrownBy(
            () -> AdminServer.open(new Listener("127.0.0.1", server.port()), () -> report))
        .isInstanceOf(IOException.class);
  }
}
