package io.lockstep.apps.learningswitch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.learningswitch.TestNetwork.Port;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onosproject.net.PortNumber;

/** One switch: where does the packet go? */
class LearningSwitchTest {
  private static final long BROADCAST = 0xffff_ffff_ffffL;
  private static final long MULTICAST = 0x0100_5e00_0001L;
  private static final long A = 0x0200_0000_000aL;
  private static final long B = 0x0200_0000_000bL;

  /** Ports 1 to 3 are edges, 9 is beside the tree. */
  private final TestNetwork network = new TestNetwork(edges(1, 2, 3));

  private static NetworkPicture edges(long... ports) {
    return new NetworkPicture(
        1, LongStream.of(ports).mapToObj(port -> new SwitchPort(1, port)).toList(), List.of());
  }

  private static Port port(long port) {
    return new Port(1, port);
  }

  private long addresses() {
    return addresses(1);
  }

  /** As the store counts them. */
  private long addresses(long dpid) {
    byte[] counter = new byte[SwitchTable.DPID_BYTES];
    SwitchTable.putLong(counter, 0, dpid);
    return network.store(new Command.Get(LearnedTable.COUNTS, Bytes.wrap(counter)))
            instanceof Reply.Found found
        ? SwitchTable.unsignedInt(found.value().toArray(), Integer.BYTES)
        : 0;
  }

  @Test
  void unknownDestinationIsFlooded() {
    network.send(1, 1, B, A);
    assertThat(network.arrivedAt()).containsExactlyInAnyOrder(port(2), port(3));
    assertThat(network.flowCount(1)).isZero();
  }

  @Test
  void broadcastAndMulticastAreFloodedAndTeachTheSource() {
    network.send(1, 1, BROADCAST, A);
    assertThat(network.arrivedAt()).containsExactlyInAnyOrder(port(2), port(3));
    network.send(1, 2, MULTICAST, B);
    assertThat(network.arrivedAt()).containsExactlyInAnyOrder(port(1), port(3));
    network.send(1, 3, A, 0x0200_0000_000cL);
    assertThat(network.arrivedAt()).containsExactly(port(1));
  }

  @Test
  void knownDestinationGetsThePacketAlone() {
    network.send(1, 1, BROADCAST, A);
    network.send(1, 2, A, B);
    assertThat(network.arrivedAt()).containsExactly(port(1));
  }

  @Test
  void flowEntryCarriesTheNextPacketsPastTheController() {
    network.send(1, 1, BROADCAST, A);
    network.send(1, 2, A, B);
    network.send(1, 2, A, B);
    assertThat(network.arrivedAt()).containsExactly(port(1));
    assertThat(network.packetIns).isEmpty();
  }

  @Test
  void destinationBehindTheIngressIsDropped() {
    network.send(1, 1, BROADCAST, A);
    network.send(1, 1, A, B);
    assertThat(network.arrivals).isEmpty();
    assertThat(network.flowCount(1)).isZero();
  }

  @Test
  void movedHostIsFollowedAndOldEntriesGo() {
    network.send(1, 1, BROADCAST, A);
    network.send(1, 2, A, B);
    network.send(1, 3, BROADCAST, A);
    assertThat(network.flowCount(1)).isZero();
    network.send(1, 2, A, B);
    assertThat(network.arrivedAt()).containsExactly(port(3));
  }

  @Test
  void packetWithADisputedSourceTeachesNothingAndGoesNowhere() {
    network.send(1, 1, BROADCAST, A);
    network.send(1, 2, A, B);
    network.disputed = true;
    network.send(1, 3, BROADCAST, A);
    assertThat(network.arrivals).isEmpty();
    network.send(1, 3, B, A);
    assertThat(network.arrivals).isEmpty();
    assertThat(network.flowCount(1)).as("only the entry from B to A").isEqualTo(1);
    network.disputed = false;
    network.clearFlows();
    network.send(1, 2, A, B);
    assertThat(network.arrivedAt()).as("A is where it was").containsExactly(port(1));
  }

  @Test
  void entriesFromADisputedSourceGoAndThoseToItStay() {
    network.send(1, 1, BROADCAST, A);
    network.send(1, 2, A, B);
    network.send(1, 1, B, A);
    assertThat(network.flowCount(1)).isEqualTo(2);
    network.tell(
        new NetworkEvent.SourceDisputed(
            TestNetwork.device(1), PortNumber.portNumber(1), MacAddress.valueOf(A)));
    assertThat(network.flowCount(1)).isEqualTo(1);
    network.send(1, 1, B, A);
    assertThat(network.packetIns).as("the node hears A").containsExactly(1L);
  }

  @Test
  void packetBesideTheTreeIsDroppedAndTeachesNothing() {
    network.send(1, 9, BROADCAST, A);
    assertThat(network.arrivals).isEmpty();
    network.send(1, 2, A, B);
    assertThat(network.arrivedAt()).containsExactlyInAnyOrder(port(1), port(3));
  }

  @Test
  void groupOrZeroSourceIsNotLearned() {
    network.send(1, 1, BROADCAST, MULTICAST);
    assertThat(network.arrivals).isEmpty();
    network.send(1, 1, BROADCAST, 0);
    assertThat(network.arrivedAt()).hasSize(2);
    assertThat(addresses()).isZero();
  }

  @Test
  void portDownForgetsWhatWasBehindIt() {
    network.send(1, 1, BROADCAST, A);
    network.send(1, 3, BROADCAST, 0x0200_0000_000cL);
    network.send(1, 2, A, B);
    network.tell(new NetworkEvent.PortDown(TestNetwork.device(1), PortNumber.portNumber(1)));
    assertThat(network.flowCount(1)).isZero();
    assertThat(addresses()).isEqualTo(2);
    network.view = edges(2, 3);
    network.send(1, 2, A, B);
    assertThat(network.arrivedAt()).containsExactly(port(3));
    network.send(1, 2, 0x0200_0000_000cL, B);
    assertThat(network.flowCount(1)).as("what is elsewhere is still known").isEqualTo(1);
  }

  @Test
  void changedTreeForgetsEverythingOfTheSwitch() {
    network.send(1, 1, BROADCAST, A);
    network.send(1, 2, A, B);
    network.tell(new NetworkEvent.TreeChanged(TestNetwork.device(1)));
    assertThat(network.flowCount(1)).isZero();
    assertThat(addresses()).isZero();
    network.send(1, 2, A, B);
    assertThat(network.arrivedAt()).containsExactlyInAnyOrder(port(1), port(3));
  }

  /** Of these some end in ff, and one is the last of all. */
  @Test
  void changedTreeForgetsNothingOfOtherSwitches() {
    long[] dpids = {
      0xfe, 0xff, 0x100, 0x101, 0xffff, 0x1_0000, (1L << 56) - 1, 1L << 56, -0x100, -1
    };
    List<SwitchPort> ports = new ArrayList<>();
    for (long dpid : dpids) {
      ports.add(new SwitchPort(dpid, 1));
      ports.add(new SwitchPort(dpid, 2));
    }
    network.view = new NetworkPicture(1, ports, List.of());
    for (long dpid : dpids) {
      network.send(dpid, 1, BROADCAST, A);
    }
    for (long dpid : dpids) {
      network.tell(new NetworkEvent.TreeChanged(TestNetwork.device(dpid)));
      for (long other : dpids) {
        assertThat(addresses(other))
            .as("%x after %x", other, dpid)
            .isEqualTo(other == dpid ? 0 : 1);
      }
      network.send(dpid, 1, BROADCAST, A);
    }
    for (long dpid : dpids) {
      network.send(dpid, 2, A, B);
      assertThat(network.arrivedAt()).as("%x", dpid).containsExactly(new Port(dpid, 1));
    }
  }

  @Test
  void takeOverOfMastershipChangesNothing() {
    network.send(1, 1, BROADCAST, A);
    network.send(1, 2, A, B);
    network.tell(new NetworkEvent.Mastered(TestNetwork.device(1)));
    assertThat(network.flowCount(1)).isEqualTo(1);
    network.clearFlows();
    network.send(1, 2, A, B);
    assertThat(network.arrivedAt()).containsExactly(port(1));
  }

  @Test
  void knownPortThatLeftTheTreeIsNotUsed() {
    network.send(1, 1, BROADCAST, A);
    network.view = edges(2, 3);
    network.send(1, 2, A, B);
    assertThat(network.arrivedAt()).containsExactly(port(3));
    assertThat(network.flowCount(1)).isZero();
  }

  /** An address of which there are many. */
  private static long invented(int number) {
    return 0x0200_0100_0000L + number;
  }

  @Test
  void oneEdgePortCannotTakeTheRoomOfTheOthers() {
    for (int i = 0; i < LearnedTable.MAX_ADDRESSES; i++) {
      network.send(1, 1, BROADCAST, invented(i));
      assertThat(network.reports).hasSize(i < LearnedTable.MAX_AT_EDGE ? 0 : 1);
    }
    assertThat(addresses()).isEqualTo(LearnedTable.MAX_AT_EDGE);
    network.send(1, 2, BROADCAST, B);
    network.send(1, 3, B, A);
    assertThat(network.arrivedAt()).as("B is known").containsExactly(port(2));
  }

  @Test
  void addressesAgeUnlessTheyAreSeen() {
    network.send(1, 1, BROADCAST, A);
    network.send(1, 3, BROADCAST, 0x0200_0000_000cL);
    for (int minute = 0; minute < 5; minute++) {
      network.passSeconds(60);
      network.send(1, 1, BROADCAST, A);
    }
    network.send(1, 2, 0x0200_0000_000cL, B);
    assertThat(network.arrivedAt()).as("too old").containsExactlyInAnyOrder(port(1), port(3));
    assertThat(addresses()).isEqualTo(3);
    network.tell(new NetworkEvent.TimePassed(TestNetwork.device(1)));
    assertThat(addresses()).isEqualTo(2);
    network.send(1, 2, A, B);
    assertThat(network.arrivedAt()).as("A is known").containsExactly(port(1));
  }

  @Test
  void fullPortHasRoomAgainWhenItsAddressesAged() {
    for (int i = 0; i < LearnedTable.MAX_AT_EDGE; i++) {
      network.send(1, 1, BROADCAST, invented(i));
    }
    network.passSeconds(LearnedTable.MAX_AGE_SECONDS);
    network.tell(new NetworkEvent.TimePassed(TestNetwork.device(1)));
    assertThat(addresses()).isZero();
    network.send(1, 1, BROADCAST, A);
    network.send(1, 2, A, B);
    assertThat(network.arrivedAt()).containsExactly(port(1));
  }

  @Test
  void fullSwitchIsForgottenInSeveralCalls() {
    for (int port = 1; port <= 8; port++) {
      network.view = edges(1, 2, 3, port);
      for (int i = 0; i < LearnedTable.MAX_AT_EDGE; i++) {
        network.send(1, port, BROADCAST, invented(port << 16 | i));
      }
    }
    assertThat(addresses()).isEqualTo(LearnedTable.MAX_ADDRESSES);
    network.tell(new NetworkEvent.TreeChanged(TestNetwork.device(1)));
    assertThat(addresses()).isZero();
  }
}
