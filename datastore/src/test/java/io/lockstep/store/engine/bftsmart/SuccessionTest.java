package io.lockstep.store.engine.bftsmart;

import static io.lockstep.store.engine.bftsmart.Willingness.LEAVING;
import static io.lockstep.store.engine.bftsmart.Willingness.UNWILLING;
import static io.lockstep.store.engine.bftsmart.Willingness.WILLING;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.bftsmart.Succession.Candidate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SuccessionTest {

  private static int next(int regency, List<Integer> dead, Willingness... willingness) {
    return Succession.next(
        regency, willingness.length, dead::contains, replica -> willingness[replica]);
  }

  private static int successor(int regency, Willingness own, Map<Integer, Candidate> candidates) {
    return Succession.successor(regency, 3, own, 100, candidates::get);
  }

  private static Candidate candidate(Willingness willingness) {
    return new Candidate(willingness, 100);
  }

  @Test
  void noTurnIsLostOnTheDead() {
    assertThat(next(0, List.of(0), WILLING, WILLING, WILLING)).isEqualTo(1);
    assertThat(next(3, List.of(1), WILLING, WILLING, WILLING)).isEqualTo(5);
    assertThat(next(2, List.of(0, 1, 2), WILLING, WILLING, WILLING)).isEqualTo(3);
    assertThat(next(0, List.of(1, 2), WILLING, WILLING, WILLING, WILLING, WILLING)).isEqualTo(3);
  }

  @Test
  void noTurnIsLostOnTheUnwilling() {
    assertThat(next(0, List.of(), WILLING, UNWILLING, WILLING)).isEqualTo(2);
    assertThat(next(0, List.of(), WILLING, LEAVING, UNWILLING)).isEqualTo(2);
    assertThat(next(0, List.of(2), LEAVING, UNWILLING, WILLING)).isEqualTo(1);
  }

  @Test
  void whoDoesNotLeadIsNotAskedAgainWhereAnotherCould() {
    assertThat(next(0, List.of(2), WILLING, UNWILLING, WILLING)).isEqualTo(1);
    assertThat(next(0, List.of(2), UNWILLING, LEAVING, WILLING)).isEqualTo(1);
    assertThat(next(1, List.of(), UNWILLING, WILLING, UNWILLING)).isEqualTo(2);
  }

  @Test
  void unwillingOneLeadsWhereNoOtherIsAlive() {
    assertThat(next(4, List.of(1, 2), UNWILLING, WILLING, WILLING)).isEqualTo(6);
    assertThat(next(4, List.of(), LEAVING, LEAVING, LEAVING)).isEqualTo(5);
    assertThat(next(4, List.of(2), LEAVING, LEAVING, WILLING)).isEqualTo(6);
  }

  @Test
  void leaderStepsDownForTheNextMoreWillingReplica() {
    Map<Integer, Candidate> both = Map.of(1, candidate(WILLING), 2, candidate(WILLING));
    assertThat(successor(3, LEAVING, both)).isEqualTo(4);
    assertThat(successor(4, LEAVING, both)).isEqualTo(5);
    Map<Integer, Candidate> second = Map.of(1, candidate(UNWILLING), 2, candidate(WILLING));
    assertThat(successor(3, LEAVING, second)).isEqualTo(5);
    assertThat(successor(3, UNWILLING, second)).isEqualTo(5);
  }

  @Test
  void leaderStaysWhereNobodyIsMoreWilling() {
    assertThat(successor(3, LEAVING, Map.of())).isEqualTo(Succession.NONE);
    assertThat(successor(3, LEAVING, Map.of(1, candidate(LEAVING)))).isEqualTo(Succession.NONE);
    assertThat(successor(3, UNWILLING, Map.of(1, candidate(UNWILLING), 2, candidate(LEAVING))))
        .isEqualTo(Succession.NONE);
    assertThat(successor(3, LEAVING, Map.of(1, candidate(LEAVING), 2, candidate(UNWILLING))))
        .isEqualTo(5);
  }

  @Test
  void replicaThatLagsLeadsOnlyWhereNoOtherDoes() {
    Candidate lags = new Candidate(WILLING, 99);
    assertThat(successor(3, LEAVING, Map.of(1, lags, 2, candidate(WILLING)))).isEqualTo(5);
    assertThat(successor(3, LEAVING, Map.of(1, lags, 2, candidate(UNWILLING)))).isEqualTo(4);
    assertThat(successor(3, LEAVING, Map.of(1, lags, 2, lags))).isEqualTo(4);
  }
}
