package io.lockstep.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.compare.Answer;
import io.lockstep.bench.compare.Operation;
import io.lockstep.bench.compare.PeerStore;
import io.lockstep.bench.compare.TableLayout;
import io.lockstep.bench.compare.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Conflicts of a workload, with answers that the test gives. */
class LiveReplayTest {
  private final List<Operation> asked = new ArrayList<>();
  private final ReplayCounts counts = new ReplayCounts();
  private int refusals;

  private final PeerStore store =
      new PeerStore() {
        @Override
        public CompletableFuture<Void> declare(List<TableLayout> tables) {
          return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Answer> submit(Operation operation) {
          asked.add(operation);
          if (operation.isReplace()) {
            return CompletableFuture.completedFuture(Answer.of(refusals-- <= 0));
          }
          return CompletableFuture.completedFuture(Answer.of(new byte[1024], 7));
        }

        @Override
        public void close() {}
      };

  private List<String> run(String workload, String variant) {
    ReplayPlan plan =
        new LiveReplay(
            store, Workloads.plan(workload, variant), workload.startsWith("dm-"), counts);
    @Nullable ReplayStep step = plan.first(0);
    while (step != null) {
      step = step.ask().join();
    }
    return asked.stream().map(one -> one.getClass().getSimpleName()).toList();
  }

  @Test
  void loadBalancerGoesBackToTheReadOfThePool() {
    refusals = 2;
    assertThat(run("lb-vip", "vers"))
        .containsExactly(
            "Through",
            "Get",
            "ReplaceVersion",
            "Get",
            "ReplaceVersion",
            "Get",
            "ReplaceVersion",
            "Get");
    assertThat(counts.conflicts()).isEqualTo(2);
    assertThat(counts.givenUp()).isZero();
  }

  @Test
  void deviceManagerBeginsAnew() {
    refusals = 1;
    assertThat(run("dm-known", "vers"))
        .containsExactly("Through", "ReplaceVersion", "Through", "ReplaceVersion", "Through");
    assertThat(counts.conflicts()).isEqualTo(1);
  }

  @Test
  void flowGivesUpAfterSixAttempts() {
    refusals = Integer.MAX_VALUE;
    assertThat(run("lb-vip", "vers")).hasSize(1 + 2 * LiveReplay.ATTEMPTS);
    assertThat(counts.conflicts()).isEqualTo(LiveReplay.ATTEMPTS);
    assertThat(counts.givenUp()).isEqualTo(1);
  }

  @Test
  void worstCaseOfTheCacheAsksForEverything() {
    ReplayPlan plan = new LiveReplay(store, Workloads.worstCase("ls-ucast"), false, counts);
    ReplayStep step = plan.first(0);
    int steps = 0;
    while (step != null) {
      step = step.ask().join();
      steps++;
    }
    assertThat(steps).isEqualTo(2);
  }
}
