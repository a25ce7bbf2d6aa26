package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.engine.bftsmart.LibraryNumbers.Era;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LibraryNumbersTest {
  private static final long PER_ERA = 10;

  @Test
  void firstEraCountsLikeTheInstances() {
    Era first = Era.of(PER_ERA, 0);
    assertThat(first.number(-1)).isEqualTo(-1);
    assertThat(first.instance(-1)).isEqualTo(-1);
    assertThat(first.number(0)).isZero();
    assertThat(first.number(9)).isEqualTo(9);
    assertThat(first.last()).isEqualTo(9);
  }

  @Test
  void numberAndInstanceAreInversesInEveryEra() {
    for (long instance = 0; instance < 7 * PER_ERA; instance++) {
      Era era = Era.of(PER_ERA, instance);
      assertThat(era.covers(instance)).isTrue();
      assertThat(era.names(era.number(instance))).isTrue();
      assertThat(era.instance(era.number(instance))).isEqualTo(instance);
    }
  }

  @Test
  void lastDecisionOfTheEraBeforeHasANumberThatNamesNoInstance() {
    for (long era = 1; era < 6; era++) {
      Era one = new Era(PER_ERA, era);
      int before = one.number(one.first() - 1);
      assertThat(before).isNotNegative();
      assertThat(one.names(before)).isFalse();
      assertThat(one.number(one.first())).isEqualTo(before + 1);
      assertThat(one.instance(before)).isEqualTo(one.first() - 1);
    }
  }

  @Test
  void erasInARowShareNoNumber() {
    for (long era = 0; era < 6; era++) {
      Era one = new Era(PER_ERA, era);
      Era next = new Era(PER_ERA, era + 1);
      assertThat(LongStream.rangeClosed(one.first(), one.last() + 1))
          .as("with the number after the last, which a proposer may try")
          .noneMatch(
              instance -> next.names((int) (instance - one.first() + one.number(one.first()))));
      assertThat(LongStream.rangeClosed(next.first() - 1, next.last()))
          .noneMatch(instance -> one.names(next.number(instance)));
    }
  }

  @Test
  void instanceOfAnotherEraHasNoNumber() {
    Era second = new Era(PER_ERA, 1);
    assertThatThrownBy(() -> second.number(8)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> second.number(20)).isInstanceOf(IllegalArgumentException.class);
    assertThat(second.covers(9)).isFalse();
    assertThat(second.covers(20)).isFalse();
  }

  @Test
  void highestNumberAndTheLibrarysMarksFitInto32Bits() {
    Era odd = new Era(Era.MOST, 1_000_001);
    int highest = odd.number(odd.last());
    assertThat(odd.instance(highest)).isEqualTo(1_000_002 * Era.MOST - 1);
    // It adds its high mark, see EngineViewController, and one for the next.
    assertThat((long) highest + Integer.MAX_VALUE / 4 + 1).isLessThan(Integer.MAX_VALUE);
  }
}
