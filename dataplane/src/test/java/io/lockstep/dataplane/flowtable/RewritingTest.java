package io.lockstep.dataplane.flowtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.profile.ProfileFile;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tables whose entries can set some fields only. */
class RewritingTest {
  private static final FlowMatch MATCH = FlowMatch.builder().exact(OxmField.IN_PORT, 1).build();
  private static final Instructions STATION =
      Instructions.applying(Action.SetField.of(OxmField.ETH_DST, 5), Action.Output.to(2));
  private static final Instructions SOURCE =
      Instructions.writing(Action.SetField.of(OxmField.ETH_SRC, 5), Action.Output.to(2));
  private static final Instructions TAG =
      Instructions.applying(new Action.PushVlan(0x8100), Action.Output.to(2));

  private static PipelineHarness harness(String table) throws IOException {
    String text = "name: mine\ntables: [{name: only, " + table + "}]\n";
    return new PipelineHarness(
        ProfileFile.parse(
            "mine.yaml",
            table.contains("software") ? text + "softwarePath: {packetsPerSecond: 10}\n" : text));
  }

  private static FlowMod rule(int priority, Instructions instructions) {
    return FlowMod.add(MATCH, priority, instructions);
  }

  @Test
  void whatATableCannotSetIsRefused() throws IOException {
    PipelineHarness harness = harness("hardware: {units: 9, rewrites: [eth_dst]}");
    harness.accept(rule(1, STATION));
    assertThat(harness.offer(rule(2, SOURCE))).contains(ModelError.BAD_SET_TYPE);
    assertThat(harness.offer(rule(2, TAG))).as("sets the id").contains(ModelError.BAD_SET_TYPE);
    assertThat(harness.entries()).hasSize(1);
    FlowTable table = harness.pipeline.tables().get(0);
    assertThat(table.rewrites(OxmField.ETH_DST)).isTrue();
    assertThat(table.rewrites(OxmField.ETH_SRC)).isFalse();
  }

  @Test
  void withoutAWordATableSetsEverything() throws IOException {
    PipelineHarness harness = harness("hardware: {units: 9}");
    harness.accept(rule(1, STATION));
    harness.accept(rule(2, SOURCE));
    harness.accept(rule(3, TAG));
    assertThat(harness.entries()).hasSize(3);
  }

  @Test
  void whatReplacesOrChangesAnEntryIsAskedTheSame() throws IOException {
    PipelineHarness harness = harness("hardware: {units: 9, rewrites: [eth_dst]}");
    harness.accept(rule(1, STATION));
    assertThat(harness.offer(rule(1, SOURCE))).contains(ModelError.BAD_SET_TYPE);
    assertThat(harness.offer(rule(1, SOURCE).with(FlowMod.Command.MODIFY)))
        .contains(ModelError.BAD_SET_TYPE);
    assertThat(harness.only().instructions()).isEqualTo(STATION);
  }

  @Test
  void softwareRewritesWhatHardwareCannot() throws IOException {
    PipelineHarness harness =
        harness("hardware: {units: 9, rewrites: []}, software: {units: unbounded}");
    harness.accept(rule(1, SOURCE));
    harness.accept(rule(2, Instructions.applying(Action.Output.to(2))));
    FlowTable table = harness.pipeline.tables().get(0);
    assertThat(table.count(Location.SOFTWARE)).isEqualTo(1);
    assertThat(table.count(Location.HARDWARE)).isEqualTo(1);
    assertThat(table.rewrites(OxmField.ETH_SRC)).isTrue();
    harness.accept(rule(2, SOURCE));
    assertThat(table.count(Location.SOFTWARE)).as("it went where it can be done").isEqualTo(2);
    harness.accept(FlowMod.delete(FlowMatch.ANY));
    assertThat(table.unitsUsed(Location.SOFTWARE)).isZero();
    assertThat(table.unitsUsed(Location.HARDWARE)).isZero();
  }
}
