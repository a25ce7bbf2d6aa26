package io.lockstep.deploy.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.deploy.placed.oracle.WatchedModel.Counts;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onosproject.net.flow.FlowRule;

/**
 * The placer on models of real switches, through nodes and OpenFlow over TCP: behind every flow-mod
 * that a switch carries out, packets go through its own tables and are compared with what the rules
 * that were asked for say. 1000 changes and a million packets for each rule set:
 *
 * <pre>
 * mvn -o -pl deploy -am verify -Dit.test=PlacedModelsIT -Dtest=none \
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false \
 *     -Dplaced.changes=1000 -Dplaced.packets=1000000 -Dplaced.results=placed-models.json
 * </pre>
 *
 * <p>{@code -Dplaced.models=5130,5700} looks at these only, {@code -Dplaced.seed=N} at other rules.
 */
class PlacedModelsIT {
  private static final int CHANGES = Integer.getInteger("placed.changes", 60);
  private static final int PACKETS = Integer.getInteger("placed.packets", 20_000);

  private static final long SEED = Long.getLong("placed.seed", 0);

  /** A new master now and then. */
  private static final int CHANGES_PER_MASTER = 20;

  private static final int REFUSED_IN = 8;
  private static final int MANY = 90;
  private static final int FEW = 16;

  static List<String> models() {
    String only = System.getProperty("placed.models", "");
    return only.isEmpty() ? Models.names() : List.of(only.split(",", -1));
  }

  private static int packetsPerState() {
    return Math.max(1, 2 * PACKETS / CHANGES);
  }

  @ParameterizedTest
  @MethodSource("models")
  void profileIsThatOfTheSwitchAndFewRulesAreAllInIt(String name) throws IOException {
    boolean placed = Models.isPlaced(name);
    try (ModelBench bench =
        new ModelBench(Models.emulated(name), Models.configured(name), SEED + 1)) {
      bench.watch(placed, packetsPerState());
      PlacementReport report = bench.report();
      assertThat(report == null ? "ideal" : report.profile()).isEqualTo(name);
      bench.churn.fill(FEW);
      bench.settle(placed);
      changes(bench, FEW, false);
      bench.settle(placed);
      if (Models.isVisible(name)) {
        assertThat(bench.churn.refused()).isEmpty();
      }
      atRest(bench, "fits", name);
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void moreRulesThanFitWhileMastersAreReplaced(String name) throws IOException {
    boolean placed = Models.isPlaced(name);
    try (ModelBench bench = ModelBench.small(name, SEED + 2)) {
      bench.watch(placed, packetsPerState());
      bench.churn.fill(MANY);
      bench.settle(placed);
      changes(bench, MANY, true);
      bench.settle(placed);
      atRest(bench, "more than fit", name);
      assertThat(bench.replaced()).isPositive();
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void switchThatRefusesAtRandom(String name) throws IOException {
    boolean placed = Models.isPlaced(name);
    try (ModelBench bench = ModelBench.small(name, SEED + 3)) {
      bench.watch(placed, packetsPerState());
      bench.model.refuses = someAdds(new Random(SEED + 4));
      bench.churn.fill(FEW);
      changes(bench, FEW, false);
      bench.settle(placed);
      assertThat(bench.model.counts().refused()).isPositive();
      describesRefusals(bench);
      bench.model.refuses = mod -> Optional.empty();
      if (Models.isVisible(name)) { // some rules of the others have no place at all
        bench.await("what was refused is there", () -> bench.refusedNow() == 0);
      }
      bench.settle(placed);
      atRest(bench, "refuses at random", name);
    }
  }

  /** Every rule that is not in the switch says why; how many there are. */
  private static int describesRefusals(ModelBench bench) {
    List<FlowRule> refused = bench.churn.refused();
    for (FlowRule rule : refused) {
      String why = bench.cluster.rules().error(rule);
      if (!why.isEmpty()) { // else it was tried again meanwhile, and is there
        assertThat(why)
            .contains(ModelBench.DEVICE.toString(), "table ", "priority " + rule.priority())
            .contains("capacity ", " used");
      }
    }
    return refused.size();
  }

  private static Function<FlowMod, Optional<ModelError>> someAdds(Random random) {
    List<ModelError> errors = List.of(ModelError.TABLE_FULL, ModelError.BAD_FIELD);
    return mod ->
        mod.command() == FlowMod.Command.ADD && random.nextInt(REFUSED_IN) == 0
            ? Optional.of(errors.get(random.nextInt(errors.size())))
            : Optional.empty();
  }

  /** So many changes, and more where too few of them led to flow-mods. */
  private static void changes(ModelBench bench, int about, boolean replacing) throws IOException {
    for (int i = 1; i <= CHANGES || bench.model.counts().packets() < PACKETS; i++) {
      bench.change(about);
      if (replacing && i % CHANGES_PER_MASTER == 0) {
        bench.replaceMaster();
      }
    }
  }

  /** The end: everything is in the switch or refused with a reason, and was right all the way. */
  private static void atRest(ModelBench bench, String set, String name) throws IOException {
    bench.model.look(packetsPerState());
    int refused = describesRefusals(bench);
    assertThat(bench.model.wrong()).isEmpty();
    Counts counts = bench.model.counts();
    assertThat(counts.mismatches()).isZero();
    assertThat(counts.packets()).isGreaterThanOrEqualTo(PACKETS);
    ModelResults.add(set, name, CHANGES, bench.replaced(), bench.table.size(), refused, counts);
  }
}
