package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationSeedsTest {
  @Test
  void failureNamesItsSeedAndHowToRunItAgain() {
    long seed = Long.getLong("lockstep.sim.seed", Long.getLong("lockstep.sim.first", 1));
    List<AssertionError> failures = new ArrayList<>();
    try {
      SimulationSeeds.forEach(
          1,
          any -> {
            throw new IllegalStateException("wrong");
          });
    } catch (AssertionError e) {
      failures.add(e);
    }
    assertThat(failures).hasSize(1);
    assertThat(failures.get(0))
        .hasRootCauseMessage("wrong")
        .hasMessage(
            "seed %d; to run it again: mvn test -pl datastore -Dtest=%s -Dlockstep.sim.seed=%d",
            seed, "SimulationSeedsTest#failureNamesItsSeedAndHowToRunItAgain", seed);
  }
}
