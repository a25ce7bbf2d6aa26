package io.lockstep.dataplane.flowtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.flowtable.Action.DecTtl;
import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.Action.PopVlan;
import io.lockstep.dataplane.flowtable.Action.PushVlan;
import io.lockstep.dataplane.flowtable.Action.SetField;
import io.lockstep.dataplane.flowtable.Action.SetTtl;
import io.lockstep.dataplane.packet.EtherTypes;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.Packet;
import io.lockstep.dataplane.packet.SampleFrames;
import io.lockstep.dataplane.profile.ProfileFile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** OpenFlow 1.3.5 sections 5.1, 5.9, 5.10 and 5.11. */
class InstructionsTest {
  private static final FlowMatch IPV4 =
      FlowMatch.builder().exact(OxmField.ETH_TYPE, EtherTypes.IPV4).build();
  private static final FlowMatch TAGGED =
      FlowMatch.builder().masked(OxmField.VLAN_VID, 0x1000, 0x1000).build();

  private final PipelineHarness harness = new PipelineHarness();

  private void rule(int table, FlowMatch match, Instructions instructions) {
    harness.accept(FlowMod.add(match, 1, instructions).inTable(table));
  }

  private Packet sent(int index) {
    return new Packet(harness.frames.get(index), 1);
  }

  /** Section 5.9: apply-actions act at once, later tables see the changed packet. */
  @Test
  void appliedChangesAreSeenByTheNextTable() {
    rule(
        0,
        IPV4,
        Instructions.applying(SetField.of(OxmField.IPV4_DST, 0x0a000063), Output.to(1))
            .thenTable(1));
    rule(
        1,
        FlowMatch.builder()
            .exact(OxmField.ETH_TYPE, EtherTypes.IPV4)
            .exact(OxmField.IPV4_DST, 0x0a000063)
            .build(),
        Instructions.applying(SetField.of(OxmField.ETH_DST, 0x99), Output.to(2)));
    assertThat(harness.send(SampleFrames.echo(), 3)).isEqualTo("1 2");
    assertThat(sent(0).get(OxmField.ETH_DST)).isEqualTo(SampleFrames.MAC_B.value());
    assertThat(sent(1).get(OxmField.ETH_DST)).isEqualTo(0x99);
  }

  /** Section 5.10: the set is executed at the end, one action of each type, the newest. */
  @Test
  void writtenActionsRunOnceAtTheEnd() {
    rule(0, IPV4, Instructions.writing(Output.to(1)).thenTable(1));
    rule(
        1,
        FlowMatch.ANY,
        new Instructions(List.of(Output.to(3)), false, List.of(Output.to(2)), 0, 0, -1));
    assertThat(harness.send(SampleFrames.echo(), 4)).isEqualTo("3 2");
  }

  /** Section 5.10: pop, push, decrement, set, output, whatever the order of writing. */
  @Test
  void actionSetHasItsOwnOrder() {
    rule(
        0,
        FlowMatch.builder()
            .exact(OxmField.ETH_TYPE, EtherTypes.IPV4)
            .exact(OxmField.VLAN_VID, 0)
            .build(),
        Instructions.writing(
            Output.to(2),
            SetField.of(OxmField.VLAN_VID, 0x1007),
            new DecTtl(),
            new PushVlan(EtherTypes.VLAN)));
    assertThat(harness.send(SampleFrames.echo(), 4)).isEqualTo("2");
    assertThat(sent(0).get(OxmField.VLAN_VID)).isEqualTo(0x1007);
    assertThat(sent(0).ttl()).isEqualTo(63);
  }

  /** Section 5.9: clear-actions empties the set before write-actions of the same entry. */
  @Test
  void clearComesBeforeWrite() {
    rule(
        0, IPV4, Instructions.writing(Output.to(1), SetField.of(OxmField.ETH_DST, 5)).thenTable(1));
    rule(1, FlowMatch.ANY, new Instructions(List.of(), true, List.of(Output.to(2)), 0, 0, -1));
    assertThat(harness.send(SampleFrames.echo(), 4)).isEqualTo("2");
    assertThat(sent(0).get(OxmField.ETH_DST)).isEqualTo(SampleFrames.MAC_B.value());
    rule(1, FlowMatch.ANY, new Instructions(List.of(), true, List.of(), 0, 0, -1));
    assertThat(harness.send(SampleFrames.echo(), 4)).isEmpty();
  }

  /** Section 5.9: write-metadata changes the masked bits and later tables can match them. */
  @Test
  void metadataCarriesBetweenTables() {
    rule(0, IPV4, new Instructions(List.of(), false, List.of(), 0xabcd, 0xff00, 1));
    rule(
        1,
        FlowMatch.builder().exact(OxmField.METADATA, 0xab00).build(),
        Instructions.applying(Output.to(2)));
    assertThat(harness.send(SampleFrames.echo(), 4)).isEqualTo("2");
  }

  /** Section 5.4: a miss in a later table drops; what was applied before stands. */
  @Test
  void missInALaterTableDropsTheActionSet() {
    rule(0, IPV4, new Instructions(List.of(Output.to(1)), false, List.of(Output.to(2)), 0, 0, 2));
    assertThat(harness.send(SampleFrames.echo(), 4)).isEqualTo("1 miss 2");
  }

  /**
   * HPE, 5700 OpenFlow Configuration Guide, appendix B: an entry of mac-ip goes on to
   * extensibility, and what it outputs counts only where the entry there outputs to NORMAL.
   */
  @Test
  void extensibilityDecidesOverMacIp() throws IOException {
    PipelineHarness model = new PipelineHarness(ProfileFile.builtIn("5700"));
    byte[] frame = SampleFrames.echo();
    FlowMatch station =
        FlowMatch.builder()
            .exact(OxmField.ETH_DST, new Packet(frame, 4).get(OxmField.ETH_DST))
            .build();
    model.accept(FlowMod.add(FlowMatch.ANY, 0, Instructions.continuingAt(1)));
    model.accept(FlowMod.add(station, 5, Instructions.applying(Output.to(3))));
    assertThat(model.send(frame, 4)).as("nothing in extensibility").isEqualTo("miss 1");
    FlowMod decides = FlowMod.add(IPV4, 1, Instructions.applying(Output.to(2))).inTable(1);
    model.accept(decides);
    assertThat(model.send(frame, 4)).as("another output").isEqualTo("2");
    model.accept(FlowMod.add(IPV4, 1, Instructions.NONE).inTable(1));
    assertThat(model.send(frame, 4)).as("a drop").isEmpty();
    Output normal = Output.to(PortNumbers.NORMAL);
    model.accept(FlowMod.add(IPV4, 1, Instructions.applying(normal)).inTable(1));
    assertThat(model.send(frame, 4)).as("NORMAL").isEqualTo("3");
    model.accept(FlowMod.add(IPV4, 1, Instructions.writing(normal)).inTable(1));
    assertThat(model.send(frame, 4)).as("NORMAL of the action set").isEqualTo("3");
  }

  /** Section 5.12: decrementing to zero is invalid, the packet goes nowhere else. */
  @Test
  void exhaustedTimeToLiveStopsTheList() {
    rule(0, IPV4, Instructions.applying(new SetTtl(1), new DecTtl(), Output.to(1)));
    assertThat(harness.send(SampleFrames.echo(), 4)).isEqualTo("ttl");
  }

  @Test
  void tagsArePoppedAndRewritten() {
    byte[] five = SampleFrames.tagged(SampleFrames.echo(), 5, 3);
    rule(
        0,
        TAGGED,
        Instructions.applying(
            SetField.of(OxmField.VLAN_VID, 0x1009), Output.to(1), new PopVlan(), Output.to(2)));
    assertThat(harness.send(five, 4)).isEqualTo("1 2");
    assertThat(sent(0).get(OxmField.VLAN_VID)).isEqualTo(0x1009);
    assertThat(sent(0).get(OxmField.VLAN_PCP)).isEqualTo(3);
    assertThat(harness.frames.get(1)).isEqualTo(SampleFrames.echo());
  }
}
