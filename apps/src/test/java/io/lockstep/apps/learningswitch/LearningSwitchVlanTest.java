package io.lockstep.apps.learningswitch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.learningswitch.TestNetwork.Port;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.topology.NetworkPicture;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onosproject.net.PortNumber;

/** One switch, hosts in several VLANs: where does the packet go? -1 is no tag. */
class LearningSwitchVlanTest {
  private static final long BROADCAST = 0xffff_ffff_ffffL;
  private static final long A = 0x0200_0000_000aL;
  private static final long B = 0x0200_0000_000bL;
  private static final int RESERVED = 4_095;

  private final TestNetwork network =
      new TestNetwork(
          new NetworkPicture(
              1,
              LongStream.of(1, 2, 3, 4).mapToObj(port -> new SwitchPort(1, port)).toList(),
              List.of()));

  private static Port port(long port) {
    return new Port(1, port);
  }

  private void send(long port, int vlan, long destination, long source) {
    if (vlan < 0) {
      network.send(1, port, destination, source);
    } else {
      network.sendTagged(1, port, vlan, destination, source);
    }
  }

  @ParameterizedTest
  @CsvSource({"5, 6", "-1, 5", "5, -1", "0, 1", "4094, -1"})
  void sameAddressInTwoVlansIsAtTwoPorts(int first, int second) {
    send(1, first, BROADCAST, A);
    send(2, second, BROADCAST, A);
    for (int round = 0; round < 2; round++) {
      send(3, first, A, B);
      assertThat(network.arrivedAt()).containsExactly(port(1));
      send(3, second, A, B);
      assertThat(network.arrivedAt()).containsExactly(port(2));
      assertThat(network.packetIns.isEmpty()).as("flow entries carry it").isEqualTo(round == 1);
    }
    assertThat(network.flowCount(1)).isEqualTo(2);
  }

  @Test
  void addressOfAnotherVlanIsUnknown() {
    send(1, 5, BROADCAST, A);
    send(3, 6, A, B);
    assertThat(network.arrivedAt()).containsExactlyInAnyOrder(port(1), port(2), port(4));
    send(3, -1, A, B);
    assertThat(network.arrivedAt()).containsExactlyInAnyOrder(port(1), port(2), port(4));
  }

  @ParameterizedTest
  @CsvSource({"5", "0", "-1"})
  void floodedAndForwardedFramesKeepTheirTags(int vlan) {
    send(1, vlan, BROADCAST, A);
    assertThat(network.arrivals).hasSize(3);
    assertThat(network.arrivals).allMatch(arrival -> TestNetwork.vlan(arrival.frame()) == vlan);
    for (int round = 0; round < 2; round++) {
      send(2, vlan, A, B);
      assertThat(network.arrivals).hasSize(1);
      assertThat(TestNetwork.vlan(network.arrivals.get(0).frame())).isEqualTo(vlan);
    }
  }

  @Test
  void priorityTagNamesNoVlan() {
    send(1, 0, BROADCAST, A);
    send(2, -1, A, B);
    assertThat(network.arrivedAt())
        .as("untagged to who sent priority-tagged")
        .containsExactly(port(1));
    send(1, 0, B, A);
    assertThat(network.arrivedAt()).as("and back").containsExactly(port(2));
    send(1, -1, B, A);
    assertThat(network.arrivedAt()).containsExactly(port(2));
    assertThat(network.flowCount(1)).as("each form has an entry of its own").isEqualTo(3);
  }

  @Test
  void moveInOneVlanLeavesTheOtherAlone() {
    send(1, 5, BROADCAST, A);
    send(2, 6, BROADCAST, A);
    send(3, 5, A, B);
    send(3, 6, A, B);
    send(4, 5, BROADCAST, A);
    assertThat(network.flowCount(1)).as("the entry of VLAN 6").isEqualTo(1);
    send(3, 5, A, B);
    assertThat(network.arrivedAt()).containsExactly(port(4));
    send(3, 6, A, B);
    assertThat(network.arrivedAt()).containsExactly(port(2));
  }

  @Test
  void moveTakesTheEntriesOfUntaggedAndPriorityTaggedFrames() {
    send(1, -1, BROADCAST, A);
    send(3, -1, A, B);
    send(3, 0, A, B);
    assertThat(network.flowCount(1)).isEqualTo(2);
    send(4, 0, BROADCAST, A);
    assertThat(network.flowCount(1)).isZero();
    send(3, -1, A, B);
    assertThat(network.arrivedAt()).containsExactly(port(4));
  }

  @Test
  void portThatGoesDownIsForgottenInAllVlans() {
    send(1, 5, BROADCAST, A);
    send(1, -1, BROADCAST, A);
    send(2, 6, BROADCAST, A);
    network.tell(new NetworkEvent.PortDown(TestNetwork.device(1), PortNumber.portNumber(1)));
    send(3, 5, A, B);
    assertThat(network.arrivals).hasSize(3);
    send(3, -1, A, B);
    assertThat(network.arrivals).hasSize(3);
    send(3, 6, A, B);
    assertThat(network.arrivedAt()).containsExactly(port(2));
  }

  @Test
  void reservedVlanIsDropped() {
    send(1, RESERVED, BROADCAST, A);
    assertThat(network.arrivals).isEmpty();
    send(3, -1, A, B);
    assertThat(network.arrivals).as("nothing was learned").hasSize(3);
  }

  @Test
  void vlansShareTheRoomOfTheirPort() {
    for (int vlan = 1; vlan <= LearnedTable.MAX_AT_EDGE + 10; vlan++) {
      send(1, vlan, BROADCAST, A);
      assertThat(network.reports).hasSize(vlan <= LearnedTable.MAX_AT_EDGE ? 0 : 1);
    }
  }
}
