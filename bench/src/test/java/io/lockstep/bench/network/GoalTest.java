package io.lockstep.bench.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GoalTest {
  private static final Goal GOAL = new Goal("switches without a master", List::of, List::of);

  @Test
  void whatIsMissingIsNamedAndTheRestCounted() {
    assertThat(GOAL.complaint(List.of("s1"))).isEqualTo("1 switches without a master: s1");
    assertThat(GOAL.complaint(List.of("s1", "s2", "s3", "s4", "s5")))
        .isEqualTo("5 switches without a master: s1, s2, s3, s4, s5");
    assertThat(GOAL.complaint(List.of("s1", "s2", "s3", "s4", "s5", "s6", "s7")))
        .isEqualTo("7 switches without a master: s1, s2, s3, s4, s5 and 2 more");
  }
}
