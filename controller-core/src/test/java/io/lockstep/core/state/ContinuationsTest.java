package io.lockstep.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ContinuationsTest {
  private final ArrayDeque<Runnable> loop = new ArrayDeque<>();
  private final List<String> given = new ArrayList<>();

  @Test
  void goesOnOnTheLoopWithWhatTheFutureGives() {
    CompletableFuture<String> future = new CompletableFuture<>();
    Continuations.after(future, loop::add, given::add);
    assertThat(loop).isEmpty();
    future.complete("answer");
    assertThat(given).isEmpty();
    loop.remove().run();
    assertThat(given).containsExactly("answer");
  }

  @Test
  void theLoopMeetsTheFailureOfTheFuture() {
    IllegalStateException defect = new IllegalStateException("broken");
    Continuations.after(CompletableFuture.<String>failedFuture(defect), loop::add, given::add);
    assertThatThrownBy(() -> loop.remove().run()).hasCause(defect);
    assertThat(given).isEmpty();
  }
}
