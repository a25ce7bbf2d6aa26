package io.lockstep.core.flow.placed;

import static io.lockstep.core.flow.placed.PlacementFixture.NOW;
import static io.lockstep.core.flow.placed.PlacementFixture.lead;
import static io.lockstep.core.flow.placed.PlacementFixture.separate;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.Change;
import io.lockstep.placer.Placer;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Step;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ImprovementPaceTest {
  private static final long MINUTE = 60_000;

  private final PlacementFixture fixture = new PlacementFixture(4, 64);
  private double allTraffic = 430;
  private final ImprovementPace pace = new ImprovementPace(fixture.placement, () -> allTraffic);

  /** Three rules are in the first table, one with more traffic is in the second. */
  ImprovementPaceTest() {
    for (int i = 1; i <= 4; i++) {
      fixture.install(separate(i));
      fixture.placement.placer().weigh(separate(i).key(), i == 4 ? 130 : 100);
    }
    assertThat(fixture.placement.placer().layerOf(separate(4).key())).isEqualTo(1);
    pace.start(NOW);
  }

  @Test
  void nothingMovesBeforeAReading() {
    assertThat(pace.next(NOW)).isNull();
  }

  @Test
  void whatIsWorthItMovesAtOnceAndUntilNoGainIsLeft() {
    pace.weighed();
    Plan slice = Objects.requireNonNull(pace.next(NOW));
    assertThat(slice.flowMods()).isEqualTo(4);
    lead(new PlanRun(fixture.placement, null, slice), List.of());
    assertThat(fixture.placement.placer().layerOf(separate(4).key())).isZero();
    assertThat(pace.takeMoved()).as("the end is not known").isFalse();
    assertThat(pace.next(NOW)).isNull();
    assertThat(pace.takeMoved()).isTrue();
    assertThat(pace.takeMoved()).isFalse();
  }

  @Test
  void aSmallGainWaitsAMinuteForEachFlowMod() {
    allTraffic = 30_000;
    pace.weighed();
    assertThat(pace.next(NOW + 4 * MINUTE - 1)).isNull();
    assertThat(pace.next(NOW + 4 * MINUTE)).as("no new reading").isNull();
    pace.weighed();
    assertThat(pace.next(NOW + 4 * MINUTE)).isNotNull();
    pace.weighed();
    assertThat(pace.next(NOW + 5 * MINUTE)).isNull();
  }

  @Test
  void whatReadingsShowSoonAfterAWorthwhileMoveMovesAtOnceHoweverSmall() {
    pace.weighed();
    Plan slice = Objects.requireNonNull(pace.next(NOW));
    lead(new PlanRun(fixture.placement, null, slice), List.of());
    assertThat(pace.next(NOW)).isNull();
    allTraffic = 30_000;
    Placer placer = fixture.placement.placer();
    for (int i = 1; i <= 4; i++) {
      placer.weigh(separate(i).key(), placer.layerOf(separate(i).key()) == 0 ? 100 : 130);
    }
    pace.weighed();
    assertThat(pace.next(NOW + ImprovementPace.SETTLING_MILLIS - 1)).isNotNull();
    pace.weighed();
    assertThat(pace.next(NOW + ImprovementPace.SETTLING_MILLIS)).as("settled").isNull();
  }

  @Test
  void aUsedReserveIsFreedAtOnceAndBringsNoOtherMovesAbout() {
    Placer placer = fixture.placement.placer();
    Plan move = (Plan) placer.plan(new Change.Improve());
    Step full =
        move.steps().stream()
            .filter(step -> step.kind() == Step.Kind.ADD && step.layer() == 0)
            .findFirst()
            .orElseThrow();
    placer.learnRefused(full, true);
    assertThat(placer.reserveUsed()).isTrue();
    allTraffic = 30_000;
    pace.weighed();
    Plan relief = Objects.requireNonNull(pace.next(NOW));
    assertThat(relief.change()).isInstanceOf(Change.Relieve.class);
    lead(new PlanRun(fixture.placement, null, relief), List.of());
    assertThat(placer.reserveUsed()).isFalse();
    assertThat(pace.next(NOW)).as("the heavier rule is not worth it yet").isNull();
    assertThat(pace.takeMoved()).isTrue();
  }

  @Test
  void aColdStartAsksForOneReading() {
    pace.placed(60);
    assertThat(pace.takeCold()).isFalse();
    pace.placed(4);
    assertThat(pace.takeCold()).isTrue();
    assertThat(pace.takeCold()).isFalse();
  }
}
