package io.lockstep.dataplane.openflow;

import static io.lockstep.dataplane.openflow.AgentFixture.OF;
import static io.lockstep.dataplane.openflow.AgentFixture.add;
import static io.lockstep.dataplane.openflow.AgentFixture.any;
import static io.lockstep.dataplane.openflow.AgentFixture.error;
import static io.lockstep.dataplane.openflow.AgentFixture.output;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.flowtable.FlowEntry;
import io.lockstep.dataplane.flowtable.FlowTable;
import io.lockstep.dataplane.flowtable.Location;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.profile.ProfileFile;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFTableFeaturesStatsReply;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TableId;

/** Models of real switches as a controller meets them: OpenFlow over TCP. */
class ProfiledSwitchIT extends ProfiledSwitchSteps {
  @Test
  void theSwitchSaysWhatItIs() throws IOException {
    start(ProfileFile.builtIn("5130"));
    OFDescStatsReply description = session.ask(OF.buildDescStatsRequest(), OFDescStatsReply.class);
    assertThat(description.getMfrDesc()).isEqualTo("HPE");
    assertThat(description.getHwDesc()).isEqualTo("HPE 5130-24G-4SFP+ EI JG932A");
    assertThat(description.getSwDesc()).isEqualTo("3111P03");
    OFTableFeaturesStatsReply first =
        session.ask(
            OF.buildTableFeaturesStatsRequest().setEntries(List.of()),
            OFTableFeaturesStatsReply.class);
    assertThat(first.getEntries().get(0).getName()).isEqualTo("mac-ip");
    assertThat(first.getEntries().get(0).getMaxEntries()).isEqualTo(16000);
  }

  @Test
  void whatATableCannotHoldIsRefusedByItsReason() throws IOException {
    start(ProfileFile.builtIn("5130"));
    install(0, 1, inPort(1));
    assertThat(refusal()).isEqualTo("BAD_MATCH 6");
    OFVlanVidMatch vlan = OFVlanVidMatch.ofVlan(5);
    install(0, 1, OF.buildMatch().setExact(MatchField.VLAN_VID, vlan).build());
    assertThat(refusal()).as("BAD_WILDCARDS").isEqualTo("BAD_MATCH 5");
    install(9, 1, inPort(1));
    assertThat(refusal()).isEqualTo("FLOW_MOD_FAILED 2");
    for (int i = 1; i <= 384; i++) {
      install(1, i, inPort(1));
    }
    assertThat(packetIns()).isZero();
    install(1, 385, inPort(1));
    assertThat(refusal()).as("TABLE_FULL").isEqualTo("FLOW_MOD_FAILED 1");
    assertThat(inHardware()).isEqualTo(384);
  }

  @Test
  void aBurstBeyondTheCapacityIsRefusedRuleByRule() throws IOException {
    start(ProfileFile.builtIn("5130"));
    for (int i = 1; i <= 5000; i++) {
      install(1, i, ip(i));
    }
    session.barrier();
    int refused = 0;
    for (OFMessage next = session.poll(); next != null; next = session.poll()) {
      assertThat(error(next)).isEqualTo("FLOW_MOD_FAILED 1");
      refused++;
    }
    assertThat(refused).isEqualTo(5000 - 512);
    assertThat(inHardware()).isEqualTo(512);
  }

  @Test
  void whatSpillsIsAcceptedSlowAndLimited() throws IOException {
    start(speaking13("2920").withPolicyShare(5));
    for (int i = 1; i <= 23; i++) {
      install(0, i, inPort(1));
    }
    for (int i = 1; i <= 7; i++) {
      install(0, i, inPort(2));
    }
    assertThat(statistics().getEntries()).hasSize(25); // the first of two messages
    assertThat(inHardware()).isEqualTo(23);
    assertThat(inSoftware()).isEqualTo(7);
    for (int i = 0; i < 200; i++) {
      session.send(throughTheTable(1));
    }
    assertThat(packetIns()).as("by hardware, at once").isEqualTo(200);
    for (int i = 0; i < 200; i++) {
      session.send(throughTheTable(2));
    }
    assertThat(packetIns()).as("with the processor").isZero();
    clock.advance(Duration.ofMillis(1));
    assertThat(packetIns()).as("the bucket's tokens, and one more").isBetween(10, 12);
    clock.advance(Duration.ofSeconds(1));
    assertThat(packetIns()).as("the rest of the queue").isBetween(14, 16);
    long drops = look(model -> Objects.requireNonNull(model.software()).drops());
    assertThat(drops).isEqualTo(200 - 26);
    long packets = look(model -> entry(model, 2, 7).packets());
    assertThat(packets).isEqualTo(26);
  }

  private static FlowEntry entry(SwitchModel model, int port, int priority) {
    String text = "in_port=" + port;
    return model.pipeline().tables().get(0).entries().stream()
        .filter(each -> each.priority() == priority)
        .filter(each -> each.match().toString().toLowerCase(Locale.ROOT).equals(text))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void tablesOfThe3500ylHaveNumbersAndAPacketGoesOnIntoSoftware() throws IOException {
    start(ProfileFile.builtIn("3500yl-1.3"));
    install(0, 1, inPort(1));
    assertThat(refusal()).isEqualTo("BAD_MATCH 6");
    session.send(
        add(0, any(), output(OFPort.CONTROLLER))
            .setInstructions(List.of(OF.instructions().gotoTable(TableId.of(1))))
            .build());
    install(1, 5, fromSampleHost());
    session.send(throughTheTable(1));
    assertThat(packetIns()).isZero();
    clock.advance(Duration.ofMillis(1));
    OFPacketIn packetIn = session.await(OFPacketIn.class);
    assertThat(packetIn.getTableId().getValue()).isEqualTo((short) 1);
    assertThat(inSoftware()).isEqualTo(1);
  }

  @Test
  void churnLeavesEveryRuleInExactlyOnePlace() throws IOException {
    start(speaking13("2920").withPolicyShare(5));
    Random random = new Random(11);
    for (int i = 0; i < 1000; i++) {
      int priority = 1 + random.nextInt(60);
      Match match = random.nextInt(4) == 0 ? fromSampleHost() : inPort(1 + random.nextInt(2));
      if (random.nextInt(3) == 0) {
        uninstall(priority, match);
      } else {
        session.send(
            add(priority, match, output(OFPort.of(2)))
                .setHardTimeout(random.nextInt(4) == 0 ? 1 + random.nextInt(20) : 0)
                .build());
      }
      if (i % 50 == 0) {
        session.barrier();
        clock.advance(Duration.ofMillis(random.nextInt(4000)));
        look(ProfiledSwitchIT::checkSums);
      }
    }
    session.barrier();
    assertThat(look(ProfiledSwitchIT::checkSums)).isPositive();
    assertThat(inHardware()).isEqualTo(23);
  }

  private static int checkSums(SwitchModel model) {
    FlowTable table = model.pipeline().tables().get(0);
    int hardware = table.count(Location.HARDWARE);
    long counted =
        table.entries().stream().filter(each -> each.location() == Location.HARDWARE).count();
    assertThat(hardware).isLessThanOrEqualTo(23).isEqualTo((int) counted);
    assertThat(hardware + table.count(Location.SOFTWARE)).isEqualTo(table.entries().size());
    return table.entries().size();
  }
}
