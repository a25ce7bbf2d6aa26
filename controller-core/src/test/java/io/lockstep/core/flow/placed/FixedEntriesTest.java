package io.lockstep.core.flow.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.entry.EntryComparison;
import io.lockstep.core.flow.entry.HeaderSpace;
import io.lockstep.core.flow.entry.HeaderSpace.Inexpressible;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PortGroup;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.FixedPipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.onlab.packet.VlanId;
import org.onosproject.core.GroupId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instructions;

/** The forms of rules on the pipeline of OF-DPA. */
class FixedEntriesTest {
  private static final int ACL = 60;
  private static final int GROUP_OF_PORT_7 = 0x0001_0007;
  private static final FixedPipeline OF_DPA =
      Objects.requireNonNull(BuiltInProfiles.get("of-dpa").fixed());

  private final FixedEntries forms = new FixedEntries(OF_DPA, ACL);

  private static TrafficSelector.Builder ipv4() {
    return DefaultTrafficSelector.builder().matchEthType((short) 0x0800);
  }

  private static TrafficSelector untagged() {
    return ipv4().matchVlanId(VlanId.NONE).build();
  }

  private static TrafficTreatment.Builder does() {
    return DefaultTrafficTreatment.builder();
  }

  private static TrafficTreatment toPort(long port) {
    return does().setOutput(PortNumber.portNumber(port)).build();
  }

  private @Nullable String whyNot(TrafficSelector selector, TrafficTreatment treatment)
      throws Inexpressible {
    return forms.whyNot(new RuleKey(5, HeaderSpace.match(selector)), treatment);
  }

  private static FlowMod add(
      int priority, long cookie, TrafficSelector selector, TrafficTreatment treatment) {
    return new FlowMod(
        FlowMod.Operation.ADD,
        ACL,
        priority,
        cookie,
        0,
        0,
        0,
        false,
        PacketIn.NO_BUFFER,
        selector,
        treatment);
  }

  private static FlowStats shown(FlowMod mod) {
    return new FlowStats(
        mod.tableId(),
        mod.priority(),
        mod.cookie(),
        0,
        0,
        1,
        2,
        3,
        mod.selector(),
        mod.treatment());
  }

  private List<FlowStats> shown(List<FlowMod> mods) {
    return forms.fromSwitch(mods.stream().map(FixedEntriesTest::shown).toList());
  }

  @Test
  void aRuleComesBackAsItWasWritten() throws Inexpressible {
    List<FlowMod> rules =
        List.of(
            add(5, 1, untagged(), toPort(7)),
            add(
                6,
                2,
                untagged(),
                does().setIpDscp((byte) 3).setOutput(PortNumber.portNumber(7)).build()),
            add(7, 3, ipv4().build(), does().punt().build()),
            add(8, 4, ipv4().build(), does().drop().build()));
    for (FlowMod rule : rules) {
      assertThat(whyNot(rule.selector(), rule.treatment())).isNull();
      List<FlowStats> back = shown(forms.toSwitch(rule));
      assertThat(back).hasSize(1);
      assertThat(EntryComparison.sameMatch(rule.selector(), back.get(0).selector())).isTrue();
      assertThat(EntryComparison.sameActions(ACL, rule.treatment(), back.get(0).treatment()))
          .as("%s", back)
          .isTrue();
    }
  }

  @Test
  void anOutputIsTheGroupOfThePortInTheVlanOfUntaggedFrames() {
    FlowMod form = forms.toSwitch(add(5, 1, untagged(), toPort(7))).get(0);
    assertThat(form.selector()).isEqualTo(ipv4().matchVlanId(VlanId.vlanId((short) 1)).build());
    assertThat(form.treatment().immediate()).isEmpty();
    assertThat(form.treatment().deferred())
        .containsExactly(Instructions.createGroup(new GroupId(GROUP_OF_PORT_7)));
    assertThat(forms.group(7)).isEqualTo(new PortGroup(GROUP_OF_PORT_7, 7, true));
  }

  @Test
  void theLastEntryIsWrittenForIpv6AsWellAndIsThereOnlyAsAWhole() {
    FlowMod last =
        add(0, Cookies.TABLE_MISS, DefaultTrafficSelector.emptySelector(), does().punt().build());
    List<FlowMod> parts = forms.toSwitch(last);
    assertThat(parts).hasSize(2).allMatch(part -> part.priority() == 1);
    assertThat(shown(parts))
        .singleElement()
        .satisfies(
            whole -> {
              assertThat(whole.priority()).isZero();
              assertThat(whole.selector().criteria()).isEmpty();
              assertThat(whole.packets()).isEqualTo(4);
            });
    assertThat(shown(parts.subList(0, 1))).as("the node writes both again").isEmpty();
  }

  @Test
  void whatTheSwitchCannotDoHasAReason() throws Inexpressible {
    assertThat(whyNot(ipv4().matchVlanId(VlanId.vlanId((short) 7)).build(), does().drop().build()))
        .contains("forwards only frames without one, in VLAN 1");
    assertThat(whyNot(ipv4().build(), toPort(7))).contains("needs a match on vlan_vid");
    assertThat(whyNot(untagged(), does().setOutput(PortNumber.FLOOD).build()))
        .contains("groups for single ports");
    assertThat(
            whyNot(
                untagged(),
                does()
                    .setOutput(PortNumber.portNumber(1))
                    .setOutput(PortNumber.portNumber(2))
                    .build()))
        .contains("more than one output");
    assertThat(whyNot(untagged(), does().popVlan().setOutput(PortNumber.portNumber(1)).build()))
        .contains("does not know");
    assertThat(whyNot(untagged(), does().deferred().group(new GroupId(1)).build()))
        .contains("end of the pipeline");
    RuleKey lowest = new RuleKey(1, HeaderSpace.match(untagged()));
    assertThat(forms.whyNot(lowest, toPort(1))).contains("priorities up to 1");
  }

  @Test
  void entriesOfPortsAreNoRulesAndOthersStayAsTheyAre() {
    List<FlowMod> port = new ArrayList<>();
    for (int i = 0; i < forms.portEntries(); i++) {
      port.add(forms.portEntry(i, 7));
    }
    assertThat(port).hasSize(2).allMatch(entry -> entry.tableId() == 10);
    List<FlowStats> seen = port.stream().map(FixedEntriesTest::shown).toList();
    assertThat(forms.fromSwitch(seen)).isEmpty();
    assertThat(port).allMatch(entry -> FixedEntries.isThere(entry, seen));
    assertThat(FixedEntries.isThere(forms.portEntry(0, 8), seen)).isFalse();
    TrafficTreatment other = does().deferred().group(new GroupId(0x0002_0007)).build();
    FlowStats foreign = shown(add(9, 0x77, ipv4().build(), other));
    assertThat(forms.fromSwitch(List.of(foreign))).containsExactly(foreign);
  }
}
