package io.lockstep.deploy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.UpgradeDoor.ReplicaVersion;
import io.lockstep.deploy.admin.UpgradeDoor.Shown;
import io.lockstep.deploy.admin.answer.ResourceResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UpgradeRequestsTest {
  private final UpgradeRequests requests = new UpgradeRequests();
  private final List<Integer> permitted = new ArrayList<>();
  private List<ReplicaVersion> replicas = List.of(replica("n1", 3), replica("n2", 3));
  private CompletableFuture<Optional<String>> written =
      CompletableFuture.completedFuture(Optional.empty());
  private boolean runs = true;

  UpgradeRequestsTest() {
    requests.offer(
        new UpgradeDoor() {
          @Override
          public @Nullable Shown show() {
            int last = permitted.isEmpty() ? 0 : permitted.get(permitted.size() - 1);
            return runs ? new Shown("n1", 2, last, replicas) : null;
          }

          @Override
          public CompletableFuture<Optional<String>> permit(int version) {
            permitted.add(version);
            return written;
          }

          @Override
          public CompletableFuture<Optional<String>> withdraw() {
            return permit(0);
          }
        });
  }

  private static ReplicaVersion replica(String id, int newest) {
    return new ReplicaVersion(id, newest, newest > 0);
  }

  private ResourceResponse ask(String method, Map<String, String> query) {
    List<ResourceResponse> answers = new ArrayList<>();
    requests.handle(method, query, answers::add);
    assertThat(answers).hasSize(1);
    return answers.get(0);
  }

  private String problem(String method, Map<String, String> query, int status) {
    ResourceResponse answer = ask(method, query);
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(status);
    return answer.body().toString();
  }

  @Test
  void showsVersionsOfTheReplicas() {
    assertThat(ask("GET", Map.of()).body()).isEqualTo(new Shown("n1", 2, 0, replicas));
  }

  @Test
  void permitsWhatEveryReplicaKnows() {
    ResourceResponse answer = ask("PUT", Map.of("version", "3"));
    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.body()).isEqualTo(new Shown("n1", 2, 3, replicas));
    assertThat(ask("DELETE", Map.of()).status()).isEqualTo(202);
    assertThat(permitted).containsExactly(3, 0);
  }

  @Test
  void changesNothingWhileAReplicaDoesNotKnowIt() {
    replicas = List.of(replica("n1", 3), replica("n2", 2));
    assertThat(problem("PUT", Map.of("version", "3"), 409))
        .contains("node n2 runs a release that knows versions up to 2, not 3", "upgrade it first");
    replicas = List.of(replica("n1", 3), replica("n2", 0));
    assertThat(problem("PUT", Map.of("version", "3"), 409)).contains("node n2 is not linked");
    assertThat(permitted).isEmpty();
  }

  @Test
  void versionInForceNeedsNoPermission() {
    assertThat(ask("PUT", Map.of("version", "2")).status()).isEqualTo(200);
    assertThat(permitted).isEmpty();
  }

  @Test
  void wrongRequestsNameTheField() {
    assertThat(problem("PUT", Map.of(), 400)).contains("field=version", "version is missing");
    assertThat(problem("PUT", Map.of("version", "x"), 400)).contains("field=version");
    assertThat(problem("PUT", Map.of("version", "99999999999"), 400)).contains("field=version");
    assertThat(problem("GET", Map.of("a", "b"), 400)).contains("field=a");
    assertThat(problem("POST", Map.of(), 405)).contains("GET, HEAD, PUT, DELETE");
    assertThat(permitted).isEmpty();
  }

  @Test
  void saysWhyNothingIsKnownOrWritten() {
    written = CompletableFuture.completedFuture(Optional.of("no answer within 5 s"));
    assertThat(problem("PUT", Map.of("version", "3"), 503)).contains("no answer within 5 s");
    written = CompletableFuture.failedFuture(new IllegalStateException("broken"));
    assertThat(problem("PUT", Map.of("version", "3"), 500)).contains("the node failed: ", "broken");
    runs = false;
    assertThat(problem("GET", Map.of(), 503)).contains("no replica runs in this process");
  }
}
