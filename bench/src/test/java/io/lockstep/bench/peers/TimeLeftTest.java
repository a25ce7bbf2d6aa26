package io.lockstep.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TimeLeftTest {
  private static PointKey point(String variant, int flows) {
    return new PointKey("jraft", "lb-vip", variant, false, 1, flows);
  }

  private static WarmedUp warmedUp(int seconds) {
    return new WarmedUp("jraft", "lb-vip", "init", false, 1, seconds, true, 1, 1);
  }

  private final List<List<PointKey>> blocks =
      List.of(
          List.of(point("init", 1), point("init", 64), point("micro", 64)),
          List.of(point("init", 1)),
          List.of());

  @Test
  void startsWarmUpsAndPointsAreAddedUp() {
    assertThat(new TimeLeft(6, 60).seconds(blocks, List.of())).isEqualTo(2 * 10 + 3 * 30 + 4 * 6);
  }

  @Test
  void warmUpsAreTakenToBeLikeThoseBefore() {
    assertThat(new TimeLeft(6, 60).seconds(blocks, List.of(warmedUp(10), warmedUp(14))))
        .isEqualTo(2 * 10 + 3 * 12 + 4 * 6);
    assertThat(new TimeLeft(6, 0).seconds(blocks, List.of(warmedUp(10)))).isEqualTo(2 * 10 + 4 * 6);
  }

  @Test
  void itIsToldInHoursAndMinutes() {
    assertThat(TimeLeft.text(5)).isEqualTo("1 min");
    assertThat(TimeLeft.text(150)).isEqualTo("3 min");
    assertThat(TimeLeft.text(3600 + 5 * 60)).isEqualTo("1 h 05 min");
  }
}
