package io.lockstep.apps.loadbalancer;

import static io.lockstep.apps.loadbalancer.PlayedNetwork.counts;
import static io.lockstep.apps.loadbalancer.PlayedNetwork.instructions;
import static io.lockstep.apps.loadbalancer.PlayedPacket.device;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.loadbalancer.frame.ArpPacket;
import io.lockstep.apps.loadbalancer.frame.EthernetHead;
import io.lockstep.apps.loadbalancer.frame.IcmpEcho;
import io.lockstep.apps.loadbalancer.frame.TcpHead;
import io.lockstep.apps.loadbalancer.state.BalancerCommands;
import io.lockstep.apps.loadbalancer.state.BalancerStore;
import io.lockstep.apps.loadbalancer.state.BalancerTables;
import io.lockstep.apps.loadbalancer.state.Configure;
import io.lockstep.apps.loadbalancer.state.Member;
import io.lockstep.apps.loadbalancer.state.ReportHealth;
import io.lockstep.apps.loadbalancer.state.ServiceAddress;
import io.lockstep.apps.loadbalancer.state.TransportProtocol;
import io.lockstep.apps.loadbalancer.state.VirtualIp;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkEvent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.criteria.Criterion;

class LoadBalancerTest {
  private static final long CLIENT = 0x0200_0000_000aL;
  private static final long VIRTUAL = 0x024c_0a00_0064L;
  private static final long M1 = 0x0200_0000_0001L;
  private static final long M2 = 0x0200_0000_0002L;
  private static final int CLIENT_IP = BalancerStore.ip("10.0.0.200");
  private static final int VIP = BalancerStore.ip("10.0.0.100");
  private static final int M1_IP = BalancerStore.ip("10.0.0.1");
  private static final int M2_IP = BalancerStore.ip("10.0.0.2");

  private final PlayedNetwork network = new PlayedNetwork();

  @BeforeEach
  void aServiceWithTwoMembers() {
    network.store.withWeb(1, 1);
  }

  private static byte[] syn(int port) {
    return TcpHead.syn(VIRTUAL, CLIENT, 0, CLIENT_IP, VIP, port, 80, 7);
  }

  /** The same frame with other flags; the checksum is not checked here. */
  private static byte[] withFlags(byte[] frame, int flags) {
    frame[14 + 20 + 13] = (byte) flags;
    return frame;
  }

  private static byte[] fromMember(long mac, int ip, long to, int toIp, int toPort) {
    return withFlags(TcpHead.syn(to, mac, 0, ip, toIp, 8_080, toPort, 9), 0x12);
  }

  private static Instruction.InstallFlow install(Instruction instruction) {
    return (Instruction.InstallFlow) instruction;
  }

  private static Set<String> criteria(TrafficSelector selector) {
    Set<String> words = new HashSet<>();
    for (Criterion criterion : selector.criteria()) {
      words.add(criterion.toString());
    }
    return words;
  }

  private static List<String> steps(TrafficTreatment treatment) {
    // Ports of transport protocols are written as TCP_DST{port=80}, all else as IPV4_DST:10.0.0.1.
    return treatment.allInstructions().stream()
        .map(step -> step.toString().replaceAll("\\{port=(\\d+)}", ":$1"))
        .toList();
  }

  @Test
  void aSynTakesAMemberAndInstallsBothEntriesBeforeItIsSent() {
    List<Instruction> done = instructions(network.send(new PlayedPacket(1, 1, syn(5_000))));
    assertThat(network.asked).as("one operation").isEqualTo(1);
    assertThat(done).hasSize(4);
    Instruction.InstallFlow there = install(done.get(0));
    assertThat(criteria(there.selector()))
        .containsExactlyInAnyOrder(
            "IN_PORT:1",
            "VLAN_VID:None",
            "ETH_SRC:02:00:00:00:00:0A",
            "ETH_DST:02:4C:0A:00:00:64",
            "ETH_TYPE:ipv4",
            "IP_PROTO:6",
            "IPV4_SRC:10.0.0.200/32",
            "IPV4_DST:10.0.0.100/32",
            "TCP_SRC:5000",
            "TCP_DST:80");
    assertThat(steps(there.treatment()))
        .containsExactly(
            "ETH_DST:02:00:00:00:00:01", "IPV4_DST:10.0.0.1", "TCP_DST:8080", "OUTPUT:3");
    assertThat(there.idleTimeoutSeconds()).isEqualTo(60);
    assertThat(there.hardTimeoutSeconds()).isEqualTo(300);
    Instruction.InstallFlow back = install(done.get(1));
    assertThat(criteria(back.selector()))
        .contains("IN_PORT:3", "IPV4_SRC:10.0.0.1/32", "TCP_SRC:8080", "TCP_DST:5000")
        .contains("ETH_SRC:02:00:00:00:00:01", "ETH_DST:02:00:00:00:00:0A");
    assertThat(steps(back.treatment()))
        .containsExactly(
            "ETH_SRC:02:4C:0A:00:00:64", "IPV4_SRC:10.0.0.100", "TCP_SRC:80", "OUTPUT:1");
    Instruction.InstallFlow guard = install(done.get(2));
    assertThat(criteria(guard.selector()))
        .as("replies come up where the entry back has gone")
        .containsExactlyInAnyOrder(
            "ETH_DST:02:00:00:00:00:0A",
            "ETH_TYPE:ipv4",
            "IP_PROTO:6",
            "IPV4_SRC:10.0.0.1/32",
            "TCP_SRC:8080");
    assertThat(guard.idleTimeoutSeconds()).as("outlives the record").isEqualTo(4_800);
    assertThat(((Instruction.Send) done.get(3)).treatment()).isEqualTo(there.treatment());
  }

  @Test
  void aPortThatHasItsShareIsResetAndOthersTake() {
    network.store.done(
        BalancerCommands.put(new VirtualIp("web", BalancerStore.WEB, 24, 0, "web", 60, 4, 4), -1));
    for (int port = 1; port <= 3; port++) {
      assertThat(counts(network.send(new PlayedPacket(1, 1, syn(port))))).containsExactly("taken");
    }
    Decision refused = network.send(new PlayedPacket(1, 1, syn(4)));
    assertThat(counts(refused)).containsExactly("refused_ingress_full");
    assertThat(instructions(refused)).as("a reset").hasSize(1);
    byte[] other =
        TcpHead.syn(
            VIRTUAL, 0x0200_0000_000bL, 0, BalancerStore.ip("10.0.0.201"), VIP, 5_000, 80, 7);
    assertThat(counts(network.send(new PlayedPacket(1, 2, other)))).containsExactly("taken");
  }

  @Test
  void aMemberAtAnotherSwitchIsReachedAlongTheTree() {
    network.send(new PlayedPacket(1, 1, syn(5_000)));
    List<Instruction> done = instructions(network.send(new PlayedPacket(1, 1, syn(5_001))));
    assertThat(steps(install(done.get(0)).treatment()))
        .containsExactly(
            "ETH_DST:02:00:00:00:00:02", "IPV4_DST:10.0.0.2", "TCP_DST:8080", "OUTPUT:9");
    assertThat(criteria(install(done.get(1)).selector())).contains("IN_PORT:9");
  }

  @Test
  void theConnectionKeepsItsMemberAtAnotherSwitch() {
    network.send(new PlayedPacket(1, 1, syn(5_000)));
    network.hosts.remove(0);
    network.host(2, 1, 0xa, "10.0.0.200");
    List<Instruction> done =
        instructions(network.send(new PlayedPacket(2, 1, withFlags(syn(5_000), 0x10))));
    assertThat(steps(install(done.get(0)).treatment())).contains("IPV4_DST:10.0.0.1", "OUTPUT:9");
    assertThat(steps(install(done.get(1)).treatment())).contains("OUTPUT:1");
  }

  @Test
  void whatHasNoRecordAndIsNoSynIsReset() {
    Decision decision = network.send(new PlayedPacket(1, 1, withFlags(syn(5_000), 0x10)));
    Instruction.Emit reset = (Instruction.Emit) instructions(decision).get(0);
    assertThat(reset.frame()[14 + 20 + 13]).isEqualTo((byte) 0x04);
    assertThat(network.store.entries(BalancerTables.CONNECTIONS)).isEmpty();
    Decision onReset = network.send(new PlayedPacket(1, 1, withFlags(syn(5_000), 0x04)));
    assertThat(instructions(onReset)).as("a reset is not answered").isEmpty();
    assertThat(counts(onReset)).containsExactly("refused_no_record");
    byte[] otherPort = TcpHead.syn(VIRTUAL, CLIENT, 0, CLIENT_IP, VIP, 5_000, 81, 7);
    int asked = network.asked;
    assertThat(instructions(network.send(new PlayedPacket(1, 1, otherPort)))).hasSize(1);
    assertThat(network.asked).as("no question for a port without service").isEqualTo(asked);
  }

  @Test
  void arpAndPingAreAnsweredAtEdgesWithoutTheStore() {
    byte[] ask = ArpPacket.request(EthernetHead.BROADCAST, CLIENT, CLIENT_IP, VIP, 0);
    Instruction.Emit reply =
        (Instruction.Emit) instructions(network.send(new PlayedPacket(1, 1, ask))).get(0);
    assertThat(Arrays.copyOf(reply.frame(), 6)).isEqualTo(MacAddress.valueOf(CLIENT).toBytes());
    assertThat(network.send(new PlayedPacket(1, 9, ask))).as("no edge").isEqualTo(Decision.PASS);
    byte[] ping = IcmpEcho.request(VIRTUAL, CLIENT, 0, CLIENT_IP, VIP, 1, 1);
    assertThat(instructions(network.send(new PlayedPacket(1, 1, ping)))).hasSize(1);
    assertThat(network.asked).isZero();
  }

  @Test
  void nobodyLearnsTheVirtualMacOrAnotherPlaceOfTheVirtualIp() {
    for (long port : new long[] {1, 9}) {
      for (int vlan : new int[] {0, 7}) {
        byte[] forged = TcpHead.syn(M1, VIRTUAL, vlan, VIP, M1_IP, 1, 2, 3);
        assertThat(network.isClaimed(new PlayedPacket(1, port, forged))).isTrue();
      }
      byte[] gratuitous = ArpPacket.request(EthernetHead.BROADCAST, VIRTUAL, VIP, VIP, 0);
      assertThat(network.isClaimed(new PlayedPacket(1, port, gratuitous))).isTrue();
      byte[] claim = ArpPacket.request(EthernetHead.BROADCAST, CLIENT, VIP, CLIENT_IP, 0);
      assertThat(network.isClaimed(new PlayedPacket(1, port, claim))).isTrue();
    }
    byte[] inDoubleTags = Arrays.copyOf(TcpHead.syn(M1, VIRTUAL, 7, VIP, M1_IP, 1, 2, 3), 60);
    inDoubleTags[16] = (byte) 0x81;
    inDoubleTags[17] = 0;
    assertThat(network.isClaimed(new PlayedPacket(1, 1, inDoubleTags))).isTrue();
  }

  @Test
  void probesComeFromOtherSwitchesButFromNoHost() {
    byte[] probe = ArpPacket.request(EthernetHead.BROADCAST, 0x024c_0000_0002L, 0, M1_IP, 0);
    assertThat(network.isClaimed(new PlayedPacket(1, 1, probe))).isTrue();
    assertThat(network.isClaimed(new PlayedPacket(1, 9, probe))).isFalse();
  }

  @Test
  void addressesThatOnlyLookLikeThoseOfAVirtualIpAreThoseOfHosts() {
    long near = VIRTUAL + 1;
    assertThat(network.isClaimed(new PlayedPacket(1, 1, TcpHead.syn(M1, near, 0, VIP, 1, 1, 2, 3))))
        .isFalse();
    byte[] elsewhere = ArpPacket.request(EthernetHead.BROADCAST, CLIENT, VIP, CLIENT_IP, 7);
    assertThat(network.isClaimed(new PlayedPacket(1, 1, elsewhere))).as("other VLAN").isFalse();
    byte[] asks = ArpPacket.request(EthernetHead.BROADCAST, CLIENT, 0, VIP, 0);
    assertThat(network.isClaimed(new PlayedPacket(1, 1, asks))).as("it only asks").isFalse();
  }

  @Test
  void whatIsOfAnotherVlanOrComesInBetweenSwitchesIsNotServed() {
    byte[] tagged = TcpHead.syn(VIRTUAL, CLIENT, 7, CLIENT_IP, VIP, 5_000, 80, 7);
    assertThat(network.send(new PlayedPacket(1, 1, tagged))).isEqualTo(Decision.DROP);
    assertThat(network.send(new PlayedPacket(1, 9, syn(1)))).as("no edge").isEqualTo(Decision.DROP);
    assertThat(network.send(new PlayedPacket(1, 1, syn(1), true))).isEqualTo(Decision.DROP);
    assertThat(network.asked).isZero();
  }

  @Test
  void packetsOfOthersPassWithoutAQuestion() {
    byte[] other = TcpHead.syn(0x0200_0000_000bL, CLIENT, 0, CLIENT_IP, 1, 2, 3, 4);
    assertThat(network.send(new PlayedPacket(1, 1, other))).isEqualTo(Decision.PASS);
    byte[] transit = fromMember(M2, M2_IP, CLIENT, CLIENT_IP, 5_000);
    assertThat(network.send(new PlayedPacket(2, 1, transit)))
        .as("the client is at another switch")
        .isEqualTo(Decision.PASS);
    assertThat(network.asked).isZero();
  }

  @Test
  void aReplyWithoutAnEntryFindsItsConnection() {
    network.send(new PlayedPacket(1, 1, syn(5_000)));
    network.send(new PlayedPacket(1, 1, syn(5_001)));
    byte[] reply = fromMember(M2, M2_IP, CLIENT, CLIENT_IP, 5_001);
    List<Instruction> done = instructions(network.send(new PlayedPacket(1, 9, reply)));
    assertThat(done).hasSize(4);
    assertThat(steps(((Instruction.Send) done.get(3)).treatment()))
        .containsExactly(
            "ETH_SRC:02:4C:0A:00:00:64", "IPV4_SRC:10.0.0.100", "TCP_SRC:80", "OUTPUT:1");
    assertThat(steps(install(done.get(0)).treatment())).contains("OUTPUT:9");
  }

  @Test
  void aDirectConversationPassesWithAGuardAndAnEntryOfItsOwn() {
    byte[] reply = fromMember(M1, M1_IP, CLIENT, CLIENT_IP, 5_000);
    Decision decision = network.send(new PlayedPacket(1, 3, reply));
    assertThat(((Decision.Act) decision).passesOn()).isTrue();
    Instruction.InstallFlow guard = install(instructions(decision).get(0));
    assertThat(steps(guard.treatment())).containsExactly("OUTPUT:CONTROLLER");
    assertThat(criteria(guard.selector()))
        .contains("ETH_DST:02:00:00:00:00:0A", "IPV4_SRC:10.0.0.1/32", "TCP_SRC:8080");
    Instruction.InstallFlow direct = install(instructions(decision).get(1));
    assertThat(direct.priority()).isGreaterThan(guard.priority());
    assertThat(direct.priority()).isLessThan(ConnectionEntries.PRIORITY);
    assertThat(steps(direct.treatment())).containsExactly("OUTPUT:1");
  }

  @Test
  void aMemberThatIsItsOwnClientTalksToTheVirtualIp() {
    network.store.done(BalancerCommands.removeMember("m2", Configure.ANY_VERSION));
    byte[] own = TcpHead.syn(VIRTUAL, M1, 0, M1_IP, VIP, 5_000, 80, 7);
    List<Instruction> done = instructions(network.send(new PlayedPacket(1, 3, own)));
    assertThat(steps(install(done.get(0)).treatment()))
        .containsExactly(
            "ETH_SRC:02:4C:0A:00:00:64",
            "IPV4_SRC:10.0.0.100",
            "TCP_SRC:5000",
            "ETH_DST:02:00:00:00:00:01",
            "IPV4_DST:10.0.0.1",
            "TCP_DST:8080",
            "OUTPUT:IN_PORT");
    byte[] reply = fromMember(M1, M1_IP, VIRTUAL, VIP, 5_000);
    List<Instruction> back = instructions(network.send(new PlayedPacket(1, 3, reply)));
    assertThat(steps(((Instruction.Send) back.get(2)).treatment()))
        .contains("IPV4_SRC:10.0.0.100", "TCP_SRC:80", "IPV4_DST:10.0.0.1", "TCP_DST:5000");
    assertThat(back.subList(0, 2)).isEqualTo(done.subList(0, 2));
  }

  @Test
  void aClientAtTheMembersPortIsSentBackWhereItCameFrom() {
    network.store.done(BalancerCommands.removeMember("m2", Configure.ANY_VERSION));
    network.host(1, 3, 0xc, "10.0.0.202");
    int neighbour = BalancerStore.ip("10.0.0.202");
    byte[] syn = TcpHead.syn(VIRTUAL, 0x0200_0000_000cL, 0, neighbour, VIP, 5_000, 80, 7);
    List<Instruction> done = instructions(network.send(new PlayedPacket(1, 3, syn)));
    assertThat(steps(install(done.get(0)).treatment()))
        .contains("IPV4_SRC:10.0.0.100", "IPV4_DST:10.0.0.1", "OUTPUT:IN_PORT");
    assertThat(steps(install(done.get(1)).treatment()))
        .contains("ETH_DST:02:00:00:00:00:0C", "IPV4_DST:10.0.0.202", "OUTPUT:IN_PORT");
    assertThat(done).as("no reply goes past the virtual IP, so no guard").hasSize(3);
  }

  @Test
  void eachDatagramOfUdpMayBeginAConnection() {
    ServiceAddress dns = new ServiceAddress(TransportProtocol.UDP, VIP, 80);
    network.store.done(BalancerCommands.put(VirtualIp.usual("dns", dns, "web"), Configure.ABSENT));
    byte[] datagram = syn(5_000);
    datagram[14 + 9] = 17;
    ByteBuffer head = ByteBuffer.wrap(datagram);
    head.putShort(14 + 10, (short) (head.getShort(14 + 10) - 11)); // the checksum of the head
    Decision decision = network.send(new PlayedPacket(1, 1, datagram));
    List<Instruction> done = instructions(decision);
    assertThat(counts(decision)).containsExactly("taken");
    Instruction.InstallFlow there = install(done.get(0));
    assertThat(criteria(there.selector())).contains("IP_PROTO:17", "UDP_SRC:5000", "UDP_DST:80");
    assertThat(there.hardTimeoutSeconds()).as("it comes up within 60 s").isEqualTo(20);
    assertThat(counts(network.send(new PlayedPacket(1, 1, datagram)))).containsExactly("kept");
    network.store.passSeconds(61);
    assertThat(counts(network.send(new PlayedPacket(1, 1, datagram)))).containsExactly("taken");
  }

  @Test
  void theEntriesOfALostMemberGo() {
    ServicePicture before = network.services();
    network.store.run(ReportHealth.command(BalancerStore.member(2, 1, Member.State.ENABLED), true));
    List<Instruction> removals =
        instructions(
            network.tell(
                new NetworkEvent.PictureChanged(
                    device(1), ServicePicture.PICTURE, before, network.services())));
    assertThat(removals).hasSize(1);
    Instruction.RemoveFlows removal = (Instruction.RemoveFlows) removals.get(0);
    assertThat(removal.tag()).isEqualTo(ConnectionEntries.tag(M2_IP, 8_080));
    assertThat(removal.tagMask()).as("its guards stay").isEqualTo(0xffff);
    assertThat(
            network.tell(
                new NetworkEvent.PictureChanged(
                    device(1), ServicePicture.PICTURE, network.services(), network.services())))
        .as("nothing changed")
        .isEqualTo(Decision.PASS);
    before = network.services();
    network.store.done(BalancerCommands.removeMember("m2", Configure.ANY_VERSION));
    Decision removed =
        network.tell(
            new NetworkEvent.PictureChanged(
                device(1), ServicePicture.PICTURE, before, network.services()));
    assertThat(((Instruction.RemoveFlows) instructions(removed).get(0)).tagMask())
        .as("its guards go, too")
        .isEqualTo(ConnectionEntries.MEMBER_BITS);
  }

  @Test
  void entriesGoWithPortsTreesDisputesAndMoves() {
    PortNumber port = PortNumber.portNumber(1);
    assertThat(instructions(network.tell(new NetworkEvent.PortDown(device(1), port)))).hasSize(2);
    assertThat(instructions(network.tell(new NetworkEvent.TreeChanged(device(1))))).hasSize(1);
    assertThat(
            instructions(
                network.tell(
                    new NetworkEvent.SourceDisputed(device(1), port, MacAddress.valueOf(CLIENT)))))
        .hasSize(2);
    MacAddress moved = MacAddress.valueOf(CLIENT);
    assertThat(instructions(network.tell(new NetworkEvent.HostMoved(device(1), port, moved))))
        .as("guards, too")
        .contains(
            new Instruction.RemoveFlows(
                DefaultTrafficSelector.builder().matchEthDst(moved).build()));
    assertThat(instructions(network.tell(new NetworkEvent.TimePassed(device(1)))))
        .as("a sweep, and m1 is probed")
        .containsExactly(new Instruction.StartTimer("next/0/m1", 1_000));
  }

  @Test
  void noFrameMakesItFail() {
    Random random = new Random(11);
    byte[][] seeds = {
      syn(1),
      ArpPacket.request(EthernetHead.BROADCAST, CLIENT, CLIENT_IP, VIP, 0),
      fromMember(M1, M1_IP, CLIENT, CLIENT_IP, 5_000),
      IcmpEcho.request(VIRTUAL, CLIENT, 0, CLIENT_IP, VIP, 1, 1)
    };
    for (int i = 0; i < 20_000; i++) {
      byte[] seed = seeds[random.nextInt(seeds.length)];
      byte[] frame = Arrays.copyOf(seed, Math.max(14, random.nextInt(seed.length + 1)));
      for (int change = random.nextInt(3); change > 0; change--) {
        frame[random.nextInt(frame.length)] = (byte) random.nextInt();
      }
      if (random.nextInt(10) == 0) {
        ByteBuffer.wrap(frame).putShort(12, (short) 0x88a8);
      }
      assertThat(network.send(new PlayedPacket(1, 1, frame))).isNotNull();
    }
  }
}
