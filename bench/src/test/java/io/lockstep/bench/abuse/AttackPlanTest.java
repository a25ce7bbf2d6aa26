package io.lockstep.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AttackPlanTest {
  @Test
  void allAttacksTogetherFitIntoHalfAnHour() {
    long seconds = (long) Attack.ALL.size() * AbuseRun.plannedSeconds(AbuseCommand.USUAL_SECONDS);
    assertThat(seconds).isLessThanOrEqualTo(TimeUnit.MINUTES.toSeconds(30));
  }
}
