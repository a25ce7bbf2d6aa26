package io.lockstep.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.testing.ManualTime;
import org.junit.jupiter.api.Test;

class SwitchTroublesTest {
  private final ManualTime time = new ManualTime();
  private final SwitchTroubles troubles = new SwitchTroubles(time::nanos);

  @Test
  void troubleShowsUntilAMinuteAfterItsLastReport() {
    troubles.report(1, "port 1", "first");
    time.pass(SwitchTroubles.SHOWN_MILLIS / 2);
    troubles.report(1, "port 1", "again");
    troubles.report(1, "port 2", "other");
    assertThat(troubles.of(1)).isEqualTo("again; other");
    assertThat(troubles.of(2)).isEmpty();
    time.pass(SwitchTroubles.SHOWN_MILLIS);
    assertThat(troubles.of(1)).isEqualTo("again; other");
    time.pass(1);
    assertThat(troubles.of(1)).isEmpty();
  }

  @Test
  void troublesOfOneSwitchAreBounded() {
    for (int i = 0; i < 2 * SwitchTroubles.MAX_PER_SWITCH; i++) {
      troubles.report(1, "port " + i, "trouble");
    }
    assertThat(troubles.of(1).split("; ")).hasSize(SwitchTroubles.MAX_PER_SWITCH);
    troubles.report(1, "port 0", "news");
    assertThat(troubles.of(1)).contains("news");
  }

  @Test
  void switchesThatComeAndGoDisplaceTheOldest() {
    for (int dpid = 0; dpid < SwitchTroubles.MAX_SWITCHES; dpid++) {
      troubles.report(dpid, "entries", "trouble");
    }
    troubles.report(0, "entries", "trouble");
    troubles.report(-1, "entries", "one more");
    assertThat(troubles.of(-1)).isEqualTo("one more");
    assertThat(troubles.of(0)).as("reported again").isNotEmpty();
    assertThat(troubles.of(1)).as("not reported for longest").isEmpty();
  }
}
