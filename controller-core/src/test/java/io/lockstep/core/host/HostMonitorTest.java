package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.testing.FakeSwitch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onosproject.net.PortNumber;

/** Addresses that applications monitor or request are asked for, at a bounded rate. */
class HostMonitorTest extends HostTrackerFixture {
  private static final IpAddress ADDRESS = Ip4Address.valueOf(IP);

  /** From a call to the question. */
  private static final long SOON = 2 * HostMonitor.TICK_MILLIS;

  private final HostMonitor monitor = firstNode.monitor();

  private void pass(long millis) {
    for (long passed = 0; passed < millis; passed += HostMonitor.TICK_MILLIS) {
      time.pass(HostMonitor.TICK_MILLIS);
      time.execute(monitor::tick);
    }
  }

  private static List<PortNumber> askedPorts(FakeSwitch device) {
    return device.packetOuts.stream().flatMap(out -> out.outPorts().stream()).toList();
  }

  private static PortNumber port(long number) {
    return PortNumber.portNumber(number);
  }

  @Test
  void unknownAddressIsAskedForAtTheEdgePortsOfThisNodesSwitches() {
    monitor.start(ADDRESS);
    pass(SOON);
    assertThat(askedPorts(first)).containsExactlyInAnyOrder(port(1), port(2));
    assertThat(second.packetOuts).as("another node's switch").isEmpty();
    byte[] frame = first.packetOuts.get(0).data();
    assertThat(Arrays.copyOf(frame, 6)).as("broadcast").containsOnly(0xff);
    assertThat(ByteBuffer.wrap(frame).getShort(12)).as("ARP").isEqualTo((short) 0x0806);
    assertThat(ByteBuffer.wrap(frame).getInt(38)).as("target").isEqualTo(IP);
  }

  @Test
  void ip6AddressIsSolicitedFromItsMulticastGroup() {
    Ip6Address address = Ip6Address.valueOf("2001:db8::12:3456");
    monitor.request(address);
    pass(SOON);
    assertThat(askedPorts(first)).containsExactlyInAnyOrder(port(1), port(2));
    byte[] frame = first.packetOuts.get(0).data();
    assertThat(Arrays.copyOf(frame, 6))
        .isEqualTo(new byte[] {0x33, 0x33, (byte) 0xff, 0x12, 0x34, 0x56});
    assertThat(Ip6Address.valueOf(Arrays.copyOfRange(frame, 38, 54)))
        .isEqualTo(Ip6Address.valueOf("ff02::1:ff12:3456"));
    assertThat(frame[54]).as("neighbour solicitation").isEqualTo((byte) 135);
    assertThat(Ip6Address.valueOf(Arrays.copyOfRange(frame, 62, 78))).isEqualTo(address);
    assertThat(sumOfPseudoHeaderAndMessage(frame)).as("RFC 1071").isEqualTo(0xffff);
  }

  private static int sumOfPseudoHeaderAndMessage(byte[] frame) {
    ByteBuffer in = ByteBuffer.wrap(frame);
    int sum = 32 + 58;
    for (int at = 22; at < 86; at += 2) {
      sum += in.getShort(at) & 0xffff;
    }
    return (sum & 0xffff) + (sum >>> 16);
  }

  @Test
  void monitoredHostIsFoundByItsAnswer() {
    monitor.start(ADDRESS);
    hostAnswersAtOldPlace = true;
    pass(SOON);
    assertThat(host().location().dpid()).isEqualTo(1);
    assertThat(host().ips()).containsExactly(IP);
  }

  @Test
  void monitoredAddressIsAskedForAgainUntilItIsStopped() {
    monitor.start(ADDRESS);
    monitor.start(ADDRESS);
    pass(5 * HostMonitor.REPEAT_MILLIS);
    int asked = first.packetOuts.size();
    assertThat(asked).isBetween(2 * 5, 2 * 6);
    monitor.stop(ADDRESS);
    pass(5 * HostMonitor.REPEAT_MILLIS);
    assertThat(first.packetOuts).hasSize(asked);
    monitor.start(ADDRESS);
    pass(SOON);
    assertThat(first.packetOuts).hasSize(asked + 2);
  }

  @Test
  void requestedAddressIsAskedForOnce() {
    monitor.request(ADDRESS);
    monitor.request(ADDRESS);
    pass(5 * HostMonitor.REPEAT_MILLIS);
    assertThat(first.packetOuts).hasSize(2);
    monitor.request(ADDRESS);
    pass(SOON);
    assertThat(first.packetOuts).hasSize(4);
  }

  @Test
  void hostThatWasHeardIsNotAskedAndOneThatIsSilentIsAskedAtItsPlace() {
    send(first, firstNode, 1, request());
    pass(SOON);
    send(first, firstNode, 1, request());
    monitor.start(ADDRESS);
    pass(HostMonitor.SILENT_MILLIS - 2 * SOON);
    assertThat(first.packetOuts).isEmpty();
    hostAnswersAtOldPlace = true;
    pass(HostMonitor.REPEAT_MILLIS + SOON);
    assertThat(askedPorts(first)).as("its place alone").containsExactly(port(1));
    pass(HostMonitor.REPEAT_MILLIS);
    assertThat(first.packetOuts).as("it answered").hasSize(1);
  }

  @Test
  void hostThatDoesNotAnswerAtItsPlaceIsAskedForAtTheOthersToo() {
    send(first, firstNode, 1, request());
    pass(HostMonitor.SILENT_MILLIS + SOON);
    monitor.start(ADDRESS);
    pass(HostMonitor.PLACE_QUESTIONS * HostMonitor.REPEAT_MILLIS - SOON);
    assertThat(askedPorts(first)).hasSize(HostMonitor.PLACE_QUESTIONS).containsOnly(port(1));
    pass(HostMonitor.REPEAT_MILLIS);
    assertThat(askedPorts(first)).contains(port(2));
  }

  @Test
  void hostThatLostItsPlaceIsAskedForInItsVlan() {
    send(first, firstNode, 1, tagged(request(), 5));
    gone.add(OLD);
    monitor.request(ADDRESS);
    pass(SOON);
    assertThat(askedPorts(first)).as("the ports that are left").containsExactly(port(2));
    PacketOut out = first.packetOuts.get(0);
    assertThat(ByteBuffer.wrap(out.data()).getInt(12)).isEqualTo(0x8100_0005);
  }

  @Test
  void hostOfAnotherNodeIsItsToAsk() {
    send(second, secondNode, 1, request());
    monitor.start(ADDRESS);
    monitor.request(ADDRESS);
    pass(10 * HostMonitor.REPEAT_MILLIS);
    assertThat(first.packetOuts).isEmpty();
    masters.remove(2L);
    pass(2 * HostMonitor.REPEAT_MILLIS);
    assertThat(first.packetOuts).as("no node can ask it now").isNotEmpty();
  }

  @Test
  void questionsAreBoundedHoweverManyAddressesAndPortsThereAre() {
    for (long number = 10; number < 500; number++) {
      edges.add(new SwitchPort(1, number));
    }
    for (int i = 0; i < 100; i++) {
      monitor.start(Ip4Address.valueOf(IP + i));
    }
    for (int tick = 1; tick <= 100; tick++) {
      pass(HostMonitor.TICK_MILLIS);
      assertThat(first.packetOuts.size())
          .isLessThanOrEqualTo(tick * HostMonitor.QUESTIONS_PER_TICK);
    }
    int before = first.packetOuts.size();
    assertThat(before).as("and the rate is used").isGreaterThan(4_000);
    monitor.request(Ip4Address.valueOf(IP + 5_000));
    pass(2_500);
    assertThat(first.packetOuts.subList(before, first.packetOuts.size()))
        .as("a request does not wait for all monitored addresses")
        .anyMatch(out -> ByteBuffer.wrap(out.data()).getInt(38) == IP + 5_000);
    for (int i = 0; i < 100; i++) {
      monitor.stop(Ip4Address.valueOf(IP + i));
    }
    pass(5_000);
    int stopped = first.packetOuts.size();
    pass(60_000);
    assertThat(first.packetOuts).as("all stopped").hasSize(stopped);
  }

  @Test
  void moreAddressesThanTheBoundAreRefused() {
    for (int i = 0; i < HostMonitor.MAX_MONITORED; i++) {
      monitor.start(Ip4Address.valueOf(IP + i));
    }
    IpAddress further = Ip4Address.valueOf(IP + HostMonitor.MAX_MONITORED);
    assertThatIllegalStateException()
        .isThrownBy(() -> monitor.start(further))
        .withMessageContaining(further.toString())
        .withMessageContaining("stop monitoring another one first");
    monitor.start(ADDRESS);
    monitor.stop(ADDRESS);
    monitor.start(further);
    for (int i = 0; i < HostMonitor.MAX_REQUESTED; i++) {
      monitor.request(Ip4Address.valueOf(IP + i));
    }
    assertThatIllegalStateException().isThrownBy(() -> monitor.request(further));
    monitor.request(ADDRESS);
  }

  @Test
  void addressThatNoHostHasIsRefused() {
    for (String none : List.of("0.0.0.0", "255.255.255.255", "224.0.0.1", "::", "ff02::1")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> monitor.start(IpAddress.valueOf(none)))
          .withMessageContaining(none);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> monitor.request(IpAddress.valueOf(none)));
    }
  }
}
