package io.lockstep.dataplane.flowtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.flowtable.TwelveTuple.Column;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileFile;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How much the tables of real switches hold, and what becomes of the rest. */
class CapacityTest {
  private static final Instructions OUT = Instructions.applying(Action.Output.to(2));

  static List<Column> columns() {
    return TwelveTuple.COLUMNS;
  }

  private static FlowMod rule(FlowMatch match, int number, int tableId) {
    return FlowMod.add(match, 1 + number % 60_000, OUT).inTable(tableId);
  }

  /** Table 2, every cell of a column. */
  @ParameterizedTest
  @MethodSource("columns")
  void hardwareHoldsWhatTheTableSays(Column column) throws IOException {
    for (int row = 1; row <= TwelveTuple.ROWS.size(); row++) {
      PipelineHarness harness = new PipelineHarness(ProfileFile.builtIn(column.profile()));
      FlowTable table = harness.pipeline.tables().get(column.tableId());
      int number = 0;
      int before = -1;
      while (table.count(Location.HARDWARE) > before && number < 70_000) {
        before = table.count(Location.HARDWARE);
        FlowMatch match = TwelveTuple.match(column, row, number);
        harness.offer(rule(match, number, column.tableId()));
        number++;
      }
      assertThat(before).as("%s row %d", column, row).isEqualTo(column.cells()[row - 1]);
    }
  }

  @Test
  void mixturesShareTheUnits() throws IOException {
    PipelineHarness harness = new PipelineHarness(ProfileFile.builtIn("3500yl-1.0"));
    FlowTable table = harness.pipeline.tables().get(0);
    FlowMatch cheap = FlowMatch.builder().exact(OxmField.ETH_TYPE, 0x800).build();
    FlowMatch dear = FlowMatch.builder().exact(OxmField.IN_PORT, 1).build();
    for (int i = 0; i < 726; i++) {
      harness.accept(rule(cheap, i, 0));
    }
    for (int i = 0; i < 300; i++) {
      harness.accept(rule(dear, i, 0));
    }
    assertThat(table.count(Location.HARDWARE)).isEqualTo(726 + 200);
    assertThat(table.count(Location.SOFTWARE)).isEqualTo(100);
    assertThat(table.unitsUsed(Location.HARDWARE)).isEqualTo(1526);
    assertThat(table.unitsUsed(Location.SOFTWARE)).isEqualTo(100);
  }

  @Test
  void refusalsSayWhatIsWrong() throws IOException {
    PipelineHarness harness = new PipelineHarness(ProfileFile.builtIn("5130"));
    FlowMatch onlyPort = FlowMatch.builder().exact(OxmField.IN_PORT, 1).build();
    FlowMatch onlyVlan = FlowMatch.builder().exact(OxmField.VLAN_VID, 0x1001).build();
    FlowMatch masked = FlowMatch.builder().masked(OxmField.ETH_DST, 0, 0xff).build();
    assertThat(harness.offer(rule(onlyPort, 1, 0))).contains(ModelError.BAD_FIELD);
    assertThat(harness.offer(rule(onlyVlan, 1, 0))).contains(ModelError.BAD_WILDCARDS);
    assertThat(harness.offer(rule(masked, 1, 0))).contains(ModelError.BAD_MASK);
    for (int i = 0; i < 384; i++) {
      harness.accept(rule(onlyPort, i, 1));
    }
    assertThat(harness.offer(rule(onlyPort, 384, 1))).contains(ModelError.TABLE_FULL);
    harness.accept(rule(onlyPort, 7, 1)); // replaces an entry
    assertThat(harness.entries()).hasSize(384);
  }

  @Test
  void theMissEntryTakesNoRoom() throws IOException {
    PipelineHarness harness = new PipelineHarness(ProfileFile.builtIn("5130"));
    harness.accept(FlowMod.add(FlowMatch.ANY, 0, Instructions.continuingAt(1)).inTable(0));
    harness.accept(FlowMod.add(FlowMatch.ANY, 0, OUT).inTable(1));
    assertThat(harness.pipeline.tables().get(1).unitsUsed(Location.HARDWARE)).isZero();
    assertThat(harness.pipeline.count(Location.HARDWARE)).isEqualTo(2);
    harness.accept(FlowMod.delete(FlowMatch.ANY));
    assertThat(harness.entries()).isEmpty();
    assertThat(harness.pipeline.count(Location.HARDWARE)).isZero();
  }

  /** Adds, changes, deletes and time-outs at random: what is used is what the entries take. */
  @ParameterizedTest
  @ValueSource(strings = {"2920", "3500yl-1.0", "3500yl-1.3", "5130", "5700", "ovs-small"})
  void nothingIsLostOrCountedTwiceUnderChurn(String name) throws IOException {
    HardwareProfile profile = ProfileFile.builtIn(name);
    if (profile.policyEngine() != null) {
      profile = profile.withPolicyShare(3).withoutHang();
    }
    for (long seed = 1; seed <= 5; seed++) {
      churn(profile, new Random(seed), name + " seed " + seed);
    }
  }

  private static void churn(HardwareProfile profile, Random random, String label) {
    PipelineHarness harness = new PipelineHarness(profile);
    Column any = new Column(profile.name(), 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    for (int step = 0; step < 1000; step++) {
      FlowMatch.Builder match = FlowMatch.builder();
      for (int row = 0; row < TwelveTuple.ROWS.size(); row++) {
        if (random.nextInt(3) == 0) {
          TwelveTuple.set(match, TwelveTuple.ROWS.get(row), random.nextInt(40));
        }
      }
      FlowMatch wanted =
          random.nextBoolean()
              ? match.build()
              : TwelveTuple.match(any, 1 + random.nextInt(12), random.nextInt(40));
      FlowMod mod =
          rule(wanted, random.nextInt(30), random.nextInt(profile.tables().size()))
              .withTimeouts(0, random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 0)
              .with(command(random));
      harness.offer(mod);
      if (random.nextInt(20) == 0) {
        harness.pass(Duration.ofMillis(random.nextInt(3000)));
      }
      check(harness, label + " step " + step);
    }
  }

  private static FlowMod.Command command(Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> FlowMod.Command.DELETE;
      case 1 -> FlowMod.Command.DELETE_STRICT;
      case 2 -> FlowMod.Command.MODIFY;
      default -> FlowMod.Command.ADD;
    };
  }

  private static void check(PipelineHarness harness, String label) {
    for (FlowTable table : harness.pipeline.tables()) {
      long fast = 0;
      long slow = 0;
      int fastEntries = 0;
      for (FlowEntry entry : table.entries()) {
        boolean hardware = entry.location() == Location.HARDWARE;
        fast += hardware ? entry.units() : 0;
        slow += hardware ? 0 : entry.units();
        fastEntries += hardware ? 1 : 0;
      }
      var memory = table.profile().hardware();
      assertThat(fast).as(label).isLessThanOrEqualTo(memory == null ? 0 : memory.units());
      assertThat(table.unitsUsed(Location.HARDWARE)).as(label).isEqualTo(fast);
      assertThat(table.unitsUsed(Location.SOFTWARE)).as(label).isEqualTo(slow);
      assertThat(table.count(Location.HARDWARE)).as(label).isEqualTo(fastEntries);
      assertThat(table.count(Location.HARDWARE) + table.count(Location.SOFTWARE))
          .as(label)
          .isEqualTo(table.entries().size());
    }
  }
}
