package io.lockstep.core.packet;

import io.lockstep.core.link.LldpCodec;
import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketKind;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.Alarm;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/**
 * Keeps packets of switches that are handed over until it is known who answers them. A mark ({@link
 * HandOverMark}) in the stream of packets divides them: the old master answers what comes before
 * it, the next one what comes behind it. Both keep the latter; the one that has the mastership in
 * the end hands them to the dispatcher, in their order and before newer ones, and the other drops
 * them. Where a switch reports no mark in time, the old master begins to keep without it, and the
 * next one also answers what the old one may have answered: a packet twice rather than not at all.
 *
 * <p>Thread-safe in that each method is called on the event loop of its connection.
 */
public final class PacketKeep implements MasteredSwitches.Listener {
  /** Of one port at one switch, so that a loud host leaves room for others. */
  static final int PACKETS_PER_PORT = 128;

  static final int PACKETS_PER_SWITCH = 1024;

  /** Of all switches together. */
  static final long BYTES = 4 << 20;

  /** What is older is not worth an answer any more. */
  static final long KEEP_MILLIS = 3_000;

  /** How long a mark may take. */
  static final long MARK_MILLIS = 100;

  /** How long the store may take for what was asked before the mark. */
  static final long IDLE_MILLIS = 300;

  private static final long LOOK_MILLIS = 2;
  private static final int OVERHEAD_BYTES = 128;
  private static final int ETHER_TYPE_AT = 12;

  private final PacketDispatcher dispatcher;
  private final PacketCounters counters;
  private final Alarm alarm;
  private final LongSupplier nanoTime;
  private final Map<DeviceId, Kept> kept = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();

  private record KeptPacket(PacketIn packet, long sinceNanos) {}

  /** Of one switch in one hand-over. Event loop only. */
  private static final class Kept {
    final SwitchConnection connection;
    final long epoch;
    final ArrayDeque<KeptPacket> packets = new ArrayDeque<>();
    final Map<Long, Integer> ofPort = new HashMap<>();

    /** Not null at the old master. */
    final @Nullable CompletableFuture<Void> finished;

    /** The next master keeps from the beginning, the old one from the mark on. */
    boolean keeps;

    boolean marked;

    Kept(SwitchConnection connection, long epoch, @Nullable CompletableFuture<Void> finished) {
      this.connection = connection;
      this.epoch = epoch;
      this.finished = finished;
      this.keeps = finished == null;
    }
  }

  /**
   * A keep; the caller adds it as the last listener of mastery, so that all others are ready for
   * what it hands to the dispatcher.
   *
   * @param alarm may call on any thread
   */
  public PacketKeep(PacketDispatcher dispatcher, Alarm alarm, LongSupplier nanoTime) {
    this.dispatcher = dispatcher;
    this.counters = dispatcher.counters();
    this.alarm = alarm;
    this.nanoTime = nanoTime;
  }

  /**
   * Whether a packet-in must not come in, as {@link PacketDispatcher#refuses} has it. Packets that
   * are kept come in, within the bounds of the keep, and so does the mark.
   */
  public boolean refuses(SwitchConnection connection, long port, PacketKind kind) {
    Kept here = kept.isEmpty() ? null : kept.get(connection.deviceId());
    if (here != null
        && here.connection == connection
        && (here.keeps || PortNumber.portNumber(port).isLogical())) {
      return false;
    }
    return dispatcher.refuses(connection, port, kind);
  }

  /** A packet-in of any connected switch: keeps it, or hands it to the dispatcher. */
  public void packetIn(SwitchConnection connection, PacketIn packet) {
    Kept here = kept.isEmpty() ? null : kept.get(connection.deviceId());
    if (here == null || here.connection != connection) {
      dispatcher.packetIn(connection, packet);
    } else if (HandOverMark.is(packet, connection.dpid(), here.epoch)) {
      mark(here);
    } else if (here.keeps && !isDiscovery(packet)) {
      keep(here, packet);
    } else {
      dispatcher.packetIn(connection, packet);
    }
  }

  /** Probes are sent again, and tell of the time at which they were. */
  private static boolean isDiscovery(PacketIn packet) {
    byte[] frame = packet.data();
    return frame.length > ETHER_TYPE_AT + 1
        && ((frame[ETHER_TYPE_AT] & 0xff) << 8 | (frame[ETHER_TYPE_AT + 1] & 0xff))
            == LldpCodec.ETHER_TYPE;
  }

  private void keep(Kept here, PacketIn packet) {
    int size = OVERHEAD_BYTES + packet.data().length;
    int before = here.ofPort.getOrDefault(packet.inPort().toLong(), 0);
    boolean full = before >= PACKETS_PER_PORT || here.packets.size() >= PACKETS_PER_SWITCH;
    if (full || bytes.addAndGet(size) > BYTES) {
      bytes.addAndGet(full ? 0 : -size);
      keptInVain();
      return;
    }
    here.ofPort.put(packet.inPort().toLong(), before + 1);
    here.packets.add(new KeptPacket(packet, nanoTime.getAsLong()));
  }

  private void keptInVain() {
    counters.count(PacketResult.RECEIVED);
    counters.count(PacketResult.KEPT_IN_VAIN);
  }

  /** Empties a keep. */
  private void forget(Kept here) {
    long size = 0;
    for (KeptPacket one : here.packets) {
      size += OVERHEAD_BYTES + one.packet().data().length;
    }
    bytes.addAndGet(-size);
    here.packets.clear();
    here.ofPort.clear();
  }

  private void drop(Kept here) {
    if (kept.remove(here.connection.deviceId(), here)) {
      forget(here);
    }
    CompletableFuture<Void> finished = here.finished;
    if (finished != null) {
      finished.complete(null);
    }
  }

  private void mark(Kept here) {
    if (here.marked) {
      return;
    }
    here.marked = true;
    here.keeps = true;
    // The old master answered these.
    forget(here);
    CompletableFuture<Void> finished = here.finished;
    if (finished != null) {
      awaitIdle(here, finished, nanoTime.getAsLong());
    }
  }

  private void awaitIdle(Kept here, CompletableFuture<Void> finished, long sinceNanos) {
    if (dispatcher.isIdle(here.connection)
        || nanoTime.getAsLong() - sinceNanos >= TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS)) {
      finished.complete(null);
    } else {
      alarm.after(
          LOOK_MILLIS, () -> here.connection.execute(() -> awaitIdle(here, finished, sinceNanos)));
    }
  }

  @Override
  public void expected(SwitchConnection connection, long epoch) {
    begin(new Kept(connection, epoch, null));
  }

  @Override
  public void expectedNoLonger(SwitchConnection connection) {
    Kept here = kept.get(connection.deviceId());
    if (here != null && here.connection == connection && here.finished == null) {
      drop(here);
    }
  }

  @Override
  public CompletableFuture<?> finish(SwitchConnection connection, long epoch) {
    CompletableFuture<Void> finished = new CompletableFuture<>();
    Kept here = new Kept(connection, epoch, finished);
    begin(here);
    if (connection.packetOut(HandOverMark.of(connection.dpid(), epoch))) {
      alarm.after(MARK_MILLIS, () -> connection.execute(() -> mark(here)));
    } else {
      mark(here);
    }
    alarm.after(KEEP_MILLIS, () -> connection.execute(() -> drop(here)));
    return finished;
  }

  private void begin(Kept here) {
    Kept before = kept.put(here.connection.deviceId(), here);
    if (before != null) {
      before.connection.execute(() -> forget(before));
    }
  }

  /** This node answers: in the order in which the packets came, before the next one comes. */
  @Override
  public void gained(SwitchConnection connection, long epoch) {
    Kept here = kept.get(connection.deviceId());
    if (here == null || here.connection != connection) {
      return;
    }
    long now = nanoTime.getAsLong();
    ArrayDeque<KeptPacket> packets = new ArrayDeque<>(here.packets);
    drop(here);
    for (KeptPacket one : packets) {
      if (now - one.sinceNanos() > TimeUnit.MILLISECONDS.toNanos(KEEP_MILLIS)) {
        keptInVain();
      } else {
        counters.count(PacketResult.KEPT);
        dispatcher.packetIn(connection, one.packet());
      }
    }
  }

  @Override
  public void lost(SwitchConnection connection, String reason) {
    // The old master keeps on: it may get the switch back. What it keeps ends by its time.
  }
}
