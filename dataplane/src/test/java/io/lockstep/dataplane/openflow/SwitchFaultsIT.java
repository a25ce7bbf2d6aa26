package io.lockstep.dataplane.openflow;

import static io.lockstep.dataplane.openflow.AgentFixture.add;
import static io.lockstep.dataplane.openflow.AgentFixture.output;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.profile.ProfileFile;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;

/** What goes wrong with real switches, as a controller meets it: OpenFlow over TCP. */
class SwitchFaultsIT extends ProfiledSwitchSteps {
  @Test
  void aPromotedRuleOfThe2920IsDeadUntilItsFlowModIsSentAgain() throws IOException {
    start(speaking13("2920").withPolicyShare(5));
    for (int i = 1; i <= 23; i++) {
      install(0, i, inPort(1));
    }
    install(0, 9, inPort(2));
    session.send(throughTheTable(2));
    session.barrier();
    clock.advance(Duration.ofSeconds(1));
    assertThat(packetIns()).isEqualTo(1);
    uninstall(4, inPort(1));
    session.barrier();
    assertThat(inSoftware()).isEqualTo(1);
    clock.advance(Duration.ofSeconds(1));
    assertThat(inSoftware()).isZero();
    assertThat(inHardware()).isEqualTo(23);
    session.send(throughTheTable(2));
    assertThat(packetIns()).isZero();
    clock.advance(Duration.ofSeconds(1));
    assertThat(packetIns()).as("not late, but lost").isZero();
    install(0, 9, inPort(2));
    session.send(throughTheTable(2));
    assertThat(packetIns()).isEqualTo(1);
  }

  @Test
  void theShareOfThePolicyEngineChangesOnlyWhileOpenFlowIsDisabled() throws IOException {
    start(speaking13("3500yl-1.0"));
    assertThat(operator(model -> model.setPolicyShare(5))).isFalse();
    install(0, 1, ip(1));
    session.barrier();
    assertThat(operator(SwitchModel::disableOpenFlow)).isTrue();
    awaitDisconnection(session);
    assertThat(operator(model -> model.setPolicyShare(5))).isTrue();
    assertThat(controller.accepted()).isEqualTo(1);
    assertThat(operator(SwitchModel::enableOpenFlow)).isTrue();
    session = controller.nextSession();
    assertThat(statistics().getEntries()).isEmpty();
    for (int i = 1; i <= 100; i++) {
      install(0, i, ip(i));
    }
    session.barrier();
    assertThat(inHardware()).isEqualTo(76);
    assertThat(inSoftware()).isEqualTo(24);
  }

  @Test
  void aHungInstanceIsGoneUntilTheSwitchRestarts() throws IOException {
    start(speaking13("3500yl-1.0").withPolicyShare(65));
    for (int i = 1; i <= 950; i++) {
      install(0, i, ip(i));
    }
    awaitDisconnection(session);
    assertThat(inHardware()).isEqualTo(901);
    assertThat(controller.accepted()).as("it does not come back").isEqualTo(1);
    operator(
        model -> {
          model.restart();
          return true;
        });
    session = controller.nextSession();
    assertThat(statistics().getEntries()).isEmpty();
  }

  @Test
  void usingAVlanTableLosesTheControllerWhileItsRuleIsThere() throws IOException {
    start(ProfileFile.builtIn("5700"));
    OFFlowMod tunnel =
        add(1, inPort(1), output(OFPort.of(2)))
            .setTableId(TableId.of(3))
            .setHardTimeout(5)
            .setFlags(Set.of())
            .build();
    session.send(tunnel);
    awaitDisconnection(session);
    clock.advance(Duration.ofMillis(4900));
    assertThat(controller.accepted()).isEqualTo(1);
    clock.advance(Duration.ofMillis(200));
    session = controller.nextSession();
    assertThat(statistics().getEntries()).isEmpty();
  }
}
