package io.lockstep.deploy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.ProbeDoor.Answer;
import io.lockstep.deploy.config.NodeSettings.Listener;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AuditHandlerTest {
  private final List<AuditDoor.Change> changes = new CopyOnWriteArrayList<>();
  private final AtomicBoolean stored = new AtomicBoolean();
  private AdminServer server;

  @BeforeEach
  void open() throws IOException {
    server = AdminServer.open(new Listener("127.0.0.1", 0), () -> SampleReport.ready("n1"));
    server.offer(
        new AuditDoor() {
          @Override
          public CompletableFuture<?> changed(Change change) {
            changes.add(change);
            return CompletableFuture.runAsync(() -> stored.set(true));
          }

          @Override
          public CompletableFuture<Answer> page(Map<String, String> query) {
            return CompletableFuture.completedFuture(new Answer(200, query));
          }
        });
    server.offer(
        new DomainDoor() {
          @Override
          public Answer show() {
            return new Answer(200, Map.of());
          }

          @Override
          public Answer change(long decidedOn, Map<String, String> query, String file) {
            return new Answer(202, new Accepted(13));
          }
        });
    server.offer(
        new RecordingDoor() {
          @Override
          public Answer start(@Nullable String file, @Nullable String megabytes) {
            return new Answer(200, Map.of("version", 12));
          }

          @Override
          public Answer stop() {
            return new Answer(409, Map.of("error", "none runs"));
          }

          @Override
          public Answer show() {
            return new Answer(200, Map.of("state", "off"));
          }
        });
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> send(String method, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void changeIsInTheTrailWhenItsAnswerArrives() throws Exception {
    assertThat(
            send("PUT", RecordingDoor.PATH + "?megabytes=3", "Lockstep-User", "ann").statusCode())
        .isEqualTo(200);
    assertThat(stored).isTrue();
    assertThat(changes)
        .containsExactly(
            new AuditDoor.Change("ann", "PUT", RecordingDoor.PATH + "?megabytes=3", 200, "", "12"));
  }

  @Test
  void versionThatAChangeWasDecidedOnComesFromTheHeader() throws Exception {
    send("PUT", RecordingDoor.PATH, "If-Match", "\"11\"");
    assertThat(changes.get(0).oldVersion()).isEqualTo("11");
    send("POST", DomainDoor.PATH, ProbeDoor.HEADER, "domains", "If-Match", "\"11\"");
    assertThat(changes).hasSize(2);
    assertThat(changes.get(1).oldVersion()).isEqualTo("11");
    assertThat(changes.get(1).newVersion()).isEqualTo("13");
  }

  @Test
  void whoDoesNotSayItsNameIsUnknown() throws Exception {
    send("PUT", RecordingDoor.PATH);
    assertThat(changes).extracting(AuditDoor.Change::user).containsExactly("unknown");
  }

  @Test
  void whatOnlyReadsOrIsRefusedIsNoChange() throws Exception {
    assertThat(send("GET", RecordingDoor.PATH).statusCode()).isEqualTo(200);
    assertThat(send("DELETE", RecordingDoor.PATH).statusCode()).isEqualTo(409);
    assertThat(changes).isEmpty();
  }

  @Test
  void trailIsShownUnderItsPath() throws Exception {
    assertThat(send("GET", AuditDoor.PATH + "?next=7").body()).isEqualTo("{\"next\":\"7\"}");
  }
}
