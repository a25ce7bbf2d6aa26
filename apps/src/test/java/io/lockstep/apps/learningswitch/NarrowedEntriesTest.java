package io.lockstep.apps.learningswitch;

import static io.lockstep.apps.learningswitch.TestNetwork.frame;
import static io.lockstep.apps.learningswitch.TestNetwork.ipv4;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.learningswitch.TestNetwork.Port;
import io.lockstep.core.app.KnownHost;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.flow.MatchChoice;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.topology.KnownHosts;
import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.placer.profile.BuiltInProfiles;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;
import org.onosproject.net.PortNumber;

/**
 * The learning switch on a switch whose tables are bounded, where the node narrows its entries:
 * what it saw before, it sees now.
 */
class NarrowedEntriesTest {
  private static final long A = 0x0200_0000_000aL;
  private static final long B = 0x0200_0000_000bL;
  private static final long OTHER = 0x0200_0000_000cL;
  private static final int IP_A = 0x0a00_0001;
  private static final int IP_B = 0x0a00_0002;
  private static final Port TWO = new Port(1, 2);

  private final TestNetwork network =
      new TestNetwork(
          new NetworkPicture(
                  1,
                  List.of(new SwitchPort(1, 1), new SwitchPort(1, 2), new SwitchPort(1, 3)),
                  List.of())
              .with(new KnownHosts(List.of(host(A, 1, IP_A), host(B, 2, IP_B)))));

  private static KnownHost host(long mac, long port, int ip) {
    return new KnownHost(
        MacAddress.valueOf(mac),
        -1,
        new SwitchPort(1, port).connectPoint(),
        List.of(Ip4Address.valueOf(ip)));
  }

  /** A at port 1 and B at port 2 are learned, and packets of A to B have an entry. */
  @BeforeEach
  void anEntryFromAToB() {
    network.matches = MatchChoice.of(BuiltInProfiles.get("ovs-small"));
    network.send(1, 2, frame(A, B));
    network.send(1, 1, ipv4(B, A, IP_B, IP_A));
    assertThat(network.arrivedAt()).containsExactly(TWO);
    network.send(1, 1, ipv4(B, A, IP_B, IP_A));
    assertThat(network.packetIns).as("the entry serves").isEmpty();
    assertThat(network.arrivedAt()).containsExactly(TWO);
  }

  @Test
  void aSourceThatMovedIsSeenAndFollowed() {
    network.send(1, 2, ipv4(A, B, IP_A, IP_B));
    network.send(1, 3, ipv4(B, A, IP_B, IP_A));
    assertThat(network.packetIns).as("from another port").hasSize(1);
    network.send(1, 2, ipv4(A, B, IP_A, IP_B));
    assertThat(network.arrivedAt()).containsExactly(new Port(1, 3));
  }

  @Test
  void aForgedSourceIsSeenEvenWithTheAddressesOfTheEntry() {
    network.send(1, 1, ipv4(B, OTHER, IP_B, IP_A));
    assertThat(network.packetIns).as("another source at the port").hasSize(1);
    network.disputed = true;
    network.send(1, 3, ipv4(B, A, IP_B, IP_A));
    assertThat(network.packetIns).as("the same source at another port").hasSize(1);
    assertThat(network.arrivals).as("the node does not believe it yet").isEmpty();
  }

  @Test
  void aNewSourceIsLearned() {
    network.send(1, 3, ipv4(B, OTHER, IP_B, IP_A));
    network.send(1, 2, frame(OTHER, B));
    assertThat(network.arrivedAt()).containsExactly(new Port(1, 3));
  }

  @Test
  void anotherVlanIsAnotherEntry() {
    network.send(1, 1, TestNetwork.tagged(ipv4(B, A, IP_B, IP_A), 7));
    assertThat(network.packetIns).hasSize(1);
  }

  @Test
  void aDestinationThatMovedLosesTheEntriesToIt() {
    network.send(1, 3, frame(A, B));
    network.send(1, 1, ipv4(B, A, IP_B, IP_A));
    assertThat(network.packetIns).hasSize(1);
    assertThat(network.arrivedAt()).containsExactly(new Port(1, 3));
  }

  @Test
  void aDisputeRemovesTheEntriesOfItsSource() {
    network.tell(
        new NetworkEvent.SourceDisputed(
            TestNetwork.device(1), PortNumber.portNumber(1), MacAddress.valueOf(A)));
    network.send(1, 1, ipv4(B, A, IP_B, IP_A));
    assertThat(network.packetIns).hasSize(1);
  }

  @Test
  void addressesBehindARouterShareAnEntry() {
    int before = network.flowCount(1);
    for (int address = 1; address <= 50; address++) {
      network.send(1, 1, ipv4(B, A, 0x0808_0800 + address, IP_A));
      assertThat(network.arrivedAt()).containsExactly(TWO);
    }
    assertThat(network.flowCount(1)).isEqualTo(before + 1);
  }
}
