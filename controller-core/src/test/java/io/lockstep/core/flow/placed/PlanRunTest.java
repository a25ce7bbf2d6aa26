package io.lockstep.core.flow.placed;

import static io.lockstep.core.flow.placed.PlacementFixture.FULL;
import static io.lockstep.core.flow.placed.PlacementFixture.INSTALLED;
import static io.lockstep.core.flow.placed.PlacementFixture.NOW;
import static io.lockstep.core.flow.placed.PlacementFixture.UNKNOWN;
import static io.lockstep.core.flow.placed.PlacementFixture.lead;
import static io.lockstep.core.flow.placed.PlacementFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.placer.Change;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Refusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanRunTest {
  private static final LogicalRule HIGH = rule(60, "10.0.0.0/8", 1);
  private static final LogicalRule HIDDEN = rule(50, "10.0.0.0/8", 2);

  private final PlacementFixture fixture = new PlacementFixture(8, 8);
  private final SwitchPlacement placement = fixture.placement;

  private PlanRun adding(LogicalRule rule) {
    return new PlanRun(placement, rule, fixture.planFor(rule));
  }

  private PlanRun removing(LogicalRule rule) {
    Plan plan = (Plan) placement.placer().plan(new Change.Remove(rule.key()));
    return new PlanRun(placement, null, plan);
  }

  @Test
  void theStoreHasTheChangesBeforeTheSwitchGetsAFlowMod() {
    PlanRun run = adding(HIGH);
    assertThat(run.start(NOW)).isEqualTo(new RunAction.Store<>());
    assertThat(placement.ledger().pending()).hasSize(1);
    assertThat(placement.ledger().row(HIGH.key())).isNull();
    assertThat(run.stored(NOW)).isInstanceOf(RunAction.Send.class);
    assertThat(placement.ledger().row(HIGH.key())).isNull();
    assertThat(run.answered(List.of(INSTALLED), NOW))
        .isEqualTo(new RunAction.End<>(Optional.empty()));
    assertThat(placement.ledger().row(HIGH.key())).isNotNull();
    assertThat(placement.ledger().pending()).isEmpty();
  }

  @Test
  void aPlanWithoutFlowModsEndsAtOnce() {
    fixture.install(HIGH);
    assertThat(adding(HIDDEN).start(NOW)).isEqualTo(new RunAction.End<>(Optional.empty()));
    assertThat(placement.ledger().row(HIDDEN.key()))
        .isNotNull()
        .extracting(PlacedRow::live)
        .isEqualTo(false);
    assertThat(placement.ledger().written()).isFalse();
  }

  @Test
  void aRejectedStepLeadsToAnotherPlanThatTheStoreHasFirst() {
    PlacementFixture.Sent<Optional<Refusal>> sent = lead(adding(HIGH), List.of(FULL));
    assertThat(sent.action()).isEqualTo(new RunAction.End<>(Optional.empty()));
    assertThat(sent.stores()).isEqualTo(2);
    assertThat(sent.mods()).extracting(FlowMod::tableId).containsExactly(0, 1);
    assertThat(placement.errors().countIn(0)).isEqualTo(1);
    assertThat(placement.errors().last(0)).isEqualTo("FLOW_MOD_FAILED/TABLE_FULL");
    assertThat(placement.ledger().row(HIGH.key())).isNotNull();
  }

  @Test
  void theRunEndsWithTheRefusalWhereNoTableTakesTheRule() {
    PlacementFixture.Sent<Optional<Refusal>> sent = lead(adding(HIGH), List.of(FULL, FULL));
    assertThat(sent.action()).isInstanceOf(RunAction.End.class);
    assertThat(((RunAction.End<Optional<Refusal>>) sent.action()).result())
        .get()
        .extracting(Refusal::rule)
        .isEqualTo(HIGH.key());
    assertThat(placement.ledger().row(HIGH.key())).isNull();
  }

  @Test
  void anUnknownOutcomeOfAnyStepAsksForAReadingAndKeepsTheStepsBefore() {
    fixture.install(HIGH);
    fixture.install(HIDDEN);
    PlanRun first = removing(HIGH);
    assertThat(lead(first, List.of(UNKNOWN)).action())
        .isEqualTo(new RunAction.ReadAnew<>("no barrier reply"));
    assertThat(placement.placer().layerOf(HIDDEN.key()))
        .isEqualTo(placement.pipeline().profile().controller());

    PlacementFixture other = new PlacementFixture(8, 8);
    other.install(HIGH);
    other.install(HIDDEN);
    Plan plan = (Plan) other.placement.placer().plan(new Change.Remove(HIGH.key()));
    PlanRun second = new PlanRun(other.placement, null, plan);
    PlacementFixture.Sent<Optional<Refusal>> sent = lead(second, List.of(INSTALLED, UNKNOWN));
    assertThat(sent.action()).isEqualTo(new RunAction.ReadAnew<>("no barrier reply"));
    assertThat(sent.mods()).hasSize(2);
    assertThat(other.placement.placer().layerOf(HIDDEN.key())).isZero();
    assertThat(other.placement.ledger().row(HIGH.key())).isNotNull();
    assertThat(other.placement.ledger().pending()).isNotEmpty();
  }

  @Test
  void theHiddenRuleComesBeforeTheOneThatHidItLeaves() {
    fixture.install(HIGH);
    fixture.install(HIDDEN);
    PlacementFixture.Sent<Optional<Refusal>> sent = lead(removing(HIGH), List.of());
    assertThat(sent.mods())
        .extracting(FlowMod::operation, FlowMod::priority)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(FlowMod.Operation.ADD, 50),
            org.assertj.core.groups.Tuple.tuple(FlowMod.Operation.DELETE_STRICT, 60));
    assertThat(placement.ledger().row(HIGH.key())).isNull();
  }

  @Test
  void eachConfirmedStepAndEachChangeOfTheLedgerOvertakesAReading() {
    long before = placement.revision();
    lead(adding(HIGH), List.of());
    assertThat(placement.revision()).isGreaterThan(before);
  }

  @Test
  void aPlanForARuleThatNoOneRequestsIsABrokenInvariant() {
    PlanRun run = new PlanRun(placement, null, fixture.planFor(HIGH));
    assertThatThrownBy(() -> run.start(NOW))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no one requests");
  }
}
