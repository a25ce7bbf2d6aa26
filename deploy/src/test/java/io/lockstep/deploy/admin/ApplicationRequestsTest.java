package io.lockstep.deploy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.ProbeDoor.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ApplicationRequestsTest {
  private static final ApplicationDoor.ApplicationReport ONE =
      new ApplicationDoor.ApplicationReport("one", 1, "", ApplicationDoor.ACTIVE, List.of());

  private final ApplicationRequests requests = new ApplicationRequests();
  private final List<Answer> answers = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private final CompletableFuture<Answer> later = new CompletableFuture<>();

  private void offer() {
    requests.offer(
        new ApplicationDoor() {
          @Override
          public List<ApplicationReport> applications() {
            return List.of(ONE);
          }

          @Override
          public CompletableFuture<Answer> activate(String application, boolean active) {
            asked.add(application + " " + active);
            return later;
          }

          @Override
          public CompletableFuture<Answer> ask(
              String application, String noun, Map<String, String> arguments) {
            asked.add(application + " " + noun + " " + arguments);
            return later;
          }
        });
  }

  private int status(String below) {
    requests.handle("GET", ApplicationDoor.PATH + below, Map.of("a", "1"), answers::add);
    return answers.get(answers.size() - 1).status();
  }

  @Test
  void onlyItsPathsAreAnsweredHere() {
    assertThat(ApplicationRequests.has("/api/v1/applications")).isTrue();
    assertThat(ApplicationRequests.has("/api/v1/applications/one/two")).isTrue();
    assertThat(ApplicationRequests.has("/api/v1/applicationsx")).isFalse();
    assertThat(ApplicationRequests.has("/api/v1/status")).isFalse();
  }

  @Test
  void beforeTheNodeRunsThereAreNone() {
    assertThat(status("")).isEqualTo(503);
    assertThat(status("/one/hosts")).isEqualTo(503);
  }

  @Test
  void applicationsAreShownTogetherAndOneByOne() {
    offer();
    assertThat(status("")).isEqualTo(200);
    assertThat(answers.get(0).body()).isEqualTo(List.of(ONE));
    assertThat(status("/one")).isEqualTo(200);
    assertThat(answers.get(1).body()).isEqualTo(ONE);
    assertThat(status("/two")).isEqualTo(404);
    assertThat(String.valueOf(answers.get(2).body())).contains("one of one");
    assertThat(status("/one/two/three")).isEqualTo(404);
    assertThat(asked).isEmpty();
  }

  @Test
  void aNounIsAnsweredWhenItsAnswerIsThere() {
    offer();
    requests.handle("GET", ApplicationDoor.PATH + "/one/hosts", Map.of("a", "1"), answers::add);
    assertThat(asked).containsExactly("one hosts {a=1}");
    assertThat(answers).isEmpty();
    later.complete(new Answer(200, "rows"));
    assertThat(answers).containsExactly(new Answer(200, "rows"));
  }

  private int put(String below, Map<String, String> query) {
    requests.handle("PUT", ApplicationDoor.PATH + below, query, answers::add);
    return answers.get(answers.size() - 1).status();
  }

  @Test
  void stateOfAnApplicationOfTheNodeIsChanged() {
    offer();
    assertThat(put("/two", Map.of("state", "active"))).isEqualTo(404);
    assertThat(put("/one", Map.of("state", "on"))).isEqualTo(400);
    assertThat(put("/one", Map.of())).isEqualTo(400);
    assertThat(put("/one", Map.of("state", "active", "more", "1"))).isEqualTo(400);
    assertThat(asked).isEmpty();
    later.complete(new Answer(200, "report"));
    assertThat(put("/one", Map.of("state", "inactive"))).isEqualTo(200);
    assertThat(put("/one", Map.of("state", "active"))).isEqualTo(200);
    assertThat(asked).containsExactly("one false", "one true");
    assertThat(ApplicationRequests.allowed(ApplicationDoor.PATH + "/one")).contains("PUT");
    assertThat(ApplicationRequests.allowed(ApplicationDoor.PATH)).doesNotContain("PUT");
    assertThat(ApplicationRequests.allowed(ApplicationDoor.PATH + "/one/a")).doesNotContain("PUT");
  }
}
