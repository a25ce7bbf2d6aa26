package io.lockstep.deploy.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.deploy.placed.oracle.WatchedModel;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Switches that do not do what they say: the error is clear, and nothing is installed halfway. */
class PlacedLiarIT {
  private static final int PACKETS_PER_STATE = 200;
  private static final int TOO_MANY = 150;
  private static final int RULES = 15;

  /** It says that it is a 5130, and holds some dozens of entries instead of hundreds. */
  @Test
  void tablesThatHoldLessThanTheModelShould() throws IOException {
    try (ModelBench bench = new ModelBench(Models.smallEmulated("5130"), SwitchProfiles.NONE, 11)) {
      bench.watch(true, PACKETS_PER_STATE);
      bench.churn.fill(TOO_MANY);
      bench.settle(true);
      assertThat(bench.refusals())
          .isNotEmpty()
          .allSatisfy(
              why ->
                  assertThat(why)
                      .contains("of:0000000000000001", "layer ", "(table ", "priority ")
                      .contains("capacity ", " used"))
          .anySatisfy(why -> assertThat(why).contains("TABLE_FULL"));
      bench.model.look(PACKETS_PER_STATE);
      assertThat(bench.model.counts().mismatches()).isZero();
    }
  }

  @Test
  void tableThatItSaysItHasAndRefuses() throws IOException {
    try (ModelBench bench = ModelBench.small("ovs-small", 12)) {
      bench.model.refuses =
          mod ->
              mod.tableId() == 1 && mod.command() == FlowMod.Command.ADD
                  ? Optional.of(ModelError.BAD_TABLE_ID)
                  : Optional.empty();
      bench.churn.fill(RULES);
      bench.await(
          "every rule is refused",
          () -> bench.churn.undecided() == 0 && bench.refusals().size() == RULES);
      assertThat(bench.refusals())
          .allSatisfy(
              why ->
                  assertThat(why)
                      .contains("of:0000000000000001, table 1: priority ", "BAD_TABLE_ID")
                      .contains("capacity ", " used"));
      assertThat(bench.model.entries()).as("nothing leads to a table that does not work").isZero();
      bench.model.refuses = mod -> Optional.empty();
      bench.await("all rules are there", () -> bench.refusedNow() == 0);
      bench.model.look(PACKETS_PER_STATE);
      assertThat(bench.model.wrong()).isEmpty();
    }
  }

  /** The oracle of these tests sees it at once; the node with the third read-back. */
  @Test
  void rulesThatItConfirmsAndDoesNotKeep() throws IOException {
    try (ModelBench bench = ModelBench.small("5130", 13)) {
      bench.watch(true, 0);
      bench.model.loses = mod -> mod.priority() > 0 && mod.command() == FlowMod.Command.ADD;
      bench.churn.fill(8);
      bench.await("it is found out", () -> bench.refusals().size() >= 4);
      List<String> whys = bench.refusals();
      assertThat(whys)
          .allSatisfy(
              why ->
                  assertThat(why)
                      .contains("of:0000000000000001: priority ", "does not have it")
                      .contains("(table ", "capacity ", " used"));
      bench.model.loses = WatchedModel.NOTHING;
      bench.await("it keeps them now", () -> bench.refusedNow() == 0);
      bench.model.look(PACKETS_PER_STATE);
      assertThat(bench.model.wrong()).isEmpty();

      bench.model.loses = mod -> mod.command() == FlowMod.Command.DELETE_STRICT;
      bench.churn.removeAll();
      bench.await("the switch says that all are gone", () -> bench.refusedNow() == 0);
      bench.model.look(PACKETS_PER_STATE);
      assertThat(bench.model.wrong()).as("they are still there").isNotEmpty();
    }
  }
}
