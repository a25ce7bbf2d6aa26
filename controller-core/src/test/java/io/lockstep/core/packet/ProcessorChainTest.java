package io.lockstep.core.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.core.testing.FakeMasteredSwitches;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.core.testing.ManualTime;
import io.lockstep.core.testing.NoRules;
import io.lockstep.core.topology.NetworkPicture;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketPriority;
import org.onosproject.net.packet.PacketProcessor;

class ProcessorChainTest {
  private static final ApplicationId APP = new DefaultApplicationId(5, "org.example");
  private static final TrafficSelector ARP =
      DefaultTrafficSelector.builder().matchEthType((short) 0x0806).build();

  private final ManualTime time = new ManualTime();
  private final FakeMasteredSwitches mastery = new FakeMasteredSwitches();
  private final NoRules rules = new NoRules();
  private final PacketRequests requests = new PacketRequests(NodeId.nodeId("n"), rules);
  private final FakeSwitch connection = new FakeSwitch(1, 3);
  private final NetworkPicture network =
      new NetworkPicture(1, List.of(new SwitchPort(1, 1), new SwitchPort(1, 2)), List.of());
  private final ApplicationFailures failures = new ApplicationFailures(time::millis);
  private final PacketSender sender = new PacketSender(mastery, () -> network, time::nanos);
  private final ProcessorChain chain = new ProcessorChain(sender, failures, time::nanos);
  private final NetworkPackets packets = new NetworkPackets(chain, requests, sender);
  private final List<String> seen = new ArrayList<>();

  ProcessorChainTest() {
    mastery.addListener(requests);
    mastery.grant(connection, 1);
  }

  private PacketResult process(byte[] frame) {
    ProcessorChain.ProcessorPass showing =
        chain.show(Objects.requireNonNull(FrameView.parse(connection, Frames.whole(1, frame))));
    return showing == null ? PacketResult.MALFORMED : showing.rest();
  }

  private static byte[] arp() {
    return Frames.arp(1, 0x0200_0000_0001L, 1, 0, 2);
  }

  private static void send(PacketContext context, PortNumber port) {
    context.treatmentBuilder().setOutput(port);
    context.send();
  }

  private List<PortNumber> sentTo() {
    return connection.packetOuts.stream().flatMap(out -> out.outPorts().stream()).toList();
  }

  @Test
  void processorsSeeThePacketInTheOrderOfTheirPriority() {
    packets.addProcessor(context -> seen.add("director"), 30);
    packets.addProcessor(context -> seen.add("advisor"), 10);
    packets.addProcessor(
        context -> seen.add("from " + context.inPacket().receivedFrom().port()), 40);
    assertThat(process(arp())).isEqualTo(PacketResult.UNCLAIMED);
    assertThat(seen).containsExactly("advisor", "director", "from 1");
  }

  @Test
  void processorThatSendsClaimsThePacket() {
    packets.addProcessor(context -> send(context, PortNumber.portNumber(2)), 10);
    assertThat(process(arp())).isEqualTo(PacketResult.PROCESSED);
    assertThat(sentTo()).containsExactly(PortNumber.portNumber(2));
    assertThat(connection.packetOuts.get(0).data()).isEqualTo(arp());
  }

  @Test
  void packetIsSentOnceHoweverOftenItIsSent() {
    packets.addProcessor(
        context -> {
          send(context, PortNumber.portNumber(2));
          context.send();
        },
        10);
    packets.addProcessor(context -> send(context, PortNumber.portNumber(1)), 20);
    process(arp());
    assertThat(connection.packetOuts).hasSize(1);
  }

  @Test
  void floodFollowsTheBroadcastTree() {
    packets.addProcessor(context -> send(context, PortNumber.FLOOD), 10);
    process(arp());
    assertThat(sentTo()).containsExactly(PortNumber.portNumber(2));
  }

  @Test
  void processorThatThrowsLosesThatPacketOnly() {
    packets.addProcessor(
        context -> {
          throw new IllegalStateException("bug");
        },
        10);
    assertThat(process(arp())).isEqualTo(PacketResult.APPLICATION_FAILED);
    assertThat(failures.all()).hasSize(1);
    assertThat(failures.all().get(0).application()).startsWith(getClass().getName());
    assertThat(failures.all().get(0).lastError())
        .isEqualTo("failed on a packet: java.lang.IllegalStateException: bug");
  }

  @Test
  void payloadThatCannotBeParsedIsDropped() {
    packets.addProcessor(context -> seen.add("called"), 10);
    byte[] cut = new byte[16];
    System.arraycopy(arp(), 0, cut, 0, cut.length);
    assertThat(process(cut)).isEqualTo(PacketResult.MALFORMED);
    assertThat(seen).isEmpty();
  }

  @Test
  void removedProcessorSeesNothing() {
    PacketProcessor processor = context -> seen.add("called");
    packets.addProcessor(processor, 10);
    packets.removeProcessor(processor);
    assertThat(chain.isEmpty()).isTrue();
  }

  @Test
  void emittedPacketLeavesThroughTheMasteredSwitchOnly() {
    TrafficTreatment out =
        DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(3)).build();
    packets.emit(new DefaultOutboundPacket(connection.deviceId(), out, ByteBuffer.wrap(arp())));
    assertThat(sentTo()).containsExactly(PortNumber.portNumber(3));
    packets.emit(new DefaultOutboundPacket(SwitchPort.device(9), out, ByteBuffer.wrap(arp())));
    assertThat(sender.refused()).isEqualTo(1);
  }

  @Test
  void treatmentThatChangesThePacketGoesAlongTheTreeWhereItFloods() {
    TrafficTreatment changed =
        DefaultTrafficTreatment.builder()
            .popVlan()
            .setOutput(PortNumber.FLOOD)
            .setOutput(PortNumber.portNumber(9))
            .build();
    packets.emit(new DefaultOutboundPacket(connection.deviceId(), changed, ByteBuffer.wrap(arp())));
    TrafficTreatment.Builder sent = DefaultTrafficTreatment.builder().popVlan();
    network.floodPorts(connection.deviceId(), PortNumber.CONTROLLER).forEach(sent::setOutput);
    sent.setOutput(PortNumber.portNumber(9));
    assertThat(connection.packetOuts).hasSize(1);
    assertThat(connection.packetOuts.get(0).treatment()).isEqualTo(sent.build());
    assertThat(sent.build().immediate()).hasSizeGreaterThan(2);
  }

  @Test
  void whatNoPacketOutCanSayIsLeftToTheConnection() {
    TrafficTreatment deferred =
        DefaultTrafficTreatment.builder()
            .popVlan()
            .deferred()
            .setOutput(PortNumber.portNumber(3))
            .build();
    packets.emit(
        new DefaultOutboundPacket(connection.deviceId(), deferred, ByteBuffer.wrap(arp())));
    assertThat(connection.packetOuts.get(0).treatment()).isEqualTo(deferred);
  }

  @Test
  void requestedPacketsBecomeRulesAtEverySwitchMasteredNowAndLater() {
    packets.requestPackets(ARP, PacketPriority.CONTROL, APP);
    packets.requestPackets(ARP, PacketPriority.CONTROL, APP);
    FakeSwitch later = new FakeSwitch(2, 1);
    mastery.grant(later, 1);
    assertThat(rules.applied)
        .extracting(FlowRule::deviceId)
        .containsExactly(connection.deviceId(), later.deviceId());
    assertThat(rules.applied)
        .allSatisfy(
            rule -> {
              assertThat(rule.selector()).isEqualTo(ARP);
              assertThat(rule.priority()).isEqualTo(PacketPriority.CONTROL.priorityValue());
            });
    packets.cancelPackets(ARP, PacketPriority.CONTROL, APP);
    assertThat(rules.removed).hasSize(2);
    assertThat(packets.getRequests()).isEmpty();
  }

  @Test
  void requestForOneSwitchConcernsThatSwitchOnly() {
    packets.requestPackets(ARP, PacketPriority.REACTIVE, APP, Optional.of(SwitchPort.device(2)));
    assertThat(rules.applied).isEmpty();
    mastery.grant(new FakeSwitch(2, 1), 1);
    assertThat(rules.applied).hasSize(1);
  }
}
