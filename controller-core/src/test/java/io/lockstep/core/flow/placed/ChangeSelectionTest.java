package io.lockstep.core.flow.placed;

import static io.lockstep.core.flow.placed.PlacementFixture.NOW;
import static io.lockstep.core.flow.placed.PlacementFixture.rule;
import static io.lockstep.core.flow.placed.PlacementFixture.separate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.lockstep.core.flow.entry.HeaderSpace.Inexpressible;
import io.lockstep.core.flow.placed.ChangeSelection.Selected;
import io.lockstep.placer.Placer;
import io.lockstep.placer.PlacerOptions;
import io.lockstep.placer.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpPrefix;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;

class ChangeSelectionTest {
  private final PlacementFixture fixture = new PlacementFixture(64, 64);
  private final SwitchPlacement placement = fixture.placement;
  private final ChangeQueue queue = fixture.queue;
  private final ChangeSelection selection =
      new ChangeSelection(queue, placement, fixture.traffic, fixture.admission);

  private static int batchSize(Selected selected) {
    return ((NextWork.AddBatch) selected.work()).batch().size();
  }

  @Test
  void anEmptyQueueNeedsNothing() {
    assertThat(selection.select(NOW).work()).isEqualTo(new NextWork.Nothing());
  }

  @Test
  void newRulesThatShareNoPacketComeTogether() {
    selection.request(separate(1));
    selection.request(separate(2));
    selection.request(separate(3));
    assertThat(batchSize(selection.select(NOW))).isEqualTo(3);
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void aNewRuleThatSharesPacketsWithTheBatchWaits() {
    selection.request(separate(1));
    selection.request(rule(5, "10.0.0.0/8", 1));
    assertThat(batchSize(selection.select(NOW))).isEqualTo(1);
    assertThat(queue.next().key()).isEqualTo(rule(5, "10.0.0.0/8", 1).key());
  }

  @Test
  void aRemovalComesBeforeNewRules() {
    fixture.install(separate(1));
    selection.request(separate(2));
    selection.withdraw(separate(1).key());
    assertThat(selection.select(NOW).work())
        .asInstanceOf(type(NextWork.Remove.class))
        .extracting(NextWork.Remove::key)
        .isEqualTo(separate(1).key());
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void aRuleThatNoOneRequestsAndTheSwitchLacksIsAbsent() {
    queue.remove(separate(1).key());
    Selected selected = selection.select(NOW);
    assertThat(selected.absent()).containsExactly(separate(1).key());
    assertThat(selected.work()).isEqualTo(new NextWork.Nothing());
  }

  @Test
  void aRuleThatIsReplacedIsRemovedFirstAndThenAdded() {
    fixture.install(separate(1));
    queue.replace(separate(1).key());
    assertThat(selection.select(NOW).work())
        .asInstanceOf(type(NextWork.Remove.class))
        .extracting(NextWork.Remove::key)
        .isEqualTo(separate(1).key());
    placement.request(separate(2));
    queue.replace(separate(2).key());
    assertThat(batchSize(selection.select(NOW))).isEqualTo(1);
  }

  @Test
  void aRuleAsRequestedNeedsNoWorkAndGetsItsNewOwner() {
    fixture.install(separate(1));
    selection.request(separate(1).withOwner(77));
    Selected selected = selection.select(NOW);
    assertThat(selected.asRequested()).containsExactly(separate(1).key());
    assertThat(selected.work()).isEqualTo(new NextWork.Nothing());
    assertThat(placement.ledger().row(separate(1).key()))
        .isNotNull()
        .extracting(PlacedRow::owner)
        .isEqualTo(77L);
  }

  @Test
  void anotherTreatmentIsAPlanOfItsOwnBehindTheBatch() {
    LogicalRule changed = rule(11, "10.1.0.0/16", 9);
    fixture.install(separate(1));
    selection.request(changed);
    selection.request(separate(2));
    assertThat(batchSize(selection.select(NOW))).isEqualTo(1);
    Selected second = selection.select(NOW);
    assertThat(second.work()).isInstanceOf(NextWork.CarryOut.class);
    assertThat(((NextWork.CarryOut) second.work()).key()).isEqualTo(changed.key());
  }

  @Test
  void aRefusedRuleDoesNotHoldTheNextOne() {
    fixture.install(rule(90, "10.0.0.0/8", 1));
    selection.request(rule(90, "10.7.0.0/16", 2));
    selection.request(rule(80, "192.168.0.0/16", 2));
    Selected selected = selection.select(NOW);
    assertThat(selected.refused()).containsOnlyKeys(rule(90, "10.7.0.0/16", 2).key());
    assertThat(selected.refused().values())
        .extracting(Refusal::reason)
        .containsExactly(Refusal.Reason.CONFLICT);
    assertThat(batchSize(selected)).isEqualTo(1);
  }

  @Test
  void afterARejectionRulesGoSinglyAndBatchesGrowAgain() {
    for (int i = 1; i < 8; i++) {
      selection.request(separate(i));
    }
    selection.batchEnded(false);
    assertThat(batchSize(selection.select(NOW))).isEqualTo(1);
    selection.batchEnded(true);
    assertThat(batchSize(selection.select(NOW))).isEqualTo(2);
    selection.batchEnded(true);
    assertThat(batchSize(selection.select(NOW))).isEqualTo(4);
    selection.retry(java.util.List.of(separate(1).key(), separate(2).key()));
    queue.next();
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void oneCallLooksAtABoundedNumberOfRules() {
    for (int i = 0; i < ChangeSelection.MAX_LOOKS + 10; i++) {
      queue.remove(rule(i + 1, "10.0.0.0/8", 1).key());
    }
    assertThat(selection.select(NOW).absent()).hasSize(ChangeSelection.MAX_LOOKS);
    assertThat(queue.size()).isEqualTo(10);
  }

  @Test
  void afterAReadingWhatDiffersFromTheRequestsIsQueued() {
    fixture.install(separate(1));
    fixture.install(separate(2));
    placement.withdraw(separate(1).key());
    selection.queueAll();
    assertThat(queue.next()).isEqualTo(new ChangeQueue.Entry(separate(1).key(), false));
    assertThat(queue.next()).isEqualTo(new ChangeQueue.Entry(separate(2).key(), false));
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void aRemovalThatNeedsRoomComesAgainBehindTheEviction() {
    LogicalRule hidden = rule(50, "10.200.0.0/16", 2);
    LogicalRule hiding = rule(60, "10.200.0.0/16", 1);
    fixture.install(hiding);
    fixture.install(hidden);
    fixture.fill();
    selection.withdraw(hiding.key());
    assertThat(selection.select(NOW).work())
        .asInstanceOf(type(NextWork.Evict.class))
        .satisfies(evict -> assertThat(evict.victims()).containsOnlyKeys(hidden.key()));
    assertThat(queue.next()).isEqualTo(new ChangeQueue.Entry(hiding.key(), true));
    assertThat(selection.eviction(hidden.key())).isNotNull();
  }

  @Test
  void aRemovalWithoutAPlanWaitsUntilItIsRetried() {
    placement.ledger().put(PlacedRow.of(separate(1), true, 0, NOW));
    queue.remove(separate(1).key());
    assertThat(selection.select(NOW).work()).isInstanceOf(NextWork.RetryRemovals.class);
    assertThat(queue.isEmpty()).isTrue();
    selection.retryRemovals();
    assertThat(queue.next()).isEqualTo(new ChangeQueue.Entry(separate(1).key(), false));
  }

  @Test
  void aRemovedRuleThatIsRequestedIsQueuedAgain() {
    placement.request(separate(1));
    assertThat(selection.removed(separate(1).key())).isFalse();
    assertThat(queue.next()).isEqualTo(new ChangeQueue.Entry(separate(1).key(), false));
    placement.withdraw(separate(1).key());
    assertThat(selection.removed(separate(1).key())).isTrue();
    assertThat(queue.isEmpty()).isTrue();
  }

  private static LogicalRule guard(int priority, String destination) {
    try {
      return LogicalRule.of(
          priority,
          DefaultTrafficSelector.builder()
              .matchEthType((short) 0x800)
              .matchIPDst(IpPrefix.valueOf(destination))
              .build(),
          DefaultTrafficTreatment.builder().punt().build(),
          LogicalRule.Origin.SOFT);
    } catch (Inexpressible e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anEntryWaitsForItsGuardAlsoBehindItInTheQueue() {
    LogicalRule guard = guard(5, "10.0.0.0/8");
    selection.request(separate(1));
    selection.request(guard);
    assertThat(placement.group(List.of(separate(1), guard))).isTrue();
    assertThat(batchSize(selection.select(NOW))).isEqualTo(1);
    assertThat(placement.placer().layerOf(guard.key())).isNotNegative();
    assertThat(placement.placer().layerOf(separate(1).key())).isEqualTo(-1);
  }

  @Test
  void aGroupIsPlannedOnceWithAllItsRules() {
    AtomicLong looks = new AtomicLong();
    int rules = 200;
    placement.recovered(
        new Placer(
            "of:1",
            placement.pipeline().profile(),
            PlacerOptions.standard()
                .withControllerServes(false)
                .withRewrites(
                    treatment -> {
                      looks.incrementAndGet();
                      return 0;
                    })));
    List<LogicalRule> all = new ArrayList<>();
    for (int i = 0; i < rules; i++) {
      all.add(rule(10, "10." + i + ".0.0/16", 2));
    }
    all.forEach(selection::request);
    assertThat(placement.group(all)).isTrue();
    Selected selected = selection.select(NOW);
    assertThat(selected.refused()).as("there is room for 126").hasSize(rules);
    assertThat(looks.get()).isLessThan(20L * rules);
  }
}
