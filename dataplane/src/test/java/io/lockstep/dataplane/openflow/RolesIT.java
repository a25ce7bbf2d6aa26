package io.lockstep.dataplane.openflow;

import static io.lockstep.dataplane.openflow.AgentFixture.OF;
import static io.lockstep.dataplane.openflow.AgentFixture.QUICK;
import static io.lockstep.dataplane.openflow.AgentFixture.add;
import static io.lockstep.dataplane.openflow.AgentFixture.any;
import static io.lockstep.dataplane.openflow.AgentFixture.error;
import static io.lockstep.dataplane.openflow.AgentFixture.output;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.network.Await;
import io.lockstep.dataplane.openflow.ScriptedController.Session;
import io.lockstep.dataplane.packet.SampleFrames;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFAsyncGetReply;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFeaturesReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFPortStatus;
import org.projectfloodlight.openflow.protocol.OFRoleReply;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;

/** Two controllers at one switch (OpenFlow 1.3.5 section 6.3, Multiple Controllers). */
class RolesIT {
  private static final byte[] PACKET_OUT_WITH_AN_UNKNOWN_ACTION =
      HexFormat.of()
          .parseHex(
              "040d0020"
                  + "00000007"
                  + "ffffffff"
                  + "fffffffd"
                  + "0008000000000000"
                  + "0063000800000000");

  private final ScriptedController first = new ScriptedController();
  private final ScriptedController second = new ScriptedController();
  private final AgentFixture fixture = new AgentFixture(QUICK, first.address(), second.address());
  private final Session a = first.nextSession();
  private final Session b = second.nextSession();

  @AfterEach
  void close() {
    fixture.close();
    first.close();
    second.close();
  }

  private static OFMessage role(Session session, OFControllerRole role, long generation) {
    return session.ask(OF.buildRoleRequest().setRole(role).setGenerationId(U64.of(generation)));
  }

  private static String granted(Session session, OFControllerRole role, long generation) {
    OFMessage reply = role(session, role, generation);
    return reply instanceof OFRoleReply granted
        ? granted.getRole() + " " + granted.getGenerationId().getValue()
        : error(reply);
  }

  @Test
  void connectionsBeginAsEqualWithoutGeneration() {
    assertThat(granted(a, OFControllerRole.ROLE_NOCHANGE, 0)).isEqualTo("ROLE_EQUAL -1");
    assertThat(fixture.only().roles()).containsExactly(ControllerRole.EQUAL, ControllerRole.EQUAL);
  }

  @Test
  void newMasterDemotesTheOldOneAndStaleGenerationsAreRefused() {
    assertThat(fixture.only().master()).isNull();
    assertThat(granted(a, OFControllerRole.ROLE_MASTER, 5)).isEqualTo("ROLE_MASTER 5");
    assertThat(fixture.only().master()).isEqualTo(first.address());
    assertThat(granted(b, OFControllerRole.ROLE_MASTER, 6)).isEqualTo("ROLE_MASTER 6");
    assertThat(fixture.only().master()).isEqualTo(second.address());
    assertThat(granted(a, OFControllerRole.ROLE_NOCHANGE, 0)).isEqualTo("ROLE_SLAVE 6");
    assertThat(granted(a, OFControllerRole.ROLE_MASTER, 5)).isEqualTo("ROLE_REQUEST_FAILED 0");
    assertThat(granted(b, OFControllerRole.ROLE_NOCHANGE, 0)).isEqualTo("ROLE_MASTER 6");
    assertThat(fixture.only().roles())
        .containsExactlyInAnyOrder(ControllerRole.MASTER, ControllerRole.SLAVE);
  }

  @Test
  void slaveReadsButDoesNotWrite() {
    role(a, OFControllerRole.ROLE_SLAVE, 1);
    assertThat(error(a.ask(add(1, any(), output(OFPort.of(1)))))).isEqualTo("BAD_REQUEST 10");
    assertThat(
            error(
                a.ask(
                    OF.buildPacketOut()
                        .setBufferId(OFBufferId.NO_BUFFER)
                        .setInPort(OFPort.CONTROLLER)
                        .setActions(List.of(output(OFPort.FLOOD)))
                        .setData(SampleFrames.arp()))))
        .isEqualTo("BAD_REQUEST 10");
    // Also where the codec cannot read the actions: they are not looked at.
    a.send(Unpooled.wrappedBuffer(PACKET_OUT_WITH_AN_UNKNOWN_ACTION));
    assertThat(error(a.await(OFErrorMsg.class))).isEqualTo("BAD_REQUEST 10");
    b.send(Unpooled.wrappedBuffer(PACKET_OUT_WITH_AN_UNKNOWN_ACTION));
    assertThat(error(b.await(OFErrorMsg.class))).isEqualTo("BAD_ACTION 0");
    assertThat(a.ask(OF.buildFeaturesRequest())).isInstanceOf(OFFeaturesReply.class);
    a.barrier();
    assertThat(
            fixture
                .only()
                .inspect(model -> model.pipeline().tables().get(0).entries().size())
                .join())
        .isZero();
  }

  @Test
  void slaveGetsPortStatusButNoPacketIns() {
    role(a, OFControllerRole.ROLE_SLAVE, 1);
    b.send(add(0, any(), output(OFPort.CONTROLLER)).setXid(1).build());
    b.barrier();
    fixture.host(1).sendFrame(SampleFrames.arp());
    b.await(OFPacketIn.class);
    fixture.network.moveHost("h2", "s1", 9);
    a.await(OFPortStatus.class, status -> status.getDesc().getPortNo().equals(OFPort.of(9)));
    b.await(OFPortStatus.class, status -> status.getDesc().getPortNo().equals(OFPort.of(9)));
    // The moved host announces itself: another packet-in for b, none for a.
    b.await(OFPacketIn.class);
    a.barrier();
    for (OFMessage message = a.poll(); message != null; message = a.poll()) {
      assertThat(message).isNotInstanceOf(OFPacketIn.class);
    }
  }

  @Test
  void asyncMasksAreKeptPerConnection() {
    OFAsyncGetReply initial = a.ask(OF.buildAsyncGetRequest(), OFAsyncGetReply.class);
    assertThat(initial.getPacketInMaskEqualMaster()).isEqualTo(0b11);
    assertThat(initial.getPacketInMaskSlave()).isZero();
    assertThat(initial.getPortStatusMaskSlave()).isEqualTo(0b111);
    a.send(
        OF.buildAsyncSet()
            .setXid(1)
            .setPacketInMaskEqualMaster(0)
            .setPacketInMaskSlave(0b11)
            .setPortStatusMaskEqualMaster(0)
            .setPortStatusMaskSlave(0)
            .setFlowRemovedMaskEqualMaster(0)
            .setFlowRemovedMaskSlave(0)
            .build());
    OFAsyncGetReply changed = a.ask(OF.buildAsyncGetRequest(), OFAsyncGetReply.class);
    assertThat(changed.getPacketInMaskEqualMaster()).isZero();
    assertThat(changed.getPacketInMaskSlave()).isEqualTo(0b11);
    b.send(add(0, any(), output(OFPort.CONTROLLER)).setXid(1).build());
    b.barrier();
    fixture.host(1).sendFrame(SampleFrames.arp());
    b.await(OFPacketIn.class);
    a.barrier(); // whatever was sent to a before is there now
    for (OFMessage message = a.poll(); message != null; message = a.poll()) {
      assertThat(message).isNotInstanceOf(OFPacketIn.class);
    }
    role(a, OFControllerRole.ROLE_SLAVE, 1);
    fixture.host(1).sendFrame(SampleFrames.arp());
    a.await(OFPacketIn.class);
  }

  /** The generation id belongs to the switch: a master that comes back late is still refused. */
  @Test
  void generationSurvivesReconnection() {
    role(a, OFControllerRole.ROLE_MASTER, 8);
    a.close();
    Session again = first.nextSession();
    assertThat(granted(again, OFControllerRole.ROLE_MASTER, 7)).isEqualTo("ROLE_REQUEST_FAILED 0");
    assertThat(granted(again, OFControllerRole.ROLE_MASTER, 8)).isEqualTo("ROLE_MASTER 8");
    Await.until("two connections again", () -> fixture.only().roles().size() == 2);
  }
}
