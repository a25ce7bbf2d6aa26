package io.lockstep.dataplane.flowtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.flowtable.Action.DecTtl;
import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.Action.PopVlan;
import io.lockstep.dataplane.flowtable.Action.PushVlan;
import io.lockstep.dataplane.flowtable.Action.SetField;
import io.lockstep.dataplane.flowtable.FlowMod.Command;
import io.lockstep.dataplane.packet.EtherTypes;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.SampleFrames;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** OpenFlow 1.3.5 sections 6.4, 7.2.5 and 7.3.4.1. */
class FlowModTest {
  private static final Instructions TO_1 = Instructions.applying(Output.to(1));
  private static final Instructions TO_2 = Instructions.applying(Output.to(2));
  private static final FlowMatch IPV4 = ip().build();
  private static final FlowMatch NET10 =
      ip().masked(OxmField.IPV4_DST, 0x0a000000, 0xff000000L).build();
  private static final FlowMatch HOST2 = ip().exact(OxmField.IPV4_DST, 0x0a000002).build();

  private final PipelineHarness harness = new PipelineHarness();

  private static FlowMatch.Builder ip() {
    return FlowMatch.builder().exact(OxmField.ETH_TYPE, EtherTypes.IPV4);
  }

  /** An add with equal match and priority replaces: new cookie and duration, counters kept. */
  @Test
  void addReplacesTheSameEntryAndKeepsItsCounters() {
    harness.accept(
        FlowMod.add(IPV4, 5, TO_1).withCookie(1, 0).withFlags(FlowFlag.SEND_FLOW_REMOVED));
    harness.send(SampleFrames.echo(), 3);
    harness.pass(Duration.ofSeconds(9));
    harness.accept(FlowMod.add(IPV4, 5, TO_2).withCookie(2, 0));
    FlowEntry entry = harness.only();
    assertThat(entry.cookie()).isEqualTo(2);
    assertThat(entry.packets()).isEqualTo(1);
    assertThat(entry.bytes()).isEqualTo(SampleFrames.echo().length);
    assertThat(entry.durationNanos(harness.nowNanos)).isZero();
    assertThat(harness.removed).isEmpty();
    assertThat(harness.send(SampleFrames.echo(), 3)).isEqualTo("2");
  }

  @Test
  void addWithResetCountsClearsTheCounters() {
    harness.accept(FlowMod.add(IPV4, 5, TO_1));
    harness.send(SampleFrames.echo(), 3);
    harness.accept(FlowMod.add(IPV4, 5, TO_1).withFlags(FlowFlag.RESET_COUNTS));
    assertThat(harness.only().packets()).isZero();
  }

  @Test
  void countersAreNotKeptWhereTheFlagsSaySo() {
    harness.accept(
        FlowMod.add(IPV4, 5, TO_1).withFlags(FlowFlag.NO_PACKET_COUNTS, FlowFlag.NO_BYTE_COUNTS));
    harness.send(SampleFrames.echo(), 3);
    assertThat(harness.only().packets()).isZero();
    assertThat(harness.only().bytes()).isZero();
  }

  @Test
  void differentPrioritiesAreDifferentEntries() {
    harness.accept(FlowMod.add(IPV4, 5, TO_1));
    harness.accept(FlowMod.add(IPV4, 6, TO_2));
    assertThat(harness.entries()).hasSize(2);
  }

  /** Modify changes the instructions of all covered entries and nothing else. */
  @Test
  void modifyChangesInstructionsOnly() {
    harness.accept(FlowMod.add(HOST2, 5, TO_1).withCookie(7, 0).withTimeouts(10, 0));
    harness.send(SampleFrames.echo(), 3);
    harness.accept(
        FlowMod.add(NET10, 99, TO_2).with(Command.MODIFY).withCookie(8, 0).withTimeouts(1, 1));
    FlowEntry entry = harness.only();
    assertThat(entry.instructions()).isEqualTo(TO_2);
    assertThat(entry.cookie()).isEqualTo(7);
    assertThat(entry.idleTimeoutSeconds()).isEqualTo(10);
    assertThat(entry.packets()).isEqualTo(1);
    harness.accept(
        FlowMod.add(NET10, 99, TO_2).with(Command.MODIFY).withFlags(FlowFlag.RESET_COUNTS));
    assertThat(harness.only().packets()).isZero();
  }

  /** A modify that selects nothing changes nothing and is no error. */
  @Test
  void modifyOfNothingAddsNothing() {
    harness.accept(FlowMod.add(IPV4, 5, TO_1).with(Command.MODIFY));
    harness.accept(FlowMod.add(IPV4, 5, TO_1).with(Command.MODIFY_STRICT));
    assertThat(harness.entries()).isEmpty();
  }

  @Test
  void strictCommandsNeedTheSameMatchAndPriority() {
    harness.accept(FlowMod.add(HOST2, 5, TO_1));
    harness.accept(FlowMod.add(NET10, 5, TO_2).with(Command.MODIFY_STRICT));
    harness.accept(FlowMod.add(HOST2, 6, TO_2).with(Command.MODIFY_STRICT));
    assertThat(harness.only().instructions()).isEqualTo(TO_1);
    harness.accept(FlowMod.add(HOST2, 5, TO_2).with(Command.MODIFY_STRICT));
    assertThat(harness.only().instructions()).isEqualTo(TO_2);
    harness.accept(FlowMod.add(HOST2, 6, TO_2).with(Command.DELETE_STRICT));
    assertThat(harness.entries()).hasSize(1);
    harness.accept(FlowMod.add(HOST2, 5, TO_2).with(Command.DELETE_STRICT));
    assertThat(harness.entries()).isEmpty();
  }

  /** A delete takes the entries it covers, more specific ones included, of any priority. */
  @Test
  void deleteTakesWhatItCovers() {
    harness.accept(FlowMod.add(IPV4, 1, TO_1));
    harness.accept(FlowMod.add(NET10, 2, TO_1));
    harness.accept(FlowMod.add(HOST2, 3, TO_1).inTable(1));
    harness.accept(FlowMod.add(HOST2, 3, TO_1));
    harness.accept(FlowMod.delete(NET10).inTable(0));
    assertThat(harness.entries()).hasSize(2);
    harness.accept(FlowMod.delete(FlowMatch.ANY));
    assertThat(harness.entries()).isEmpty();
  }

  @Test
  void outPortAndCookieRestrictADelete() {
    harness.accept(FlowMod.add(IPV4, 1, TO_1).withCookie(0x11, 0));
    harness.accept(FlowMod.add(IPV4, 2, Instructions.writing(Output.to(2))).withCookie(0x12, 0));
    harness.accept(FlowMod.delete(FlowMatch.ANY).withOutPort(3));
    harness.accept(FlowMod.delete(FlowMatch.ANY).withCookie(0x22, 0xf0));
    assertThat(harness.entries()).hasSize(2);
    harness.accept(FlowMod.delete(FlowMatch.ANY).withCookie(0xf2, 0x0f).withOutPort(1));
    assertThat(harness.entries()).hasSize(2);
    harness.accept(FlowMod.delete(FlowMatch.ANY).withOutPort(2));
    assertThat(harness.only().cookie()).isEqualTo(0x11);
    harness.accept(FlowMod.delete(FlowMatch.ANY).withCookie(0x10, 0xf0));
    assertThat(harness.entries()).isEmpty();
  }

  @Test
  void cookieRestrictsModifyButNotAdd() {
    harness.accept(FlowMod.add(IPV4, 1, TO_1).withCookie(1, 0));
    harness.accept(FlowMod.add(IPV4, 1, TO_2).with(Command.MODIFY).withCookie(2, -1));
    assertThat(harness.only().instructions()).isEqualTo(TO_1);
    harness.accept(FlowMod.add(IPV4, 1, TO_2).with(Command.MODIFY_STRICT).withCookie(1, -1));
    assertThat(harness.only().instructions()).isEqualTo(TO_2);
  }

  @Test
  void deletedEntriesAreAnnouncedWhenTheyAskedForIt() {
    harness.accept(
        FlowMod.add(HOST2, 3, TO_1).withCookie(9, 0).withFlags(FlowFlag.SEND_FLOW_REMOVED));
    harness.accept(FlowMod.add(NET10, 2, TO_1));
    harness.send(SampleFrames.echo(), 3);
    harness.pass(Duration.ofMillis(1500));
    harness.accept(FlowMod.delete(FlowMatch.ANY));
    assertThat(harness.removed)
        .containsExactly(
            new FlowRemoved(
                0,
                HOST2,
                3,
                9,
                FlowRemoved.Reason.DELETE,
                1_500_000_000L,
                0,
                0,
                1,
                SampleFrames.echo().length));
  }

  @Test
  void overlapIsRefusedOnlyWhenAskedAndOnlyAtTheSamePriority() {
    harness.accept(FlowMod.add(NET10, 5, TO_1));
    FlowMod overlapping =
        FlowMod.add(ip().exact(OxmField.IP_PROTO, 1).build(), 5, TO_2)
            .withFlags(FlowFlag.CHECK_OVERLAP);
    assertThat(harness.offer(overlapping)).contains(ModelError.OVERLAP);
    assertThat(harness.entries()).hasSize(1);
    harness.accept(FlowMod.add(overlapping.match(), 6, TO_2).withFlags(FlowFlag.CHECK_OVERLAP));
    harness.accept(overlapping.withFlags());
    assertThat(harness.entries()).hasSize(3);
  }

  @Test
  void fullTableRefusesNewEntriesButReplacesOldOnes() {
    PipelineHarness small = new PipelineHarness(2, 2);
    small.accept(FlowMod.add(IPV4, 1, TO_1));
    small.accept(FlowMod.add(IPV4, 2, TO_1));
    assertThat(small.offer(FlowMod.add(IPV4, 3, TO_1))).contains(ModelError.TABLE_FULL);
    small.accept(FlowMod.add(IPV4, 2, TO_2));
    small.accept(FlowMod.add(IPV4, 3, TO_1).inTable(1));
    small.accept(FlowMod.delete(IPV4).inTable(0));
    small.accept(FlowMod.add(IPV4, 3, TO_1));
    assertThat(small.entries()).hasSize(2);
  }

  @Test
  void tablesThatDoNotExistAreRefused() {
    assertThat(harness.offer(FlowMod.add(IPV4, 1, TO_1).inTable(3)))
        .contains(ModelError.BAD_TABLE_ID);
    assertThat(harness.offer(FlowMod.add(IPV4, 1, TO_1).inTable(FlowMod.ALL_TABLES)))
        .contains(ModelError.BAD_TABLE_ID);
    for (int next : new int[] {0, 1, 3}) {
      assertThat(harness.offer(FlowMod.add(IPV4, 1, TO_1.thenTable(next)).inTable(1)))
          .contains(ModelError.BAD_GOTO_TABLE);
    }
  }

  @Test
  void actionsThatCannotWorkAreRefused() {
    refused(IPV4, ModelError.BAD_OUT_PORT, Output.to(5));
    refused(IPV4, ModelError.BAD_OUT_PORT, Output.to(PortNumbers.TABLE));
    refused(IPV4, ModelError.BAD_OUT_PORT, Output.to(PortNumbers.ANY));
    refused(IPV4, ModelError.BAD_OUT_PORT, Output.to(PortNumbers.NORMAL));
    refused(IPV4, ModelError.BAD_OUT_PORT, Output.to(0));
    refused(IPV4, ModelError.BAD_ARGUMENT, new PushVlan(0x0800));
    refused(IPV4, ModelError.MATCH_INCONSISTENT, new PopVlan());
    refused(IPV4, ModelError.MATCH_INCONSISTENT, SetField.of(OxmField.VLAN_VID, 0x1001));
    refused(IPV4, ModelError.MATCH_INCONSISTENT, SetField.of(OxmField.TCP_DST, 80));
    refused(FlowMatch.ANY, ModelError.MATCH_INCONSISTENT, new DecTtl());
    refused(FlowMatch.ANY, ModelError.MATCH_INCONSISTENT, SetField.of(OxmField.IPV4_DST, 1));
    refused(IPV4, ModelError.BAD_SET_TYPE, SetField.of(OxmField.IN_PORT, 1));
    refused(IPV4, ModelError.BAD_SET_TYPE, SetField.of(OxmField.ETH_TYPE, 1));
    refused(IPV4, ModelError.BAD_SET_ARGUMENT, SetField.of(OxmField.IP_DSCP, 64));
    refused(
        IPV4,
        ModelError.BAD_SET_ARGUMENT,
        new PushVlan(EtherTypes.VLAN),
        SetField.of(OxmField.VLAN_VID, 5));
    refused(
        IPV4,
        ModelError.TOO_MANY_ACTIONS,
        Collections.nCopies(ActionCheck.MAX_ACTIONS + 1, Output.to(1)).toArray(Action[]::new));
    assertThat(harness.entries()).isEmpty();
  }

  private void refused(FlowMatch match, ModelError error, Action... actions) {
    assertThat(harness.offer(FlowMod.add(match, 1, Instructions.applying(actions))))
        .as("apply %s", List.of(actions))
        .contains(error);
    assertThat(harness.offer(FlowMod.add(match, 1, Instructions.writing(actions))))
        .as("write %s", List.of(actions))
        .contains(error);
  }

  @Test
  void actionsThatFitTheMatchAreAccepted() {
    harness.accept(
        FlowMod.add(
            ip().exact(OxmField.IP_PROTO, 6).build(),
            1,
            Instructions.applying(
                SetField.of(OxmField.TCP_DST, 80),
                new DecTtl(),
                new PushVlan(EtherTypes.VLAN),
                SetField.of(OxmField.VLAN_VID, 0x1005),
                SetField.of(OxmField.VLAN_PCP, 7),
                new PopVlan(),
                Output.to(PortNumbers.IN_PORT),
                Output.to(PortNumbers.FLOOD),
                Output.to(PortNumbers.ALL),
                Output.to(PortNumbers.CONTROLLER))));
    assertThat(harness.entries()).hasSize(1);
  }

  /** Section 7.2.3.7, table 11: every field without its prerequisite is refused. */
  @Test
  void matchesWithoutTheirPrerequisitesAreRefused() {
    for (OxmField field : OxmField.values()) {
      FlowMatch.Builder alone = FlowMatch.builder();
      if (field.words() == 2) {
        alone.masked128(field, 1, 1, -1, -1);
      } else {
        alone.exact(field, field == OxmField.VLAN_VID ? 0x1001 : 1);
      }
      boolean free = field.oxmNumber() <= OxmField.VLAN_VID.oxmNumber();
      assertThat(MatchCheck.refusal(alone.build()).orElse(null))
          .as(field.name())
          .isEqualTo(free ? null : ModelError.BAD_PREREQUISITE);
    }
    assertThat(MatchCheck.refusal(ip().exact(OxmField.TCP_DST, 1).build()))
        .contains(ModelError.BAD_PREREQUISITE);
    assertThat(
            MatchCheck.refusal(
                ip().exact(OxmField.IP_PROTO, 17).exact(OxmField.TCP_DST, 1).build()))
        .contains(ModelError.BAD_PREREQUISITE);
    assertThat(
            MatchCheck.refusal(
                FlowMatch.builder()
                    .exact(OxmField.VLAN_VID, 0)
                    .exact(OxmField.VLAN_PCP, 1)
                    .build()))
        .contains(ModelError.BAD_PREREQUISITE);
  }

  @Test
  void matchesWithBadMasksOrValuesAreRefused() {
    assertThat(MatchCheck.refusal(FlowMatch.builder().masked(OxmField.IN_PORT, 1, 3).build()))
        .contains(ModelError.BAD_MASK);
    assertThat(MatchCheck.refusal(FlowMatch.builder().exact(OxmField.VLAN_VID, 5).build()))
        .contains(ModelError.BAD_VALUE);
    assertThat(
            MatchCheck.refusal(FlowMatch.builder().masked(OxmField.VLAN_VID, 0x3001, -1L).build()))
        .contains(ModelError.BAD_VALUE);
    assertThat(harness.offer(FlowMod.delete(ip().exact(OxmField.TCP_DST, 1).build())))
        .contains(ModelError.BAD_PREREQUISITE);
  }

  @Test
  void tableCountsLookupsAndMatches() {
    harness.accept(FlowMod.add(IPV4, 1, TO_1.thenTable(1)));
    harness.send(SampleFrames.echo(), 3);
    harness.send(SampleFrames.arp(), 3);
    FlowTable first = harness.pipeline.tables().get(0);
    FlowTable second = harness.pipeline.tables().get(1);
    assertThat(first.lookups()).isEqualTo(2);
    assertThat(first.matches()).isEqualTo(1);
    assertThat(second.lookups()).isEqualTo(1);
    assertThat(second.matches()).isZero();
  }
}
