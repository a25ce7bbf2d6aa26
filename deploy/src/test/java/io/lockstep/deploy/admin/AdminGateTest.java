package io.lockstep.deploy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.access.Role;
import io.lockstep.core.access.Token;
import io.lockstep.core.access.User;
import io.lockstep.deploy.access.Authentication;
import io.lockstep.deploy.config.NodeSettings.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private static final Token TOKEN = Token.generate("carol", new SecureRandom());

  private String as(String request, String authorization) throws IOException {
    server.offer(
        new Authentication(
            token ->
                token.equals(TOKEN)
                    ? Optional.of(new User("carol", Role.READ, TOKEN.digest(), 1))
                    : Optional.empty()));
    return raw(request, "Host: localhost", "Content-Length: 0", "Authorization: " + authorization);
  }

  @Test
  void tokenGivesItsUsersRoleAndNoMore() throws Exception {
    String bearer = "Bearer " + TOKEN.text();
    assertThat(as("GET /api/v1/status HTTP/1.1", bearer)).startsWith("HTTP/1.1 200");
    assertThat(as("POST " + ProbeDoor.PATH + "?switch=1 HTTP/1.1", bearer))
        .startsWith("HTTP/1.1 403")
        .contains("carol has the role read", "needs the role operate");
    for (String path : List.of("/api/v1/users", "/api/v1/nodes/carol/user")) {
      assertThat(as("GET " + path + " HTTP/1.1", bearer))
          .startsWith("HTTP/1.1 403")
          .contains("needs the role admin");
    }
    assertThat(probes).isZero();
  }

  @Test
  void wrongTokenIsRefusedAlsoOverLoopback() throws Exception {
    assertThat(as("GET /api/v1/status HTTP/1.1", "Bearer " + TOKEN.text() + "x"))
        .startsWith("HTTP/1.1 401")
        .contains("WWW-Authenticate: Bearer", "the token is not that of a user")
        .doesNotContain("\"demo\"");
    assertThat(as("GET /api/v1/status HTTP/1.1", "Basic b25vczpyb2Nrcw=="))
        .startsWith("HTTP/1.1 401");
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
