package io.lockstep.dataplane.openflow;

import static io.lockstep.dataplane.openflow.AgentFixture.OF;
import static io.lockstep.dataplane.openflow.AgentFixture.QUICK;
import static io.lockstep.dataplane.openflow.AgentFixture.add;
import static io.lockstep.dataplane.openflow.AgentFixture.any;
import static io.lockstep.dataplane.openflow.AgentFixture.error;
import static io.lockstep.dataplane.openflow.AgentFixture.output;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.flowtable.Location;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.network.Await;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.openflow.ScriptedController.Session;
import io.lockstep.dataplane.packet.SampleFrames;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.dataplane.wire.ManualTime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** One switch with a profile, a controller, and what tests do with them. */
@SuppressWarnings("NullAway.Init") // each test begins with start
class ProfiledSwitchSteps {
  final ManualTime clock = new ManualTime();
  final ScriptedController controller = new ScriptedController();
  EmulatedNetwork network;
  Session session;

  void start(HardwareProfile profile) {
    TopologyBuilder builder = new TopologyBuilder("one");
    builder.addSwitch("s1", 1, "domain1", profile).host("s1").host("s1");
    network =
        new EmulatedNetwork(
            builder.build(),
            NetworkOptions.ordinary(List.of(controller.address()))
                .withClock(clock)
                .withAgent(QUICK));
    network.start();
    session = controller.nextSession();
    awaitAnnouncements(network);
  }

  /** Hosts announce themselves; behind this only tests send packets. */
  static void awaitAnnouncements(EmulatedNetwork network) {
    Await.until(
        "hosts have announced themselves",
        () ->
            network
                .switchNamed("s1")
                .inspect(model -> model.ports().stream().allMatch(port -> port.rxPackets() > 0))
                .join());
  }

  @AfterEach
  void close() {
    if (network != null) {
      network.close();
    }
    controller.close();
  }

  /** A built-in profile as if the switch spoke OpenFlow 1.3, which is what is tested here. */
  static HardwareProfile speaking13(String name) throws IOException {
    String resource = "/io/lockstep/dataplane/profile/" + name + ".yaml";
    try (InputStream in = ProfileFile.class.getResourceAsStream(resource)) {
      byte[] bytes = Objects.requireNonNull(in).readAllBytes();
      String text = new String(bytes, StandardCharsets.UTF_8);
      return ProfileFile.parse(name, text.replace("openflow: \"1.0\"", "openflow: \"1.3\""));
    }
  }

  <T> T look(Function<SwitchModel, T> question) {
    return network.switchNamed("s1").inspect(question).join();
  }

  /** What an operator does at the switch's own command line. */
  boolean operator(Predicate<SwitchModel> command) {
    return look(command::test);
  }

  int inHardware() {
    return look(model -> model.pipeline().count(Location.HARDWARE));
  }

  int inSoftware() {
    return look(model -> model.pipeline().count(Location.SOFTWARE));
  }

  static Match inPort(int port) {
    return OF.buildMatch().setExact(MatchField.IN_PORT, OFPort.of(port)).build();
  }

  static Match ip(int address) {
    return OF.buildMatch()
        .setExact(MatchField.ETH_TYPE, EthType.IPv4)
        .setExact(MatchField.IPV4_DST, IPv4Address.of(0x0a00_0000 | address))
        .build();
  }

  static Match fromSampleHost() {
    MacAddress source = MacAddress.of(SampleFrames.MAC_A.value());
    return OF.buildMatch().setExact(MatchField.ETH_SRC, source).build();
  }

  void install(int table, int priority, Match match) {
    session.send(
        add(priority, match, output(OFPort.CONTROLLER)).setTableId(TableId.of(table)).build());
  }

  void uninstall(int priority, Match match) {
    session.send(
        OF.buildFlowDeleteStrict()
            .setTableId(TableId.of(0))
            .setPriority(priority)
            .setMatch(match)
            .setOutPort(OFPort.ANY)
            .setOutGroup(OFGroup.ANY)
            .setBufferId(OFBufferId.NO_BUFFER)
            .build());
  }

  String refusal() {
    return error(session.await(OFErrorMsg.class));
  }

  OFPacketOut throughTheTable(int port) {
    return OF.buildPacketOut()
        .setBufferId(OFBufferId.NO_BUFFER)
        .setInPort(OFPort.of(port))
        .setActions(List.of(output(OFPort.TABLE)))
        .setData(SampleFrames.echo())
        .build();
  }

  /** Packet-ins that are here after the switch has done all that was sent. */
  int packetIns() {
    session.barrier();
    int count = 0;
    for (OFMessage next = session.poll(); next != null; next = session.poll()) {
      count += next instanceof OFPacketIn ? 1 : 0;
    }
    return count;
  }

  OFFlowStatsReply statistics() {
    return session.ask(
        OF.buildFlowStatsRequest()
            .setTableId(TableId.ALL)
            .setOutPort(OFPort.ANY)
            .setOutGroup(OFGroup.ANY)
            .setCookie(U64.ZERO)
            .setCookieMask(U64.ZERO)
            .setMatch(any()),
        OFFlowStatsReply.class);
  }

  void awaitDisconnection(Session lost) {
    assertThat(lost.channel().closeFuture().awaitUninterruptibly(30, TimeUnit.SECONDS)).isTrue();
    look(SwitchModel::instance); // the switch has done what it was about, so time may pass
  }
}
