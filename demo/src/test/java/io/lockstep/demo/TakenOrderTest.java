package io.lockstep.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.demo.TakenOrder.Take;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TakenOrderTest {
  private static int wrong(String... members) {
    List<Take> takes = new ArrayList<>();
    for (String member : members) {
      takes.add(new Take(member, 7, takes.size() + 1));
    }
    return TakenOrder.wrong(takes);
  }

  @Test
  void membersInTurnAreRightWhereverTheOrderEnds() {
    assertThat(wrong("a", "b", "c", "a", "b")).isZero();
    assertThat(wrong("a")).isZero();
    assertThat(TakenOrder.wrong(List.of())).isZero();
  }

  @Test
  void aMemberWhoseTurnItWasNotIsSeen() {
    assertThat(wrong("a", "b", "b", "a")).isPositive();
    assertThat(wrong("a", "b", "c", "b", "a", "c")).isPositive();
  }

  @Test
  void anotherEpochBeginsAnewAndAPlaceIsThereOnce() {
    assertThat(
            TakenOrder.wrong(
                List.of(new Take("a", 1, 1), new Take("a", 2, 2), new Take("b", 2, 3))))
        .isZero();
    assertThat(TakenOrder.wrong(List.of(new Take("a", 1, 1), new Take("b", 1, 1)))).isEqualTo(1);
  }

  @Test
  void aPlaceThatIsForgottenIsNoMistake() {
    assertThat(TakenOrder.wrong(List.of(new Take("a", 1, 1), new Take("a", 1, 3)))).isZero();
    assertThat(
            TakenOrder.wrong(
                List.of(new Take("a", 1, 1), new Take("b", 1, 2), new Take("b", 1, 4))))
        .isZero();
  }
}
