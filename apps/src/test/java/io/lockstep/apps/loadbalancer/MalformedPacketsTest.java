package io.lockstep.apps.loadbalancer;

import static io.lockstep.apps.loadbalancer.PlayedNetwork.counts;
import static io.lockstep.apps.loadbalancer.PlayedNetwork.instructions;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.loadbalancer.frame.ArpPacket;
import io.lockstep.apps.loadbalancer.frame.EthernetHead;
import io.lockstep.apps.loadbalancer.frame.IcmpEcho;
import io.lockstep.apps.loadbalancer.frame.TcpHead;
import io.lockstep.apps.loadbalancer.state.BalancerCommands;
import io.lockstep.apps.loadbalancer.state.BalancerStore;
import io.lockstep.apps.loadbalancer.state.BalancerTables;
import io.lockstep.apps.loadbalancer.state.Configure;
import io.lockstep.apps.loadbalancer.state.ServiceAddress;
import io.lockstep.apps.loadbalancer.state.TransportProtocol;
import io.lockstep.apps.loadbalancer.state.VirtualIp;
import io.lockstep.core.app.Decision;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Packets to the virtual IP that are cut, or contradict themselves: counted, and no connection. */
class MalformedPacketsTest {
  private static final long CLIENT = 0x0200_0000_000aL;
  private static final long VIRTUAL = 0x024c_0a00_0064L;
  private static final long M1 = 0x0200_0000_0001L;
  private static final int CLIENT_IP = BalancerStore.ip("10.0.0.200");
  private static final int VIP = BalancerStore.ip("10.0.0.100");
  private static final int M1_IP = BalancerStore.ip("10.0.0.1");
  private static final int IP = 14;
  private static final int TCP = IP + 20;
  private static final int WHOLE = TCP + 20;
  private static final int UDP = 8;

  private final PlayedNetwork network = new PlayedNetwork();

  @BeforeEach
  void aServiceWithTwoMembers() {
    network.store.withWeb(1, 1);
  }

  private static byte[] syn() {
    return TcpHead.syn(VIRTUAL, CLIENT, 0, CLIENT_IP, VIP, 5_000, 80, 7);
  }

  /** Changes the head of IP, and makes its checksum right again. */
  private static byte[] synWith(Consumer<ByteBuffer> change) {
    byte[] frame = syn();
    ByteBuffer bytes = ByteBuffer.wrap(frame);
    change.accept(bytes);
    return withChecksum(frame, (frame[IP] & 0xf) * 4);
  }

  private static byte[] withChecksum(byte[] frame, int headBytes) {
    ByteBuffer bytes = ByteBuffer.wrap(frame).putShort(IP + 10, (short) 0);
    long sum = 0;
    for (int i = 0; i + 1 < headBytes && IP + i + 1 < frame.length; i += 2) {
      sum += bytes.getShort(IP + i) & 0xffff;
    }
    while (sum >>> 16 != 0) {
      sum = (sum & 0xffff) + (sum >>> 16);
    }
    bytes.putShort(IP + 10, (short) ~sum);
    return frame;
  }

  /** A datagram of so many bytes behind the head of IP. */
  private static byte[] datagram(int payloadBytes) {
    byte[] frame = Arrays.copyOf(syn(), TCP + payloadBytes);
    ByteBuffer bytes = ByteBuffer.wrap(frame);
    bytes.put(IP + 9, (byte) 17).putShort(IP + 2, (short) (20 + payloadBytes));
    if (payloadBytes >= UDP) {
      bytes.putShort(TCP + 4, (short) payloadBytes).putShort(TCP + 6, (short) 0);
    }
    return withChecksum(frame, 20);
  }

  private void isDroppedAs(String what, byte[] frame) {
    Decision decision = network.send(new PlayedPacket(1, 1, frame));
    assertThat(instructions(decision)).isEmpty();
    assertThat(counts(decision)).containsExactly(what);
    assertThat(network.asked).as("questions to the store").isZero();
    assertThat(network.store.entries(BalancerTables.CONNECTIONS)).isEmpty();
  }

  @Test
  void aSynThatEndsAnywhereTakesNoMember() {
    for (int length = IP; length < WHOLE; length++) {
      isDroppedAs("dropped_malformed", Arrays.copyOf(syn(), length));
    }
    assertThat(counts(network.send(new PlayedPacket(1, 1, syn())))).containsExactly("taken");
  }

  @Test
  void aDatagramThatEndsInItsHeadTakesNoMember() {
    network.store.run(
        BalancerCommands.put(
            VirtualIp.usual("dns", new ServiceAddress(TransportProtocol.UDP, VIP, 80), "web"),
            Configure.ABSENT));
    for (int bytes = 0; bytes < UDP; bytes++) {
      isDroppedAs("dropped_malformed", datagram(bytes));
      isDroppedAs("dropped_malformed", Arrays.copyOf(datagram(UDP), TCP + bytes));
    }
    assertThat(counts(network.send(new PlayedPacket(1, 1, datagram(UDP)))))
        .containsExactly("taken");
  }

  @Test
  void aSynThatIsPaddedToTheLeastLengthIsServed() {
    byte[] padded = Arrays.copyOf(syn(), 60);
    assertThat(counts(network.send(new PlayedPacket(1, 1, padded)))).containsExactly("taken");
    assertThat(network.store.entries(BalancerTables.CONNECTIONS)).hasSize(1);
  }

  @Test
  void headersWhoseLengthsContradictThemselves() {
    isDroppedAs("dropped_malformed", synWith(ip -> ip.put(IP, (byte) 0x44)));
    isDroppedAs("dropped_malformed", synWith(ip -> ip.put(IP, (byte) 0x4f)));
    isDroppedAs("dropped_malformed", synWith(ip -> ip.put(IP, (byte) 0x65)));
    isDroppedAs("dropped_malformed", synWith(ip -> ip.putShort(IP + 2, (short) 19)));
    isDroppedAs("dropped_malformed", synWith(ip -> ip.putShort(IP + 2, (short) 23)));
    isDroppedAs("dropped_malformed", synWith(ip -> ip.putShort(IP + 2, (short) 39)));
    isDroppedAs("dropped_malformed", synWith(ip -> ip.put(TCP + 12, (byte) 0x40)));
    isDroppedAs("dropped_malformed", synWith(ip -> ip.put(TCP + 12, (byte) 0xf0)));
  }

  @Test
  void aWrongChecksumOfTheHead() {
    byte[] frame = syn();
    frame[IP + 8]--;
    isDroppedAs("dropped_malformed", frame);
  }

  @Test
  void fragmentsAndOtherProtocolsAreNotServed() {
    isDroppedAs("dropped_not_served", synWith(ip -> ip.putShort(IP + 6, (short) 0x2000)));
    isDroppedAs("dropped_not_served", synWith(ip -> ip.putShort(IP + 6, (short) 5)));
    isDroppedAs("dropped_not_served", synWith(ip -> ip.put(IP + 9, (byte) 132)));
  }

  @Test
  void optionsOfIpAndTcpDoNoHarm() {
    byte[] plain = syn();
    byte[] frame = new byte[WHOLE + 8 + 4];
    System.arraycopy(plain, 0, frame, 0, TCP);
    System.arraycopy(plain, TCP, frame, TCP + 8, 20);
    ByteBuffer bytes = ByteBuffer.wrap(frame);
    bytes.put(IP, (byte) 0x47).putShort(IP + 2, (short) (28 + 24));
    bytes.putInt(TCP, 0x0101_0101).putInt(TCP + 4, 0x0101_0100); // no operation, end
    bytes.put(TCP + 8 + 12, (byte) 0x60).putInt(TCP + 8 + 20, 0x0204_05b4); // segment size
    Decision decision = network.send(new PlayedPacket(1, 1, withChecksum(frame, 28)));
    assertThat(counts(decision)).containsExactly("taken");
  }

  private static byte[] arp(long to, int vlan, int targetIp) {
    return ArpPacket.request(to, CLIENT, CLIENT_IP, targetIp, vlan);
  }

  /** ARP for another host, too: flooded, it would reach all of them. */
  @Test
  void arpThatEndsAnywhereOrIsOfAnotherKindIsNotFlooded() {
    for (int vlan : new int[] {0, 7}) {
      for (int target : new int[] {VIP, M1_IP}) {
        for (long to : new long[] {EthernetHead.BROADCAST, VIRTUAL, M1}) {
          byte[] whole = arp(to, vlan, target);
          int head = vlan == 0 ? IP : IP + 4;
          for (int length = head; length < whole.length; length++) {
            isDroppedAs("dropped_malformed", Arrays.copyOf(whole, length));
          }
          for (int at : new int[] {0, 1, 2, 3, 4, 5}) { // kinds and lengths of addresses
            byte[] other = whole.clone();
            other[head + at]++;
            isDroppedAs("dropped_malformed", other);
          }
        }
      }
    }
  }

  @Test
  void arpIsServedAsBeforeBesideWhatIsMalformed() {
    byte[] cut = Arrays.copyOf(arp(EthernetHead.BROADCAST, 0, VIP), IP + 27);
    isDroppedAs("dropped_malformed", cut);
    assertThat(
            instructions(network.send(new PlayedPacket(1, 1, arp(EthernetHead.BROADCAST, 0, VIP)))))
        .as("the answer for the virtual IP")
        .hasSize(1);
    assertThat(network.send(new PlayedPacket(1, 1, arp(EthernetHead.BROADCAST, 0, M1_IP))))
        .as("whole ARP for a host")
        .isEqualTo(Decision.PASS);
    assertThat(network.send(new PlayedPacket(1, 1, Arrays.copyOf(arp(M1, 0, M1_IP), 60))))
        .as("and padded")
        .isEqualTo(Decision.PASS);
    assertThat(network.send(new PlayedPacket(1, 9, cut)))
        .as("from another switch, which let it pass")
        .isEqualTo(Decision.PASS);
  }

  @Test
  void framesOfAllKindsThatEndAnywhereAreDecided() {
    byte[][] seeds = {
      syn(),
      TcpHead.syn(VIRTUAL, CLIENT, 7, CLIENT_IP, VIP, 5_000, 80, 7),
      ArpPacket.request(EthernetHead.BROADCAST, CLIENT, CLIENT_IP, VIP, 0),
      TcpHead.syn(CLIENT, M1, 0, M1_IP, CLIENT_IP, 8_080, 5_000, 9),
      IcmpEcho.request(VIRTUAL, CLIENT, 0, CLIENT_IP, VIP, 1, 1)
    };
    for (byte[] seed : seeds) {
      for (int length = IP; length < seed.length; length++) {
        byte[] cut = Arrays.copyOf(seed, length);
        for (long port : new long[] {1, 3, 9}) {
          assertThat(network.send(new PlayedPacket(1, port, cut))).isNotNull();
        }
      }
      assertThat(network.store.entries(BalancerTables.CONNECTIONS)).as("cut frames").isEmpty();
    }
  }
}
