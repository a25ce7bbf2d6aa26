package io.lockstep.history.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.history.check.Operation.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The search against one that tries everything, and on long histories. */
class KeySearchTest {
  private static final long MAX_NODES = 1_000_000;

  private static boolean accepts(List<Operation> operations) {
    KeySearch.Verdict verdict = new KeySearch(operations, MAX_NODES).run();
    assertThat(verdict).isNotEqualTo(KeySearch.Verdict.UNDECIDED);
    return verdict == KeySearch.Verdict.LINEARIZABLE;
  }

  @Test
  void agreesWithExhaustiveSearchOnShortHistories() {
    int refused = 0;
    int rounds = 20_000;
    for (int seed = 0; seed < rounds; seed++) {
      Random random = new Random(seed);
      List<Operation> operations =
          new RandomHistory(random, seed % 3 == 0).make(3 + random.nextInt(4), 3, 35);
      if (seed % 4 != 0) {
        operations = spoilt(operations, random);
      }
      boolean right = new ExhaustiveSearch(operations, 14).linearizable();
      assertThat(accepts(operations)).as("seed %s: %s", seed, operations).isEqualTo(right);
      refused += right ? 0 : 1;
    }
    assertThat(refused).isBetween(rounds / 20, rounds * 9 / 10);
  }

  /** One answer is replaced by that of another operation, or changed a little. */
  private static List<Operation> spoilt(List<Operation> operations, Random random) {
    List<Operation> spoilt = new ArrayList<>(operations);
    int at = random.nextInt(spoilt.size());
    Operation one = spoilt.get(at);
    Result result = spoilt.get(random.nextInt(spoilt.size())).result();
    Result own = one.result();
    if (own == null || result == null) {
      return spoilt;
    }
    boolean absent = result.value() == null;
    Result other =
        one.applied()
            ? new Result(own.value(), Math.max(1, own.version() + random.nextInt(5) - 2))
            : new Result(result.value(), absent ? 0 : result.version());
    spoilt.set(
        at,
        new Operation(
            one.client(),
            one.kind(),
            one.table(),
            one.key(),
            one.value(),
            one.expectedVersion(),
            one.startNanos(),
            one.endNanos(),
            one.outcome(),
            other));
    return spoilt;
  }

  @Test
  void longHistoriesAreDecided() {
    for (int seed = 0; seed < 40; seed++) {
      List<Operation> operations =
          new RandomHistory(new Random(seed), seed % 2 == 0).make(2_000, 16, 3);
      assertThat(accepts(operations)).as("seed %s", seed).isTrue();
    }
  }

  @Test
  void aStaleReadInALongHistoryIsFound() {
    for (int seed = 0; seed < 20; seed++) {
      boolean counter = seed % 2 == 0;
      List<Operation> operations =
          new ArrayList<>(new RandomHistory(new Random(seed), counter).make(2_000, 8, 3));
      Operation old =
          operations.subList(900, 1_000).stream()
              .filter(Operation::applied)
              .filter(operation -> operation.kind() != Operation.Kind.REMOVE)
              .findFirst()
              .orElseThrow();
      operations.add(
          new Operation(
              "1",
              Operation.Kind.GET,
              "t",
              "k",
              null,
              null,
              15_000,
              15_001,
              Operation.Outcome.OK,
              old.result()));
      assertThat(accepts(operations)).as("seed %s", seed).isFalse();
    }
  }
}
