package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.SnapshotBytes;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What was ordered before there was a number of the rules leads to the same state today. */
class RulesOneTest {
  @BeforeAll
  static void keepTheSample() throws IOException {
    if (Boolean.getBoolean("lockstep.rules.write")) {
      RulesSample.write();
    }
  }

  private static void apply(StoreStateMachine machine, List<RulesSample.Batch> batches, int from) {
    for (int i = from; i < batches.size(); i++) {
      machine.apply(i, batches.get(i).timeMillis(), batches.get(i).requests());
    }
  }

  @Test
  void keptLogLeadsToTheKeptStates() throws IOException {
    List<RulesSample.Batch> batches = RulesSample.log();
    StoreStateMachine machine = RulesSample.machine();
    apply(machine, batches.subList(0, batches.size() / 2), 0);
    assertThat(SnapshotBytes.of(machine)).isEqualTo(RulesSample.halfway());
    apply(machine, batches, batches.size() / 2);
    assertThat(SnapshotBytes.of(machine)).isEqualTo(RulesSample.end());
  }

  @Test
  void keptSnapshotAndTheRestOfTheLogLeadToTheKeptState() throws IOException {
    List<RulesSample.Batch> batches = RulesSample.log();
    StoreStateMachine machine = RulesSample.machine();
    SnapshotBytes.restore(machine, RulesSample.halfway());
    apply(machine, batches, batches.size() / 2);
    assertThat(SnapshotBytes.of(machine)).isEqualTo(RulesSample.end());
  }
}
