package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RetryTimerTest {
  private final RetryTimer timer = new RetryTimer(500);

  private long patienceMillis(int attempt) {
    return TimeUnit.NANOSECONDS.toMillis(timer.patienceNanos(attempt));
  }

  private void answered(long millis, int times) {
    for (int i = 0; i < times; i++) {
      timer.answered(TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }

  @Test
  void doublesUpToEightfold() {
    assertThat(patienceMillis(1)).isEqualTo(500);
    assertThat(patienceMillis(2)).isEqualTo(1000);
    assertThat(patienceMillis(4)).isEqualTo(4000);
    assertThat(patienceMillis(9)).isEqualTo(4000);
  }

  @Test
  void fastAnswersLeaveTheLeastPatience() {
    answered(3, 100);
    assertThat(patienceMillis(1)).isEqualTo(500);
  }

  @Test
  void slowAnswersMakePatientAndFastOnesImpatientAgain() {
    answered(1500, 20);
    assertThat(patienceMillis(1)).isBetween(1500L, 4000L);
    answered(3, 100);
    assertThat(patienceMillis(1)).isEqualTo(500);
  }

  @Test
  void neverMoreThanEightTimesTheLeast() {
    answered(60_000, 10);
    assertThat(patienceMillis(1)).isEqualTo(4000);
  }
}
