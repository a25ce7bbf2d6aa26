package io.lockstep.history.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.history.nemesis.Halts.Halt;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HaltsTest {
  private static final Halt FULL = new Halt(0, "disk", "no space left");
  private static final Halt REFUSED = new Halt(1, "old-copy", "started from an old copy");
  private static final Halt CRASHED = new Halt(2, "ended with 3", "ended with 3");

  private static List<Halt> unexplained(Map<String, Long> faultsByKind, Halt... halts) {
    return Halts.unexplained(List.of(halts), faultsByKind);
  }

  @Test
  void aFullDiskAndARollbackExplainWhatTheyLeadTo() {
    assertThat(unexplained(Map.of("disk", 1L, "rollback", 1L), FULL, FULL, REFUSED)).isEmpty();
    assertThat(unexplained(Map.of("disk", 0L, "power", 1L), FULL, REFUSED))
        .containsExactly(FULL, REFUSED);
  }

  /** Else a replica that is refused after another fault would hide behind the rollbacks. */
  @Test
  void aRollbackExplainsOneRefusal() {
    assertThat(unexplained(Map.of("rollback", 1L), REFUSED, REFUSED)).containsExactly(REFUSED);
  }

  @Test
  void nothingExplainsAnythingElse() {
    assertThat(unexplained(Map.of("kill", 3L, "disk", 1L, "rollback", 1L), CRASHED))
        .containsExactly(CRASHED);
  }
}
