package io.lockstep.bench.openflow;

import static io.lockstep.bench.openflow.SwitchPersona.FACTORY;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.openflow.SwitchPersona.ControllerRole;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFBarrierReply;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFEchoReply;
import org.projectfloodlight.openflow.protocol.OFFeaturesReply;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFRoleReply;
import org.projectfloodlight.openflow.protocol.OFRoleRequestFailedCode;
import org.projectfloodlight.openflow.protocol.OFTableStatsReply;
import org.projectfloodlight.openflow.protocol.errormsg.OFBadRequestErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFRoleRequestFailedErrorMsg;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

class SwitchPersonaTest {
  private final SwitchPersona persona = new SwitchPersona(new LoadPlan(2, 4, 8, 0x20), 1);
  private final ControllerRole one = persona.connected("one");
  private final ControllerRole other = persona.connected("other");

  private <T extends OFMessage> T ask(Class<T> type, ControllerRole from, OFMessage message) {
    List<OFMessage> answers = persona.answer(from, message);
    assertThat(answers).hasSize(1);
    assertThat(answers.get(0)).isInstanceOf(type);
    assertThat(answers.get(0).getXid()).isEqualTo(message.getXid());
    return type.cast(answers.get(0));
  }

  private static OFMessage role(OFControllerRole role, long generation) {
    return FACTORY
        .buildRoleRequest()
        .setXid(4)
        .setRole(role)
        .setGenerationId(U64.of(generation))
        .build();
  }

  private long entries() {
    OFMessage request =
        FACTORY
            .buildFlowStatsRequest()
            .setXid(5)
            .setTableId(TableId.ALL)
            .setOutPort(OFPort.ANY)
            .setOutGroup(OFGroup.ANY)
            .build();
    return ask(OFFlowStatsReply.class, one, request).getEntries().size();
  }

  @Test
  void introducesItself() {
    OFFeaturesReply features =
        ask(OFFeaturesReply.class, one, FACTORY.buildFeaturesRequest().setXid(1).build());
    assertThat(features.getDatapathId().getLong()).isEqualTo(0x21);
    List<OFPortDesc> ports =
        ask(OFPortDescStatsReply.class, one, FACTORY.buildPortDescStatsRequest().setXid(2).build())
            .getEntries();
    assertThat(ports.stream().map(port -> port.getPortNo().getPortNumber()))
        .containsExactly(1, 2, 3, 4);
    assertThat(ports.stream().map(OFPortDesc::getHwAddr).distinct()).hasSize(4);
  }

  @Test
  void answersEchoBarrierAndStatistics() {
    OFMessage echo = FACTORY.buildEchoRequest().setXid(9).setData(new byte[] {1, 2}).build();
    assertThat(ask(OFEchoReply.class, one, echo).getData()).containsExactly(1, 2);
    ask(OFBarrierReply.class, one, FACTORY.buildBarrierRequest().setXid(3).build());
    ask(OFTableStatsReply.class, one, FACTORY.buildTableStatsRequest().setXid(4).build());
    ask(
        OFBadRequestErrorMsg.class,
        one,
        FACTORY.buildMeterFeaturesStatsRequest().setXid(6).build());
  }

  @Test
  void aNewMasterDemotesTheOld() {
    ask(OFRoleReply.class, one, role(OFControllerRole.ROLE_MASTER, 1));
    ask(OFRoleReply.class, other, role(OFControllerRole.ROLE_MASTER, 2));
    assertThat(one.role()).isEqualTo(OFControllerRole.ROLE_SLAVE);
    assertThat(one.hearsPacketIns()).isFalse();
    assertThat(other.hearsPacketIns()).isTrue();
  }

  @Test
  void aStaleGenerationIsRefused() {
    ask(OFRoleReply.class, one, role(OFControllerRole.ROLE_MASTER, 7));
    OFRoleRequestFailedErrorMsg refusal =
        ask(OFRoleRequestFailedErrorMsg.class, other, role(OFControllerRole.ROLE_MASTER, 6));
    assertThat(refusal.getCode()).isEqualTo(OFRoleRequestFailedCode.STALE);
    assertThat(one.role()).isEqualTo(OFControllerRole.ROLE_MASTER);
    assertThat(other.role()).isEqualTo(OFControllerRole.ROLE_EQUAL);
  }

  @Test
  void generationsWrapAround() {
    ask(OFRoleReply.class, one, role(OFControllerRole.ROLE_MASTER, -1));
    ask(OFRoleReply.class, one, role(OFControllerRole.ROLE_MASTER, 1));
  }

  @Test
  void aSlaveMayNotChangeAnything() {
    ask(OFRoleReply.class, one, role(OFControllerRole.ROLE_SLAVE, 1));
    ask(OFBadRequestErrorMsg.class, one, FACTORY.buildFlowAdd().setXid(8).build());
    assertThat(entries()).isZero();
  }

  @Test
  void rulesWithoutTimeOutCanBeReadBackAndDeleted() {
    OFMessage rule =
        FACTORY.buildFlowAdd().setPriority(5).setCookie(U64.of(3)).setFlags(Set.of()).build();
    assertThat(persona.answer(one, rule)).isEmpty();
    persona.answer(one, rule);
    assertThat(entries()).isEqualTo(1);
    persona.answer(one, FACTORY.buildFlowAdd().setPriority(6).setIdleTimeout(10).build());
    assertThat(entries()).isEqualTo(1);
    OFMessage foreign =
        FACTORY
            .buildFlowDelete()
            .setTableId(TableId.ALL)
            .setCookie(U64.of(4))
            .setCookieMask(U64.NO_MASK)
            .build();
    persona.answer(one, foreign);
    assertThat(entries()).isEqualTo(1);
    persona.answer(one, FACTORY.buildFlowDelete().setTableId(TableId.ALL).build());
    assertThat(entries()).isZero();
  }

  @Test
  void entriesCanBeLost() {
    persona.answer(one, FACTORY.buildFlowAdd().setPriority(5).setFlags(Set.of()).build());
    assertThat(persona.loseEntries()).isEqualTo(1);
    assertThat(entries()).isZero();
    assertThat(persona.loseEntries()).isZero();
  }

  @Test
  void refusesRolesWhereItIsTold() {
    int[] refusals = new int[1];
    persona.refuseRoles(() -> refusals[0]++);
    OFRoleRequestFailedErrorMsg refusal =
        ask(OFRoleRequestFailedErrorMsg.class, one, role(OFControllerRole.ROLE_MASTER, 9));
    assertThat(refusal.getCode()).isEqualTo(OFRoleRequestFailedCode.STALE);
    assertThat(refusals[0]).isEqualTo(1);
    persona.refuseRoles(null);
    ask(OFRoleReply.class, one, role(OFControllerRole.ROLE_MASTER, 1));
  }

  @Test
  void showsExpiredEntriesInOneMessage() {
    int[] shown = new int[1];
    persona.reviveEntries(count -> shown[0] += count);
    assertThat(entries()).isEqualTo(StatisticsAnswers.EXPIRED_ENTRIES).isEqualTo(shown[0]);
    OFMessage request =
        FACTORY
            .buildFlowStatsRequest()
            .setXid(5)
            .setTableId(TableId.ALL)
            .setOutPort(OFPort.ANY)
            .setOutGroup(OFGroup.ANY)
            .build();
    ByteBuf bytes = Unpooled.buffer();
    persona.answer(one, request).get(0).writeTo(bytes);
    assertThat(bytes.readableBytes()).isLessThan(1 << 16);
  }
}
