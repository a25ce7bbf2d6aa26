package io.lockstep.deploy.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.PacketView;
import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.flow.RuleInstaller;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.node.NetworkCounters;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.dataplane.flowtable.Location;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.OneNode;
import io.lockstep.placer.profile.ProfileReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;

/**
 * A 2920 whose hardware is full (adr/0052): the pair with the most traffic is served in hardware,
 * though it came last; and a rule without a place is served by the node where that is configured.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HeavyPairIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PORT = 4_000;
  private static final int PRIORITY = 100;

  /** Packets a second of rules without a place that the node serves. */
  private static final int IN_NODE = 20;

  /** More than the hardware of the small model holds. */
  private static final int LIGHT = 30;

  /** Packets of the heavy pair for one of each light one. */
  private static final int TIMES = 100;

  /** Gives each pair of IPv4 addresses an entry that the hardware of a 2920 holds. */
  private static final class AddressPairs implements PacketApplication {
    static final String NAME = "address-pairs";
    private static final int IPV4 = 0x800;
    private static final int ADDRESSES_AT = 26;

    private final Map<MacAddress, PortNumber> ports = new ConcurrentHashMap<>();

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Decision packetIn(PacketView packet, NetworkView network) {
      ports.put(packet.source(), packet.inPort());
      PortNumber out = ports.get(packet.destination());
      if (out == null) {
        return Decision.act(new Instruction.Flood());
      }
      Instruction forward = new Instruction.Forward(out);
      if (packet.etherType() != IPV4) {
        return Decision.act(forward);
      }
      return Decision.act(
          new Instruction.InstallFlow(
              DefaultTrafficSelector.builder()
                  .matchInPort(packet.inPort())
                  .matchEthType((short) IPV4)
                  .matchIPSrc(address(packet.frame(), ADDRESSES_AT))
                  .matchIPDst(address(packet.frame(), ADDRESSES_AT + 4))
                  .build(),
              DefaultTrafficTreatment.builder().setOutput(out).build(),
              PRIORITY,
              600,
              0),
          forward);
    }

    private static IpPrefix address(byte[] frame, int at) {
      int address = 0;
      for (int i = 0; i < 4; i++) {
        address = address << 8 | (frame[at + i] & 0xff);
      }
      return IpPrefix.valueOf(address, 32);
    }
  }

  private final AtomicInteger sent = new AtomicInteger();
  private final AddressPairs application = new AddressPairs();
  private final OneNode node =
      OneNode.start(
          new SwitchProfiles(
              List.of(
                  new SwitchProfiles.Choice(
                      1, 1, ProfileReader.read("2920", Models.smallText("2920")), IN_NODE))),
          500,
          List.of(new RankedApplication(application, 0)));
  private final EmulatedNetwork network =
      EmulatedNetwork.start(
          new TopologyBuilder("one")
              .addSwitch("s1", 1, "d", Models.smallEmulated("2920"))
              .host("s1")
              .host("s1")
              .host("s1")
              .build(),
          List.of(node.address()));

  HeavyPairIT() throws Exception {}

  private EmulatedHost host(int number) {
    return network.hostNamed("h" + number);
  }

  private void await(String what, Callable<Boolean> condition) {
    Await.until(what, PATIENCE, condition, () -> Objects.toString(report()));
  }

  private PlacementReport report() {
    try {
      return Objects.requireNonNull(
          node.service(NetworkRoom.class)
              .askRules(RuleInstaller::reports)
              .get(30, TimeUnit.SECONDS)
              .get(1L));
    } catch (Exception e) {
      throw new AssertionError("the node does not answer", e);
    }
  }

  /** One packet of each light pair. */
  private void sendLight() {
    for (int i = 1; i <= LIGHT; i++) {
      host(1).sendDatagram(host(2).mac(), Ipv4.parse("10.9.0." + i), PORT, i);
    }
  }

  /** One packet each way of the heavy pair; sometimes the light ones, too. */
  private void sendHeavy() {
    host(2).sendDatagram(host(3).mac(), host(3).address(), PORT, sent.get());
    host(3).sendDatagram(host(2).mac(), host(2).address(), PORT, sent.get());
    if (sent.incrementAndGet() % TIMES == 0) {
      sendLight();
    }
  }

  /** Packets that hardware forwarded from one host to the other; -1 without an entry there. */
  private long inHardware(int from, int to) {
    long source = Integer.toUnsignedLong(host(from).address().value());
    long destination = Integer.toUnsignedLong(host(to).address().value());
    return network
        .switchNamed("s1")
        .inspect(
            model -> {
              long packets = -1;
              for (io.lockstep.dataplane.flowtable.FlowEntry entry :
                  model.pipeline().tables().get(0).entries()) {
                if (entry.location() == Location.HARDWARE
                    && entry.match().uses(OxmField.IPV4_SRC)
                    && entry.match().value(OxmField.IPV4_SRC.slot()) == source
                    && entry.match().value(OxmField.IPV4_DST.slot()) == destination) {
                  packets = entry.packets();
                }
              }
              return packets;
            })
        .join();
  }

  private void fill() {
    await(
        "the ports of all hosts are known, and the hardware is full of light pairs",
        () -> {
          network.hosts().forEach(EmulatedHost::announce);
          sendLight();
          return counters().applicationEntriesRefused(AddressPairs.NAME) > 0;
        });
  }

  private NetworkCounters counters() {
    return node.service(NetworkRoom.class).counters();
  }

  private PortNumber port(int host) {
    return Objects.requireNonNull(
        application.ports.get(MacAddress.valueOf(host(host).mac().toString())));
  }

  /** A rule that hardware would hold: what the first host sends to an address goes to the third. */
  private FlowRule rule(String destination) {
    return DefaultFlowRule.builder()
        .forDevice(DeviceId.deviceId("of:0000000000000001"))
        .withSelector(
            DefaultTrafficSelector.builder()
                .matchInPort(port(1))
                .matchEthType((short) AddressPairs.IPV4)
                .matchIPDst(IpPrefix.valueOf(destination))
                .build())
        .withTreatment(DefaultTrafficTreatment.builder().setOutput(port(3)).build())
        .withPriority(PRIORITY + 1)
        .fromApp(new DefaultApplicationId(7, "org.example"))
        .makePermanent()
        .build();
  }

  @Test
  void aRuleWithoutAPlaceIsServedByTheNodeUpToItsRate() {
    try (node;
        network) {
      fill();
      FlowRuleService rules = node.service(FlowRuleService.class);
      FlowRule rule = rule("10.8.0.1/32");
      rules.applyFlowRules(rule);
      await(
          "the rule has no place",
          () ->
              Objects.requireNonNull(rules.getFlowEntry(rule)).state()
                  == FlowEntry.FlowEntryState.FAILED);
      long before = host(3).framesIn();
      await(
          "the node serves it up to its rate, and drops what is above",
          () -> {
            for (int i = 0; i < 10; i++) {
              // By its MAC address it would go to the second host.
              host(1).sendDatagram(host(2).mac(), Ipv4.parse("10.8.0.1"), PORT, i);
            }
            return counters().packets().of(PacketResult.OVER_NODE_RATE) > 0;
          });
      long served = counters().packets().of(PacketResult.SERVED_IN_NODE);
      assertThat(served).isGreaterThanOrEqualTo(IN_NODE);
      await("they got there", () -> host(3).framesIn() >= before + served);
    }
  }

  @Test
  void theHeavyPairIsInHardwareThoughItCameLast() {
    try (node;
        network) {
      fill();
      assertThat(inHardware(2, 3)).isEqualTo(-1);
      await(
          "both directions of the heavy pair are forwarded by hardware",
          () -> {
            sendHeavy();
            return inHardware(2, 3) > 0 && inHardware(3, 2) > 0;
          });
      PlacementReport.PassingEntries passing = Objects.requireNonNull(report().passing());
      assertThat(passing.displaced()).isBetween(1L, 4L);
      assertThat(passing.missingCount()).as("light ones without a place").isPositive();
      assertThat(network.switchNamed("s1").counters().errorsSent())
          .as("the switch was asked for nothing that it cannot do")
          .isZero();
    }
  }
}
