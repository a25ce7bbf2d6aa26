package io.lockstep.dataplane.flowtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.SampleFrames;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.dataplane.profile.PromotionProfile;
import io.lockstep.dataplane.profile.PromotionProfile.Order;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where entries go, which of them wins, and how the switch moves them by itself. */
class PromotionTest {
  private static final int SHARE = 1; // of 460: 4 entries

  private final PipelineHarness slow = harness("2920", new PromotionProfile(Order.FIFO, 1, false));

  private static PipelineHarness harness(String name, PromotionProfile promotion) {
    try {
      HardwareProfile profile = ProfileFile.builtIn(name);
      return new PipelineHarness(profile.withPolicyShare(SHARE).withPromotion(promotion));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static FlowMatch port(int port) {
    return FlowMatch.builder().exact(OxmField.IN_PORT, port).build();
  }

  private static FlowMod rule(int port, int priority, int out) {
    return FlowMod.add(port(port), priority, Instructions.applying(Action.Output.to(out)));
  }

  private static void fill(PipelineHarness harness, int entries) {
    for (int i = 1; i <= entries; i++) {
      harness.accept(rule(1, i, 2));
    }
  }

  private static List<Integer> inHardware(PipelineHarness harness) {
    return harness.entries().stream()
        .filter(each -> each.location() == Location.HARDWARE)
        .map(FlowEntry::priority)
        .sorted()
        .toList();
  }

  @Test
  void whatDoesNotFitGoesToSoftwareAndIsFoundByTheProcessor() {
    fill(slow, 4);
    slow.accept(rule(2, 5, 3));
    assertThat(inHardware(slow)).containsExactly(1, 2, 3, 4);
    assertThat(slow.send(SampleFrames.echo(), 1)).isEqualTo("2");
    assertThat(slow.send(SampleFrames.echo(), 2)).isEqualTo("processor");
    assertThat(slow.process()).isEqualTo("3");
    assertThat(slow.entries().get(4).packets()).isEqualTo(1);
    assertThat(slow.pipeline.tables().get(0).lookups()).isEqualTo(2);
  }

  @Test
  void hardwareWinsOverHigherPrioritiesInSoftware() {
    fill(slow, 4);
    slow.accept(rule(1, 100, 3));
    assertThat(slow.send(SampleFrames.echo(), 1)).as("not what the table says").isEqualTo("2");
    // What hardware does not have, the processor may have.
    assertThat(slow.send(SampleFrames.echo(), 3)).isEqualTo("processor");
    assertThat(slow.process()).isEqualTo("miss 0");
  }

  /** A switch that looks into both memories for each packet. */
  private static PipelineHarness lookingIntoBoth() {
    try {
      HardwareProfile one = ProfileFile.builtIn("2920").withPolicyShare(SHARE);
      return new PipelineHarness(
          new HardwareProfile(
              "both",
              one.openFlow(),
              one.description(),
              one.tables(),
              one.groups(),
              HardwareProfile.Lookup.PRIORITY,
              one.software(),
              null,
              one.policyEngine(),
              one.lineRateMbit(),
              one.idleCpuPercent(),
              List.of()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void highestPriorityWinsInWhicheverMemoryWhereTheSwitchSaysSo() {
    PipelineHarness both = lookingIntoBoth();
    fill(both, 4);
    both.accept(rule(1, 100, 3));
    assertThat(inHardware(both)).containsExactly(1, 2, 3, 4);
    assertThat(both.send(SampleFrames.echo(), 1)).isEqualTo("processor");
    assertThat(both.process()).as("of software").isEqualTo("3");
    both.accept(FlowMod.delete(port(1)));
    both.accept(rule(1, 100, 2));
    fill(both, 3);
    both.accept(FlowMod.add(FlowMatch.ANY, 50, Instructions.applying(Action.Output.to(3))));
    assertThat(inHardware(both)).containsExactly(1, 2, 3, 100);
    assertThat(both.send(SampleFrames.echo(), 1)).as("of hardware").isEqualTo("2");
  }

  @Test
  void theMissEntryWinsOnlyWhatNothingElseMatches() {
    slow.accept(FlowMod.add(FlowMatch.ANY, 0, Instructions.applying(Action.Output.to(4))));
    fill(slow, 5);
    slow.accept(rule(2, 5, 3));
    assertThat(slow.send(SampleFrames.echo(), 2)).isEqualTo("processor");
    assertThat(slow.process()).isEqualTo("3");
    assertThat(slow.send(SampleFrames.echo(), 3)).isEqualTo("processor");
    assertThat(slow.process()).isEqualTo("4");
    slow.accept(FlowMod.delete(port(1)));
    slow.accept(FlowMod.delete(port(2)));
    assertThat(slow.send(SampleFrames.echo(), 3)).as("nothing in software").isEqualTo("4");
  }

  @Test
  void entriesMoveOneEachIntervalWhenThereIsRoom() {
    fill(slow, 10);
    slow.pass(Duration.ofSeconds(60));
    assertThat(inHardware(slow)).containsExactly(1, 2, 3, 4);
    slow.accept(rule(1, 1, 2).with(FlowMod.Command.DELETE_STRICT));
    slow.accept(rule(1, 2, 2).with(FlowMod.Command.DELETE_STRICT));
    assertThat(inHardware(slow)).containsExactly(3, 4);
    assertThat(slow.pipeline.nextDeadlineNanos() - slow.nowNanos).isEqualTo(1_000_000_000L);
    slow.pass(Duration.ofMillis(999));
    assertThat(inHardware(slow)).containsExactly(3, 4);
    slow.pass(Duration.ofMillis(1));
    assertThat(inHardware(slow)).containsExactly(3, 4, 5);
    slow.pass(Duration.ofSeconds(1));
    assertThat(inHardware(slow)).containsExactly(3, 4, 5, 6);
    slow.pass(Duration.ofSeconds(60));
    assertThat(inHardware(slow)).containsExactly(3, 4, 5, 6);
    assertThat(slow.pipeline.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void theLastComesFirstWhereTheSwitchSaysSo() {
    PipelineHarness harness = harness("2920", new PromotionProfile(Order.LIFO, 1, false));
    fill(harness, 10);
    harness.accept(rule(1, 1, 2).with(FlowMod.Command.DELETE_STRICT));
    harness.pass(Duration.ofSeconds(1));
    assertThat(inHardware(harness)).containsExactly(2, 3, 4, 10);
  }

  @Test
  void roomByTimeoutsIsUsedInTheOrderOfEventsEvenWhenNobodyLooked() {
    for (int i = 1; i <= 4; i++) {
      slow.accept(rule(1, i, 2).withTimeouts(0, 10 * i));
    }
    slow.accept(rule(1, 5, 2).withTimeouts(0, 25));
    slow.accept(rule(1, 6, 2));
    slow.accept(rule(1, 7, 2));
    // At 10 s entry 1 goes and 5 moves at 11; at 20 it is 6 at 21; 5 goes at 25, and 7 moves.
    slow.pass(Duration.ofSeconds(26));
    assertThat(inHardware(slow)).containsExactly(3, 4, 6, 7);
  }

  @Test
  void whatHardwareCannotHoldNeverMoves() {
    FlowMatch mac = FlowMatch.builder().exact(OxmField.ETH_SRC, 1).build();
    slow.accept(FlowMod.add(mac, 9, Instructions.NONE));
    fill(slow, 5);
    slow.accept(rule(1, 1, 2).with(FlowMod.Command.DELETE_STRICT));
    slow.pass(Duration.ofSeconds(5));
    assertThat(inHardware(slow)).containsExactly(2, 3, 4, 5);
    assertThat(slow.pipeline.count(Location.SOFTWARE)).isEqualTo(1);
  }

  @Test
  void aDeadEntryForwardsAgainWhenItsFlowModCame() {
    PipelineHarness harness = harness("2920", new PromotionProfile(Order.FIFO, 1, true));
    fill(harness, 4);
    harness.accept(rule(2, 5, 3));
    harness.accept(rule(1, 4, 2).with(FlowMod.Command.DELETE_STRICT));
    harness.pass(Duration.ofSeconds(1));
    assertThat(inHardware(harness)).containsExactly(1, 2, 3, 5);
    assertThat(harness.send(SampleFrames.echo(), 2)).isEqualTo("stuck");
    harness.accept(rule(2, 5, 3));
    assertThat(harness.send(SampleFrames.echo(), 2)).isEqualTo("3");
    assertThat(inHardware(harness)).containsExactly(1, 2, 3, 5);
  }

  @Test
  void aModifyRevivesToo() {
    PipelineHarness harness = harness("2920", new PromotionProfile(Order.FIFO, 1, true));
    fill(harness, 5);
    harness.accept(rule(1, 1, 2).with(FlowMod.Command.DELETE_STRICT));
    harness.pass(Duration.ofSeconds(1));
    assertThat(harness.send(SampleFrames.echo(), 1)).isEqualTo("stuck");
    harness.accept(rule(1, 5, 3).with(FlowMod.Command.MODIFY_STRICT));
    assertThat(harness.send(SampleFrames.echo(), 1)).isEqualTo("3");
  }

  @Test
  void aPacketGoesOnToASoftwareTable() throws IOException {
    PipelineHarness harness = new PipelineHarness(ProfileFile.builtIn("3500yl-1.3"));
    FlowMatch ip = FlowMatch.builder().exact(OxmField.ETH_TYPE, 0x800).build();
    Instructions rewriteAndGo =
        new Instructions(
            List.of(Action.SetField.of(OxmField.ETH_DST, 5)),
            false,
            List.of(Action.Output.to(2)),
            0,
            0,
            1);
    harness.accept(FlowMod.add(ip, 5, rewriteAndGo));
    harness.accept(FlowMod.add(port(1), 1, Instructions.writing(Action.Output.to(3))).inTable(1));
    assertThat(harness.send(SampleFrames.echo(), 1)).isEqualTo("processor");
    assertThat(harness.process()).isEqualTo("3");
    assertThat(harness.frames.get(0)[5]).isEqualTo((byte) 5);
    Optional<ModelError> refused = harness.offer(rule(1, 1, 2));
    assertThat(refused).contains(ModelError.BAD_FIELD);
  }
}
