package io.lockstep.deploy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.config.NodeSettings.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a page of a foreign site can do, over real sockets. */
class AdminGateTest {
  private AdminServer server;
  private int probes;

  @BeforeEach
  void open() throws IOException {
    server =
        AdminServer.open(
            new Listener("127.0.0.1", 0),
            List.of("node-1.example"),
            () -> SampleReport.ready("n1"),
            RuleSource.NONE);
    server.offer(
        new ProbeDoor() {
          @Override
          public Answer state() {
            return new Answer(200, Map.of());
          }

          @Override
          public Answer ask(Map<String, String> query) {
            probes++;
            return new Answer(202, Map.of());
          }
        });
  }

  @AfterEach
  void close() {
    server.close();
  }

  private String raw(String... lines) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(60_000);
      String request = String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/v1/status", "/health/live", "/metrics", "/", "/api/v1/none"})
  void noPathIsAnsweredUnderAForeignName(String path) throws Exception {
    assertThat(raw("GET " + path + " HTTP/1.1", "Host: evil.example:" + server.port()))
        .startsWith("HTTP/1.1 403")
        .contains("evil.example", "\"remedy\"")
        .doesNotContain("\"demo\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1", "127.0.0.1:1", "[::1]:8181", "node-1.example"})
  void ownNamesAreAnswered(String host) throws Exception {
    assertThat(raw("GET /api/v1/status HTTP/1.1", "Host: " + host)).startsWith("HTTP/1.1 200");
  }

  @Test
  void foreignNameInEitherPlaceIsRefused() throws Exception {
    assertThat(raw("GET http://evil.example/health/live HTTP/1.1", "Host: localhost"))
        .startsWith("HTTP/1.1 4");
    assertThat(raw("GET http://localhost/health/live HTTP/1.1", "Host: evil.example"))
        .startsWith("HTTP/1.1 4");
    assertThat(raw("GET /health/live HTTP/1.1", "Host: localhost", "Host: evil.example"))
        .startsWith("HTTP/1.1 4");
    assertThat(raw("GET /health/live HTTP/1.0")).startsWith("HTTP/1.1 403");
  }

  @Test
  void probeIsNotStartedByAForeignPage() throws Exception {
    String post = "POST " + ProbeDoor.PATH + "?switch=1 HTTP/1.1";
    String header = ProbeDoor.HEADER + ": probe";
    String empty = "Content-Length: 0";
    assertThat(raw(post, "Host: evil.example", header, empty)).startsWith("HTTP/1.1 403");
    for (String origin : List.of("http://evil.example", "null", "http://localhost:1")) {
      assertThat(raw(post, "Host: localhost", "Origin: " + origin, header, empty))
          .startsWith("HTTP/1.1 403");
    }
    assertThat(probes).isZero();
    assertThat(raw(post, "Host: localhost", "Origin: http://localhost", header, empty))
        .startsWith("HTTP/1.1 202");
    assertThat(raw(post, "Host: localhost", header, empty)).startsWith("HTTP/1.1 202");
    assertThat(probes).isEqualTo(2);
  }

  @Test
  void readingIsNoChange() throws Exception {
    assertThat(raw("GET /health/live HTTP/1.1", "Host: localhost", "Origin: http://evil.example"))
        .startsWith("HTTP/1.1 200")
        .doesNotContainIgnoringCase("access-control-allow-origin");
  }
}
