package io.lockstep.core.flow.placed;

import static io.lockstep.core.flow.placed.PlacementFixture.NOW;
import static io.lockstep.core.flow.placed.PlacementFixture.separate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.lockstep.core.southbound.FlowStats;
import io.lockstep.placer.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadBackReviewTest {
  private final PlacementFixture fixture = new PlacementFixture(8, 8);
  private final SwitchPlacement placement = fixture.placement;
  private final SwitchRejections rejections = new SwitchRejections();
  private final ReadBackHistory history = new ReadBackHistory("of:1", 2);
  private final ReadBackReview review =
      new ReadBackReview(
          placement,
          new ChangeSelection(fixture.queue, placement, fixture.traffic, fixture.admission),
          rejections,
          history,
          new ImprovementPace(placement, () -> 0));

  private ReadBackReview.Reviewed reviewEmptySwitch(long nowMillis) {
    return review.review(FlowTableSnapshot.of(placement.pipeline(), List.of()), nowMillis);
  }

  /** A switch that has only the last entry of each table. */
  private FlowTableSnapshot emptyButPrepared() {
    List<FlowStats> entries =
        placement.pipeline().missEntries().stream()
            .map(
                mod ->
                    new FlowStats(
                        mod.tableId(),
                        mod.priority(),
                        mod.cookie(),
                        0,
                        0,
                        0,
                        0,
                        0,
                        mod.selector(),
                        mod.treatment()))
            .toList();
    return FlowTableSnapshot.of(placement.pipeline(), entries);
  }

  @Test
  void aMissingEntryIsPutBackBeforeAnythingElse() {
    fixture.install(separate(1));
    assertThat(reviewEmptySwitch(NOW).work())
        .asInstanceOf(type(NextWork.Repair.class))
        .satisfies(repair -> assertThat(repair.mods()).hasSize(3));
    assertThat(history.entriesPutBack()).isEqualTo(3);
  }

  @Test
  void aRuleThatIsMissingAgainAndAgainIsReported() {
    fixture.install(separate(1));
    assertThat(reviewEmptySwitch(NOW).missing()).isEmpty();
    assertThat(reviewEmptySwitch(NOW).missing()).isEmpty();
    assertThat(reviewEmptySwitch(NOW).missing()).containsExactly(separate(1).key());
  }

  @Test
  void aRejectedRuleIsQueuedWhenARetryIsDue() {
    Refusal refusal =
        new Refusal(
            Refusal.Reason.REFUSED_BY_SWITCH, "of:1", "tcam", 0, separate(1).key(), 8, 8, "full");
    rejections.add(separate(1).key(), refusal, "full");
    review.start(NOW);
    FlowTableSnapshot asItShouldBe = emptyButPrepared();
    placement.ledger().capacities(asItShouldBe.capacities());
    assertThat(review.review(asItShouldBe, NOW).work()).isEqualTo(new NextWork.Nothing());
    assertThat(fixture.queue.isEmpty()).isTrue();
    long due = NOW + MaintenancePlanner.RETRY_MILLIS;
    assertThat(review.review(asItShouldBe, due).work()).isEqualTo(new NextWork.Nothing());
    assertThat(fixture.queue.next().key()).isEqualTo(separate(1).key());
  }

  @Test
  void aReadingOfAnotherRevisionIsOvertakenAndOneIsReadAtATime() {
    assertThat(history.begin(7)).isTrue();
    assertThat(history.begin(7)).isFalse();
    assertThat(history.isOvertaken(7)).isFalse();
    assertThat(history.isOvertaken(8)).isTrue();
    history.ended();
    assertThat(history.begin(8)).isTrue();
  }
}
