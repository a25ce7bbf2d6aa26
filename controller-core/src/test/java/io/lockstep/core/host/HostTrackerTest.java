package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.packet.FrameView;
import io.lockstep.core.packet.Frames;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.testing.FakeMastery;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.core.testing.ManualTime;
import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;

/** Two switches, each with a master of its own, edges at ports 1 and 2; port 3 is no edge. */
class HostTrackerTest {
  private static final long HOST = 0x0200_0000_0001L;
  private static final int IP = 0x0a00_0001;
  private static final HostKey KEY = new HostKey(HOST, -1);
  private static final SwitchPort OLD = new SwitchPort(1, 1);
  private static final SwitchPort NEW = new SwitchPort(2, 1);

  private final ManualTime time = new ManualTime();
  private final Map<HostKey, HostRecord> hosts = new ConcurrentHashMap<>();
  private final Map<HostKey, HostRecord> moves = new ConcurrentHashMap<>();
  private final Set<SwitchPort> gone = new HashSet<>();
  private final NetworkPicture network =
      new NetworkPicture(1, List.of(OLD, new SwitchPort(1, 2), NEW), List.of());
  private final FakeSwitch first = new FakeSwitch(1, 3);
  private final FakeSwitch second = new FakeSwitch(2, 3);
  private final List<HostTracker> nodes = new ArrayList<>();
  private final HostTracker firstNode = node(first);
  private final HostTracker secondNode = node(second);
  private int writes;
  private boolean hostAnswersAtOldPlace;

  private HostTracker node(FakeSwitch mastered) {
    FakeMastery mastery = new FakeMastery();
    mastery.grant(mastered, 1);
    HostTracker tracker =
        new HostTracker(
            new Views(),
            new HostTracker.Reach(
                mastery, this::write, () -> network, port -> !gone.contains(port)),
            time,
            time,
            new HostTracker.Clocks(time::nanos, time::millis),
            new InputCounters());
    tracker.gained(mastered, 1);
    nodes.add(tracker);
    mastered.onPacketOut = out -> probed(mastered, tracker, out);
    return tracker;
  }

  private final class Views implements HostTracker.Surroundings {
    @Override
    public @Nullable HostRecord host(HostKey key) {
      return hosts.get(key);
    }

    @Override
    public @Nullable HostRecord move(HostKey key) {
      return moves.get(key);
    }

    @Override
    public int hostsAt(SwitchPort port) {
      return (int) hosts.values().stream().filter(h -> h.location().equals(port)).count();
    }
  }

  private CompletableFuture<Reply> write(DeviceId device, List<Write> batch) {
    writes++;
    for (Write write : batch) {
      HostTable codec = new HostTable();
      if (write instanceof Write.Put put) {
        Map<HostKey, HostRecord> table = put.table().equals(HostTable.HOSTS) ? hosts : moves;
        table.put(codec.decodeKey(put.key()), codec.decodeValue(put.value()));
        tellMove(put.table(), codec.decodeKey(put.key()));
      } else if (write instanceof Write.Remove remove) {
        (remove.table().equals(HostTable.HOSTS) ? hosts : moves)
            .remove(codec.decodeKey(remove.key()));
        tellMove(remove.table(), codec.decodeKey(remove.key()));
      }
    }
    return CompletableFuture.completedFuture(new Reply.Applied(1));
  }

  private void tellMove(String table, HostKey key) {
    if (table.equals(HostTable.MOVES)) {
      nodes.forEach(node -> time.execute(() -> node.moveChanged(key, moves.get(key))));
    }
  }

  private void probed(FakeSwitch at, HostTracker node, PacketOut probe) {
    assertThat(Frames.whole(1, probe.data()).data()[12]).isEqualTo((byte) 8);
    if (hostAnswersAtOldPlace) {
      send(at, node, 1, Frames.arp(2, HOST, IP, ArpProbe.SENDER, 0));
    }
  }

  private boolean send(FakeSwitch at, HostTracker node, long port, byte[] frame) {
    FrameView view = FrameView.parse(at, Frames.whole(port, frame));
    return node.observe(Objects.requireNonNull(view));
  }

  private static byte[] request() {
    return Frames.arp(1, HOST, IP, 0, 0x0a00_0002);
  }

  private HostRecord host() {
    return Objects.requireNonNull(hosts.get(KEY));
  }

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
  void moveIsBelievedAtOnceWhereTheOldPortIsGone() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    gone.add(OLD);
    send(second, secondNode, 1, request());
    assertThat(host().location()).isEqualTo(NEW);
    assertThat(host().ips()).containsExactly(IP);
  }

  @Test
  void moveIsBelievedWhereTheOldPlaceIsSilent() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    send(second, secondNode, 1, request());
    assertThat(host().location()).isEqualTo(OLD);
    assertThat(first.packetOuts).as("its old master asks there").hasSize(1);
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(host().location()).isEqualTo(NEW);
    assertThat(moves).isEmpty();
  }

  @Test
  void hostThatAnswersAtItsOldPlaceIsNotHijacked() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    hostAnswersAtOldPlace = true;
    for (int i = 0; i < 50; i++) {
      send(second, secondNode, 1, request());
      time.pass(100);
    }
    assertThat(host().location()).isEqualTo(OLD);
    assertThat(moves).isEmpty();
  }

  @Test
  void answerToAProbeGoesToNobodyElse() {
    assertThat(send(first, firstNode, 1, Frames.arp(2, HOST, IP, ArpProbe.SENDER, 0))).isTrue();
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
  void recordsComeBack() {
    HostTable codec = new HostTable();
    HostKey key = new HostKey(0xffff_ffff_fffeL, 4_095);
    HostRecord record = new HostRecord(new SwitchPort(-1L, 0xffff_ff00L), List.of(-1, IP), 77);
    assertThat(codec.decodeKey(codec.encodeKey(key))).isEqualTo(key);
    assertThat(codec.decodeValue(codec.encodeValue(record))).isEqualTo(record);
  }
}
