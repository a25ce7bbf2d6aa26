package io.lockstep.core.flow.placed;

import static io.lockstep.core.flow.placed.PlacementFixture.FULL;
import static io.lockstep.core.flow.placed.PlacementFixture.INSTALLED;
import static io.lockstep.core.flow.placed.PlacementFixture.NOW;
import static io.lockstep.core.flow.placed.PlacementFixture.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.FlowMod;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FlowModSequenceTest {
  private final List<FlowMod> tableMisses =
      new PlacementFixture(8, 8).placement.pipeline().missEntries();
  private final FlowModSequence run =
      new FlowModSequence(List.of(List.of(), tableMisses, tableMisses.subList(1, 2)));

  @Test
  void withoutFlowModsTheRunEndsAtOnce() {
    assertThat(new FlowModSequence(List.of(List.of())).start(NOW))
        .isEqualTo(new RunAction.End<>(Optional.empty()));
  }

  @Test
  void aPartLeavesWhenTheSwitchConfirmedTheOneBefore() {
    assertThat(run.start(NOW)).isEqualTo(new RunAction.Send<>(tableMisses));
    assertThat(run.answered(List.of(INSTALLED, INSTALLED), NOW))
        .isEqualTo(new RunAction.Send<>(tableMisses.subList(1, 2)));
    assertThat(run.answered(List.of(INSTALLED), NOW))
        .isEqualTo(new RunAction.End<>(Optional.empty()));
  }

  @Test
  void theRunEndsWithTheFirstPartThatTheSwitchRejects() {
    run.start(NOW);
    FlowModSequence.Failure failure = failure(run.answered(List.of(INSTALLED, FULL), NOW));
    assertThat(failure.sent()).isEqualTo(tableMisses);
    assertThat(failure.rejected())
        .contains(new FlowModSequence.Rejected(1, "FLOW_MOD_FAILED/TABLE_FULL"));
  }

  @Test
  void anUnknownOutcomeIsAFailureWithoutARejection() {
    run.start(NOW);
    FlowModSequence.Failure failure = failure(run.answered(List.of(UNKNOWN, UNKNOWN), NOW));
    assertThat(failure.rejected()).isEmpty();
    assertThat(failure.summary()).contains("no barrier reply");
  }

  private static FlowModSequence.Failure failure(
      RunAction<Optional<FlowModSequence.Failure>> action) {
    return ((RunAction.End<Optional<FlowModSequence.Failure>>) action).result().orElseThrow();
  }
}
