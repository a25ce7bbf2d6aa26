package io.lockstep.dataplane.flowtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.flowtable.Action.Group;
import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.Action.PopVlan;
import io.lockstep.dataplane.flowtable.Action.PushVlan;
import io.lockstep.dataplane.flowtable.Action.SetField;
import io.lockstep.dataplane.packet.EtherTypes;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.SampleFrames;
import io.lockstep.dataplane.profile.ProfileFile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The pipeline of OF-DPA, as the Abstract Switch Specification 2.01 and the table type pattern of
 * OF-DPA 2.02 have it. Sections and tables are those of the specification.
 */
class FixedPipelineTest {
  private static final int VLAN = 1;
  private static final int TAG = OxmField.VLAN_PRESENT | VLAN;
  private static final int VLAN_TABLE = 10;
  private static final int TERMINATION = 20;
  private static final int BRIDGING = 50;
  private static final int ACL = 60;
  private static final byte[] FRAME = SampleFrames.echo();

  private PipelineHarness ofDpa = new PipelineHarness();

  @BeforeEach
  void anEmptySwitch() throws IOException {
    ofDpa = new PipelineHarness(ProfileFile.builtIn("of-dpa"));
  }

  private static FlowMatch.Builder match() {
    return FlowMatch.builder();
  }

  private static FlowMod filtering(int port, int tag) {
    FlowMatch match = match().exact(OxmField.IN_PORT, port).exact(OxmField.VLAN_VID, tag).build();
    return FlowMod.add(match, 2, Instructions.continuingAt(TERMINATION)).inTable(VLAN_TABLE);
  }

  private static FlowMod assigning(int port, int tag) {
    FlowMatch match = match().exact(OxmField.IN_PORT, port).exact(OxmField.VLAN_VID, 0).build();
    Instructions push =
        Instructions.applying(new PushVlan(EtherTypes.VLAN), SetField.of(OxmField.VLAN_VID, tag));
    return FlowMod.add(match, 2, push.thenTable(TERMINATION)).inTable(VLAN_TABLE);
  }

  private static FlowMod acl(FlowMatch.Builder match, Instructions instructions) {
    return FlowMod.add(match.build(), 5, instructions).inTable(ACL);
  }

  private static GroupMod group(int id, Action... actions) {
    return new GroupMod(GroupMod.Command.ADD, true, id, List.of(List.of(actions)));
  }

  private static int id(int port) {
    return VLAN << 16 | port;
  }

  private void portsOfTheVlan() {
    for (int port = 1; port <= 3; port++) {
      ofDpa.accept(filtering(port, TAG));
      ofDpa.accept(assigning(port, TAG));
      assertThat(ofDpa.pipeline.apply(group(id(port), new PopVlan(), Output.to(port)), 0))
          .isEmpty();
    }
  }

  private static Instructions toGroup(int port) {
    return Instructions.writing(new Group(id(port)));
  }

  @Test
  void anEmptySwitchDropsEverything() {
    assertThat(ofDpa.send(FRAME, 1)).isEmpty();
    assertThat(ofDpa.send(SampleFrames.tagged(FRAME, VLAN, 0), 1)).isEmpty();
  }

  @Test
  void untaggedFramesTravelInTheVlanOfTheirPortAndLeaveUntagged() {
    portsOfTheVlan();
    ofDpa.accept(
        acl(
            match()
                .exact(OxmField.VLAN_VID, TAG)
                .exact(OxmField.ETH_TYPE, EtherTypes.IPV4)
                .exact(OxmField.ETH_DST, SampleFrames.MAC_B.value()),
            toGroup(2)));
    assertThat(ofDpa.send(FRAME, 1)).isEqualTo("2");
    assertThat(ofDpa.frames.get(0)).isEqualTo(FRAME);
    assertThat(ofDpa.send(SampleFrames.tagged(FRAME, 7, 0), 1))
        .as("another VLAN is not allowed on the port (section 4.1.3)")
        .isEmpty();
  }

  @Test
  void aMissInTheVlanTableStillMeetsThePolicyTable() {
    ofDpa.accept(acl(match(), Instructions.applying(Output.to(PortNumbers.CONTROLLER))));
    assertThat(ofDpa.send(FRAME, 1)).as("the miss goes on to table 60").isEqualTo("controller");
  }

  @Test
  void anEntryWithoutAnEtherTypeTakesNoIpv6() {
    Instructions up = Instructions.applying(Output.to(PortNumbers.CONTROLLER));
    ofDpa.accept(acl(match(), up));
    assertThat(ofDpa.send(SampleFrames.icmp6(), 1)).as("section 4.1.20").isEmpty();
    ofDpa.accept(acl(match().exact(OxmField.ETH_TYPE, EtherTypes.IPV6), up));
    assertThat(ofDpa.send(SampleFrames.icmp6(), 1)).isEqualTo("controller");
    assertThat(ofDpa.entries()).hasSize(2);
    ofDpa.accept(FlowMod.delete(match().build()));
    assertThat(ofDpa.send(SampleFrames.icmp6(), 1)).isEmpty();
    assertThat(ofDpa.entries()).isEmpty();
  }

  @Test
  void bridgingForwardsByDestinationAndThePolicyTableMayOverrideIt() {
    portsOfTheVlan();
    ofDpa.accept(
        FlowMod.add(
                match()
                    .exact(OxmField.ETH_DST, SampleFrames.MAC_B.value())
                    .exact(OxmField.VLAN_VID, TAG)
                    .build(),
                3,
                toGroup(2).thenTable(ACL))
            .inTable(BRIDGING));
    assertThat(ofDpa.send(FRAME, 1)).isEqualTo("2");
    ofDpa.accept(
        acl(
            match().exact(OxmField.ETH_TYPE, EtherTypes.IPV4).exact(OxmField.VLAN_VID, TAG),
            toGroup(3)));
    assertThat(ofDpa.send(FRAME, 1)).as("the newer group of the set").isEqualTo("3");
    ofDpa.accept(
        acl(
            match().exact(OxmField.ETH_TYPE, EtherTypes.IPV4).exact(OxmField.VLAN_VID, TAG),
            new Instructions(List.of(), true, List.of(), 0, 0, Instructions.NO_TABLE)));
    assertThat(ofDpa.send(FRAME, 1)).as("cleared").isEmpty();
  }

  @Test
  void fixedTablesTakeNoEntries() {
    Instructions on = Instructions.continuingAt(VLAN_TABLE);
    assertThat(ofDpa.offer(FlowMod.add(FlowMatch.ANY, 5, on))).contains(ModelError.FIXED_TABLE);
    assertThat(ofDpa.offer(FlowMod.add(FlowMatch.ANY, 0, Instructions.NONE).inTable(ACL)))
        .as("what a miss does is built in")
        .contains(ModelError.FIXED_TABLE);
    assertThat(ofDpa.offer(FlowMod.add(FlowMatch.ANY, 5, Instructions.NONE).inTable(11)))
        .contains(ModelError.BAD_TABLE_ID);
  }

  @Test
  void theVlanTableWantsPortAndVlanExactlyAndInOrder() {
    FlowMod allowAll =
        FlowMod.add(
                match().exact(OxmField.IN_PORT, 1).build(),
                2,
                Instructions.continuingAt(TERMINATION))
            .inTable(VLAN_TABLE);
    assertThat(ofDpa.offer(allowAll)).contains(ModelError.BAD_WILDCARDS);
    assertThat(ofDpa.offer(assigning(1, TAG)))
        .as("the VLAN has to be allowed on the port first (section 4.1.3.1)")
        .contains(ModelError.FIXED_TABLE);
    ofDpa.accept(filtering(2, TAG));
    assertThat(ofDpa.offer(assigning(1, TAG))).contains(ModelError.FIXED_TABLE);
    ofDpa.accept(filtering(1, TAG));
    ofDpa.accept(assigning(1, TAG));
    FlowMod elsewhere =
        FlowMod.add(filtering(1, TAG).match(), 2, Instructions.continuingAt(ACL))
            .inTable(VLAN_TABLE);
    assertThat(ofDpa.offer(elsewhere)).contains(ModelError.BAD_GOTO_TABLE);
    FlowMod nothingPushed =
        FlowMod.add(assigning(1, TAG).match(), 2, Instructions.continuingAt(TERMINATION))
            .inTable(VLAN_TABLE);
    assertThat(ofDpa.offer(nothingPushed)).contains(ModelError.UNSUPPORTED_INSTRUCTION);
  }

  @Test
  void thePolicyTableOutputsThroughGroupsOfTheVlanItMatches() {
    portsOfTheVlan();
    FlowMatch.Builder vlan = match().exact(OxmField.VLAN_VID, TAG);
    assertThat(ofDpa.offer(acl(vlan, Instructions.applying(Output.to(2)))))
        .as("table 124 has no output to a port")
        .contains(ModelError.BAD_OUT_PORT);
    assertThat(ofDpa.offer(acl(match(), toGroup(2))))
        .as("table 120: the VLAN cannot be masked")
        .contains(ModelError.BAD_OUT_GROUP);
    assertThat(ofDpa.offer(acl(match().exact(OxmField.VLAN_VID, TAG + 1), toGroup(2))))
        .contains(ModelError.BAD_OUT_GROUP);
    assertThat(ofDpa.offer(acl(vlan, toGroup(4))))
        .as("the group has to exist")
        .contains(ModelError.BAD_OUT_GROUP);
    ofDpa.accept(acl(vlan, toGroup(2)));
  }

  @Test
  void thePolicyTableRewritesMarksAndNoAddresses() {
    portsOfTheVlan();
    FlowMatch.Builder ip =
        match().exact(OxmField.VLAN_VID, TAG).exact(OxmField.ETH_TYPE, EtherTypes.IPV4);
    Instructions toServer =
        Instructions.writing(SetField.of(OxmField.IPV4_DST, 1), new Group(id(2)));
    assertThat(ofDpa.offer(acl(ip, toServer))).contains(ModelError.BAD_SET_TYPE);
    ofDpa.accept(
        acl(ip, Instructions.writing(SetField.of(OxmField.IP_DSCP, 10), new Group(id(2)))));
    assertThat(ofDpa.send(FRAME, 1)).isEqualTo("2");
    assertThat(ofDpa.offer(acl(match().exact(OxmField.VLAN_VID, 0), Instructions.NONE)))
        .as("a VLAN of 0 is never matched (table 119)")
        .contains(ModelError.BAD_VALUE);
  }

  @Test
  void aGroupLeadsToThePortThatItsIdNames() {
    assertThat(ofDpa.pipeline.apply(group(id(2), Output.to(3)), 0)).contains(ModelError.BAD_BUCKET);
    assertThat(ofDpa.pipeline.apply(group(id(9), Output.to(9)), 0))
        .as("no such port")
        .contains(ModelError.BAD_BUCKET);
    assertThat(ofDpa.pipeline.apply(group(2, Output.to(2)), 0))
        .as("no VLAN")
        .contains(ModelError.INVALID_GROUP);
    assertThat(ofDpa.pipeline.apply(group(0x1001_0002, Output.to(2)), 0))
        .as("another type")
        .contains(ModelError.INVALID_GROUP);
    GroupMod all = new GroupMod(GroupMod.Command.ADD, false, id(2), List.of(List.of(Output.to(2))));
    assertThat(ofDpa.pipeline.apply(all, 0)).contains(ModelError.BAD_GROUP_TYPE);
    assertThat(ofDpa.pipeline.apply(group(id(2), Output.to(2)), 0)).isEmpty();
    assertThat(ofDpa.pipeline.apply(group(id(2), Output.to(2)), 0))
        .contains(ModelError.GROUP_EXISTS);
    assertThat(ofDpa.pipeline.groups().groups()).containsOnlyKeys(id(2));
  }

  @Test
  void aGroupThatGoesTakesItsEntriesWithIt() {
    portsOfTheVlan();
    ofDpa.accept(acl(match().exact(OxmField.VLAN_VID, TAG), toGroup(2)));
    ofDpa.pipeline.apply(new GroupMod(GroupMod.Command.DELETE, true, id(2), List.of()), 0);
    assertThat(ofDpa.send(FRAME, 1)).isEmpty();
    assertThat(ofDpa.entries()).extracting(FlowEntry::tableId).containsOnly(VLAN_TABLE);
  }
}
