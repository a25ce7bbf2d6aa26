package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.mastership.Fence;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.mastership.SwitchScope;
import io.lockstep.core.packet.FrameView;
import io.lockstep.core.packet.Frames;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.state.TableView.Held;
import io.lockstep.core.testing.FakeMasteredSwitches;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.core.testing.ManualTime;
import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.store.Reply;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;

/** Two switches, each with a master of its own, edges at ports 1 and 2; port 3 is no edge. */
class HostTrackerFixture {
  static final long HOST = 0x0200_0000_0001L;
  static final int IP = 0x0a00_0001;
  static final Ip6 IP6 = new Ip6(0xfe80_0000_0000_0000L, 0xffL);
  static final HostKey KEY = new HostKey(HOST, -1);
  static final SwitchPort OLD = new SwitchPort(1, 1);
  static final SwitchPort NEW = new SwitchPort(2, 1);

  final ManualTime time = new ManualTime();
  final HostMaps stored = new HostMaps(time::millis, this::tell);
  final Map<HostKey, HostRecord> hosts = stored.hosts;
  final Map<HostKey, HostRecord> moves = stored.moves;

  /** Those that only the table of an earlier release has. */
  final Map<HostKey, HostRecord> oldHosts = stored.oldHosts;

  /** What the nodes changed. */
  final List<HostChange> changes = new ArrayList<>();

  final Set<SwitchPort> gone = new HashSet<>();
  final Set<SwitchPort> edges = new LinkedHashSet<>(List.of(OLD, new SwitchPort(1, 2), NEW));
  final NetworkPicture network =
      new NetworkPicture(1, List.of(OLD, new SwitchPort(1, 2), NEW), List.of());
  final FakeSwitch first = new FakeSwitch(1, 3);
  final FakeSwitch second = new FakeSwitch(2, 3);
  final List<HostTracker> nodes = new ArrayList<>();
  final Map<Long, FakeMasteredSwitches> masteries = new HashMap<>();
  final HostTracker firstNode = node(first);
  final HostTracker secondNode = node(second);
  final List<FrameView> again = new ArrayList<>();
  final List<SwitchPort> shown = new ArrayList<>();

  /** The epoch of each switch's master that is connected to it. */
  final Map<Long, Long> masters = new HashMap<>(Map.of(1L, 1L, 2L, 2L));

  /** Switches that are in no domain; the second node removes what is left of them. */
  final Set<Long> withoutDomain = new HashSet<>();

  int writes;

  /** Writes for a switch that are refused from now on. */
  final Map<Long, Integer> refusals = new HashMap<>();

  /**
   * What the nodes still see of a claim that has changed in the store; null for the present one.
   */
  @Nullable Held<HostRecord> oldClaim;

  /** Operations of the store so far, and those that wrote the claims in it. */
  private long index;

  private final Map<HostKey, Long> claimVersions = stored.claimVersions;
  boolean hostAnswersAtOldPlace;

  /** After a probe until the host's answer. */
  long answerMillis;

  /** After a write until the nodes hear of it. */
  long tellMillis;

  boolean storeIsSlow;

  /** Whether nodes do not know yet how many hosts are at a port. */
  boolean viewIsEmpty;

  private HostTracker.@Nullable Asker asker(long dpid) {
    Long epoch = masters.get(dpid);
    return epoch == null ? null : new HostTracker.Asker(new Fence("d" + dpid, epoch), 1);
  }

  private CompletableFuture<HostOutcome> changeLeftovers(DeviceId device, HostChange change) {
    return withoutDomain.contains(SwitchScope.dpid(device))
        ? change(device, change)
        : CompletableFuture.completedFuture(HostOutcome.FENCED);
  }

  HostTracker node(FakeSwitch mastered) {
    FakeMasteredSwitches mastery = new FakeMasteredSwitches();
    masteries.put(mastered.dpid(), mastery);
    mastery.grant(mastered, 1);
    HostTracker tracker =
        new HostTracker(
            new Views(),
            new HostTracker.Reach(
                mastery,
                this::change,
                this::write,
                () -> network,
                () -> edges,
                port -> !gone.contains(port),
                port -> asker(port.dpid()),
                port -> port.dpid() == mastered.dpid() && !withoutDomain.contains(port.dpid()),
                new HostTracker.Leftovers(
                    port -> mastered == second && withoutDomain.contains(port.dpid()),
                    this::changeLeftovers),
                new Path(),
                null),
            time,
            time,
            new HostTracker.Clocks(time::nanos, time::millis),
            HostTracker.USUAL_SILENCE_MILLIS);
    tracker.gained(mastered, 1);
    nodes.add(tracker);
    mastered.onPacketOut = out -> probed(mastered, tracker, out);
    return tracker;
  }

  private final class Views implements HostSurroundings {
    @Override
    public @Nullable HostRecord host(HostKey key) {
      return hosts.get(key);
    }

    @Override
    public @Nullable Held<HostRecord> claim(HostKey key) {
      if (oldClaim != null) {
        return oldClaim;
      }
      HostRecord claim = moves.get(key);
      return claim == null ? null : new Held<>(claim, claimVersions.getOrDefault(key, 0L));
    }

    @Override
    public void forEachClaim(BiConsumer<HostKey, HostRecord> each) {
      Map.copyOf(moves).forEach(each);
    }

    @Override
    public Set<HostKey> hostsWith(IpAddress ip) {
      Set<HostKey> keys = new HashSet<>();
      hosts.forEach(
          (key, host) -> {
            if (Ip4Address.valueOf(host.shownIp()).equals(ip)
                || host.ips().stream().anyMatch(v4 -> Ip4Address.valueOf(v4).equals(ip))
                || host.ip6s().stream().anyMatch(v6 -> Ip6Address.valueOf(v6.bytes()).equals(ip))) {
              keys.add(key);
            }
          });
      return keys;
    }

    @Override
    public void forEachHost(BiConsumer<HostKey, HostRecord> each) {
      Map.copyOf(hosts).forEach(each);
    }

    @Override
    public void forEachOldHost(BiConsumer<HostKey, HostRecord> each) {
      Map.copyOf(oldHosts).forEach(each);
    }

    @Override
    public Set<HostKey> hostsOf(SwitchPort port) {
      Set<HostKey> keys = new HashSet<>();
      hosts.forEach(
          (key, host) -> {
            if (host.location().equals(port)) {
              keys.add(key);
            }
          });
      return keys;
    }

    @Override
    public int hostsAt(SwitchPort port) {
      return viewIsEmpty
          ? 0
          : (int) hosts.values().stream().filter(h -> h.location().equals(port)).count();
    }
  }

  /** What the nodes ask of the way of packets. */
  private final class Path implements HostTracker.PacketPath {
    @Override
    public void decideAgain(FrameView packet) {
      again.add(packet);
    }

    @Override
    public void showSource(SwitchPort place, MacAddress source) {
      shown.add(place);
    }
  }

  CompletableFuture<HostOutcome> change(DeviceId device, HostChange change) {
    writes++;
    changes.add(change);
    if (storeIsSlow) {
      return new CompletableFuture<>();
    }
    if (refusals.merge(SwitchScope.dpid(device), -1, Integer::sum) >= 0) {
      return CompletableFuture.completedFuture(HostOutcome.REJECTED);
    }
    index++;
    return CompletableFuture.completedFuture(change.accept(stored));
  }

  /** Writes claims of moves. */
  CompletableFuture<Reply> write(DeviceId device, List<Write> batch) {
    writes++;
    if (storeIsSlow) {
      return new CompletableFuture<>();
    }
    if (refusals.merge(SwitchScope.dpid(device), -1, Integer::sum) >= 0) {
      return refused();
    }
    index++;
    HostTable codec = new HostTable();
    for (Write write : batch) {
      if (write instanceof Write.Require require
          && claimVersions.getOrDefault(codec.decodeKey(require.key()), 0L) != require.version()) {
        return refused();
      }
    }
    for (Write write : batch) {
      if (write instanceof Write.Put put) {
        HostKey key = codec.decodeKey(put.key());
        moves.put(key, codec.decodeValue(put.value()));
        claimVersions.put(key, index);
        tell(put.table(), key);
      } else if (write instanceof Write.Remove remove) {
        HostKey key = codec.decodeKey(remove.key());
        moves.remove(key);
        claimVersions.remove(key);
        tell(remove.table(), key);
      }
    }
    return CompletableFuture.completedFuture(new Reply.Applied(index));
  }

  private static CompletableFuture<Reply> refused() {
    return CompletableFuture.completedFuture(
        new Reply.Rejected(Reply.Reason.NOT_SENT, "refused by the test"));
  }

  void tell(String table, HostKey key) {
    boolean move = table.equals(HostTable.MOVES);
    for (HostTracker node : nodes) {
      Runnable told =
          move
              ? () -> node.moveChanged(key, moves.get(key))
              : () -> node.hostChanged(key, hosts.get(key));
      if (tellMillis == 0) {
        time.execute(told);
      } else {
        time.after(tellMillis, told);
      }
    }
  }

  void probed(FakeSwitch at, HostTracker node, PacketOut probe) {
    if (hostAnswersAtOldPlace && FrameView.parse(at, Frames.whole(1, probe.data())) != null) {
      boolean arp = probe.data()[12] == 8;
      byte[] answer = arp ? Frames.arp(2, HOST, IP, HostProbe.SENDER, 0) : advertisement(IP6);
      if (answerMillis == 0) {
        send(at, node, 1, answer);
      } else {
        time.after(answerMillis, () -> send(at, node, 1, answer));
      }
    }
  }

  FrameView view(FakeSwitch at, long port, byte[] frame) {
    return Objects.requireNonNull(FrameView.parse(at, Frames.whole(port, frame)));
  }

  /** Whether applications see the packet marked. */
  boolean isDisputed(FakeSwitch at, HostTracker node, long port, byte[] frame) {
    FrameView view = view(at, port, frame);
    node.observe(view);
    return view.isSourceDisputed();
  }

  /** A neighbour advertisement to the node (RFC 4861 section 4.4). */
  static byte[] advertisement(Ip6 address) {
    ByteBuffer frame =
        ByteBuffer.allocate(78).put(Frames.ethernet(HostProbe.SENDER, HOST, 0x86dd), 0, 14);
    frame.putInt(0x6000_0000).putShort((short) 24).put((byte) 58).put((byte) 255);
    frame.put(address.bytes()).put(HostProbe.SENDER_IP6.bytes());
    frame.putInt(0x8800_0000).putInt(0x6000_0000).put(address.bytes());
    return frame.array();
  }

  static byte[] plain(long source) {
    return Frames.ethernet(2, source, 0x88b5);
  }

  /** An IPv4 packet that the host sends, perhaps for another one. */
  static byte[] forwarded(int sourceIp) {
    byte[] frame = Frames.ethernet(2, HOST, 0x0800);
    ByteBuffer.wrap(frame).put(14, (byte) 0x45).putInt(26, sourceIp);
    return frame;
  }

  static byte[] tagged(byte[] frame, int vlan) {
    return ByteBuffer.allocate(frame.length + 4)
        .put(frame, 0, 12)
        .putShort((short) 0x8100)
        .putShort((short) vlan)
        .put(frame, 12, frame.length - 12)
        .array();
  }

  boolean send(FakeSwitch at, HostTracker node, long port, byte[] frame) {
    return node.observe(view(at, port, frame));
  }

  static byte[] request() {
    return Frames.arp(1, HOST, IP, 0, 0x0a00_0002);
  }

  /** The index of the store's last operation. */
  long index() {
    return index;
  }

  HostRecord host() {
    return Objects.requireNonNull(hosts.get(KEY));
  }
}
