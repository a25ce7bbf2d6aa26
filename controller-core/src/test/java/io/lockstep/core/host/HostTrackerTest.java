package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.packet.Frames;
import io.lockstep.store.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the tracker learns of hosts. */
class HostTrackerTest extends HostTrackerFixture {

  @Test
  void hostIsKnownFromItsFirstArp() {
    assertThat(send(first, firstNode, 1, request())).as("goes on to applications").isFalse();
    assertThat(host().location()).isEqualTo(OLD);
    assertThat(host().ips()).containsExactly(IP);
  }

  @Test
  void nothingIsWrittenWhileNothingChanges() {
    send(first, firstNode, 1, request());
    for (int i = 0; i < 100; i++) {
      time.pass(100);
      send(first, firstNode, 1, request());
    }
    assertThat(writes).isEqualTo(1);
  }

  @Test
  void senderOnAPortThatIsNoEdgeIsNoHost() {
    send(first, firstNode, 3, request());
    assertThat(hosts).isEmpty();
  }

  @Test
  void groupAndZeroSourcesAreNoHosts() {
    send(first, firstNode, 1, Frames.ethernet(2, 0x0100_0000_0001L, 0x0800));
    send(first, firstNode, 1, Frames.ethernet(2, 0, 0x0800));
    assertThat(hosts).isEmpty();
  }

  @Test
  void malformedArpTellsNoAddress() {
    byte[] whole = request();
    for (int length = 14; length < 42; length++) {
      hosts.clear();
      time.pass(600);
      send(first, firstNode, 1, Arrays.copyOf(whole, length));
      assertThat(host().ips()).as("length %d", length).isEmpty();
    }
  }

  @Test
  void arpThatNamesAnotherSenderThanItsFrameTellsNoAddress() {
    byte[] lying = Frames.arp(1, 0x0200_0000_0077L, IP, 0, 0x0a00_0002);
    System.arraycopy(Frames.ethernet(-1, HOST, 0x0806), 6, lying, 6, 6);
    send(first, firstNode, 1, lying);
    assertThat(host().ips()).isEmpty();
  }

  @Test
  void answerToAProbeGoesToNobodyElse() {
    assertThat(send(first, firstNode, 1, Frames.arp(2, HOST, IP, HostProbe.SENDER, 0))).isTrue();
  }

  @Test
  void inventedAddressesBehindOnePortAreBounded() {
    for (int i = 1; i <= 5_000; i++) {
      send(first, firstNode, 1, Frames.ethernet(2, HOST + i, 0x0800));
      time.pass(1);
    }
    assertThat(hosts).hasSize(HostTracker.MAX_HOSTS_PER_PORT);
    send(first, firstNode, 2, request());
    assertThat(host().location()).isEqualTo(new SwitchPort(1, 2));
  }

  @Test
  void addressesOfOneHostAreBounded() {
    for (int i = 0; i < 20; i++) {
      send(first, firstNode, 1, Frames.arp(1, HOST, IP + i, 0, 1));
      time.pass(600);
    }
    assertThat(host().ips()).hasSize(HostRecord.MAX_IPS).contains(IP + 19);
  }

  @Test
  void whatARouterForwardsDoesNotDisplaceItsOwnAddress() {
    send(first, firstNode, 1, request());
    for (int i = 1; i < 20; i++) {
      time.pass(600);
      send(first, firstNode, 1, forwarded(IP + i));
    }
    assertThat(host().ips()).containsExactly(IP);
  }

  @Test
  void recordOfTheFirstFormatIsRead() {
    byte[] first = new byte[30];
    ByteBuffer.wrap(first).put((byte) 1).putLong(1).putLong(1).putLong(77).put((byte) 1).putInt(IP);
    assertThat(new HostTable().decodeValue(Bytes.wrap(first)))
        .as("it may be the source of a forwarded packet")
        .isEqualTo(new HostRecord(OLD, List.of(), List.of(), IP, null, 77));
  }

  @Test
  void recordOfTheSecondFormatIsRead() {
    ByteBuffer second = ByteBuffer.allocate(51);
    second.put((byte) 2).putLong(1).putLong(1).putLong(77).put((byte) 2).putInt(IP).putInt(IP + 1);
    second.put((byte) 1).putLong(IP6.high()).putLong(IP6.low());
    assertThat(new HostTable().decodeValue(Bytes.wrap(second.array())))
        .isEqualTo(new HostRecord(OLD, List.of(IP, IP + 1), List.of(), 0, IP6, 77));
  }

  @Test
  void recordIsReadAsAWholeOrNotAtAll() {
    HostTable codec = new HostTable();
    byte[] whole =
        codec.encodeValue(new HostRecord(OLD, List.of(), List.of(), IP, IP6, 77)).toArray();
    assertThat(HexFormat.of().formatHex(whole))
        .isEqualTo(
            "03"
                + "0000000000000001"
                + "0000000000000001"
                + "000000000000004d"
                + "0000"
                + "0a000001"
                + "01"
                + "fe80000000000000"
                + "00000000000000ff");
    for (int length = 0; length < whole.length; length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> codec.decodeValue(cut)).isInstanceOf(RuntimeException.class);
    }
    whole[0] = 4;
    assertThatThrownBy(() -> codec.decodeValue(Bytes.wrap(whole))).hasMessageContaining("newer");
  }

  /** What a router forwards is shown as its address; it need not answer to it. */
  @Test
  void addressOfAnIpHeaderIsShownUntilTheHostClaimsOne() {
    send(first, firstNode, 1, forwarded(IP + 1));
    assertThat(host().ips()).isEmpty();
    assertThat(host().shownIp()).isEqualTo(IP + 1);
    assertThat(host().hasAddress()).isFalse();
    time.pass(600);
    send(first, firstNode, 1, forwarded(IP + 2));
    assertThat(host().shownIp()).as("the first one stays").isEqualTo(IP + 1);
    time.pass(600);
    send(first, firstNode, 1, request());
    assertThat(host().ips()).containsExactly(IP);
    assertThat(host().shownIp()).isZero();
  }

  @Test
  void recordsComeBack() {
    HostTable codec = new HostTable();
    HostKey key = new HostKey(0xffff_ffff_fffeL, 4_095);
    HostRecord record =
        new HostRecord(
            new SwitchPort(-1L, 0xffff_ff00L),
            List.of(-1, IP),
            List.of(IP6, new Ip6(-1, -1)),
            0,
            null,
            77);
    assertThat(codec.decodeKey(codec.encodeKey(key))).isEqualTo(key);
    assertThat(codec.decodeValue(codec.encodeValue(record))).isEqualTo(record);
  }
}
