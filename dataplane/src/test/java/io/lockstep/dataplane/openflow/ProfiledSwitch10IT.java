package io.lockstep.dataplane.openflow;

import static io.lockstep.dataplane.openflow.AgentFixture.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.flowtable.Location;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.openflow.ScriptedController.Session;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.dataplane.wire.ManualTime;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFActionType;
import org.projectfloodlight.openflow.protocol.OFBadActionCode;
import org.projectfloodlight.openflow.protocol.OFDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFeaturesReply;
import org.projectfloodlight.openflow.protocol.OFFlowModFailedCode;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.errormsg.OFBadActionErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFFlowModFailedErrorMsg;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;

/** The switches that speak OpenFlow 1.0, in their own language. */
class ProfiledSwitch10IT {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_10);
  private static final Match PORT =
      OF.buildMatch().setExact(MatchField.IN_PORT, OFPort.of(1)).build();

  private final ScriptedController controller = new ScriptedController(OFVersion.OF_10);

  @AfterEach
  void close() {
    controller.close();
  }

  private EmulatedNetwork start(HardwareProfile profile) {
    TopologyBuilder builder = new TopologyBuilder("one");
    builder.addSwitch("s1", 1, "domain1", profile).host("s1").host("s1");
    EmulatedNetwork network =
        new EmulatedNetwork(
            builder.build(),
            NetworkOptions.ordinary(List.of(controller.address()))
                .withClock(new ManualTime())
                .withAgent(QUICK));
    network.start();
    return network;
  }

  /** A session in which nothing comes any more that a test has not caused. */
  private Session session(EmulatedNetwork network) {
    Session session = controller.nextSession();
    ProfiledSwitchSteps.awaitAnnouncements(network);
    session.barrier();
    session.takeAll();
    return session;
  }

  private static void install(Session session, int rules, Match match) {
    for (int priority = 1; priority <= rules; priority++) {
      session.send(
          OF.buildFlowAdd()
              .setPriority(priority)
              .setCookie(U64.of(priority))
              .setBufferId(OFBufferId.NO_BUFFER)
              .setOutPort(OFPort.ANY)
              .setMatch(match)
              .setActions(List.of(OF.actions().output(OFPort.of(2), 0)))
              .build());
    }
    session.barrier();
  }

  private static String places(EmulatedNetwork network) {
    return network
        .switchNamed("s1")
        .inspect(
            model ->
                model.pipeline().count(Location.HARDWARE)
                    + " and "
                    + model.pipeline().count(Location.SOFTWARE))
        .join();
  }

  @Test
  void the2920HoldsSomeInHardwareAndTakesTheRestInSilence() throws IOException {
    try (EmulatedNetwork network = start(ProfileFile.builtIn("2920"))) {
      Session session = session(network);
      OFDescStatsReply says = session.ask(OF.buildDescStatsRequest(), OFDescStatsReply.class);
      assertThat(says.getMfrDesc() + " " + says.getSwDesc()).isEqualTo("HP WB.15.12.0015");
      install(session, 470, PORT);
      assertThat(places(network)).isEqualTo("460 and 10");
      MacAddress source = MacAddress.of(2);
      install(session, 5, OF.buildMatch().setExact(MatchField.ETH_SRC, source).build());
      assertThat(places(network)).isEqualTo("460 and 15");
      assertThat(session.poll()).isNull();
    }
  }

  @Test
  void the3500ylHoldsLessByItsPorts() throws IOException {
    try (EmulatedNetwork network = start(ProfileFile.builtIn("3500yl-1.0"))) {
      Session session = session(network);
      install(session, 400, PORT);
      assertThat(places(network)).isEqualTo("381 and 19");
      EthType type = EthType.IPv4;
      install(session, 10, OF.buildMatch().setExact(MatchField.ETH_TYPE, type).build());
      assertThat(places(network)).as("2 of 1526 units are left").isEqualTo("383 and 27");
    }
  }

  @Test
  void itsFeaturesNameTheActionsThatItCanDoAndOthersAreRefused() throws IOException {
    String text =
        """
        name: small
        openflow: "1.0"
        tables: [{name: only, hardware: {units: 3, rewrites: [eth_dst, tcp_src]}}]
        """;
    try (EmulatedNetwork network = start(ProfileFile.parse("small.yaml", text))) {
      Session session = session(network);
      OFFeaturesReply features = session.ask(OF.buildFeaturesRequest(), OFFeaturesReply.class);
      assertThat(features.getActions())
          .containsExactlyInAnyOrder(
              OFActionType.OUTPUT,
              OFActionType.STRIP_VLAN,
              OFActionType.SET_DL_DST,
              OFActionType.SET_TP_SRC);
      for (OFAction action :
          List.of(
              OF.actions().setDlDst(MacAddress.of(5)), OF.actions().setDlSrc(MacAddress.of(5)))) {
        session.send(
            OF.buildFlowAdd()
                .setPriority(1)
                .setBufferId(OFBufferId.NO_BUFFER)
                .setOutPort(OFPort.ANY)
                .setMatch(PORT)
                .setActions(List.of(action, OF.actions().output(OFPort.of(2), 0)))
                .build());
      }
      OFErrorMsg error = session.await(OFErrorMsg.class);
      assertThat(((OFBadActionErrorMsg) error).getCode()).isEqualTo(OFBadActionCode.BAD_TYPE);
      assertThat(places(network)).isEqualTo("1 and 0");
    }
  }

  @Test
  void aSwitchWithoutSoftwareSaysThatAllItsTablesAreFull() throws IOException {
    String text =
        """
        name: small
        openflow: "1.0"
        tables: [{name: only, hardware: {units: 3}}]
        """;
    try (EmulatedNetwork network = start(ProfileFile.parse("small.yaml", text))) {
      Session session = session(network);
      install(session, 4, PORT);
      OFErrorMsg error = session.await(OFErrorMsg.class);
      assertThat(((OFFlowModFailedErrorMsg) error).getCode())
          .isEqualTo(OFFlowModFailedCode.ALL_TABLES_FULL);
      assertThat(places(network)).isEqualTo("3 and 0");
    }
  }
}
