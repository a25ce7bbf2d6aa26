package io.lockstep.core.host;

import io.lockstep.core.app.NetworkView;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.mastership.DomainWriter;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.mastership.Mastery;
import io.lockstep.core.packet.FrameView;
import io.lockstep.core.packet.PacketObserver;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.InputCounters.Input;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.PortNumber;

/**
 * Tracks hosts by what they send on edge ports, and writes only what changed. A known host that
 * appears elsewhere is believed at once where its old port is no usable edge any longer. Otherwise
 * the move is claimed in the store; the master of the old place asks the host there, and takes the
 * claim back if it answers. A claim that stands for {@link #VERIFY_MILLIS} becomes the move. So an
 * attacker cannot take over the address of a host that is awake.
 *
 * <p>{@link #observe} runs on the switches' event loops; everything else on the control loop. The
 * way from one to the other is bounded for each switch: at most {@link RecentSightings#MAX_WAITING}
 * sightings, each host once in {@link #REPEAT_MILLIS}, and {@link #MAX_HOSTS_PER_PORT} hosts behind
 * one port.
 */
public final class HostTracker implements PacketObserver, Mastery.Listener {
  /** The tables, for every client to declare. */
  public static final List<String> TABLES = List.of(HostTable.HOSTS, HostTable.MOVES);

  /** How long a claimed move waits for the old place to object. */
  static final long VERIFY_MILLIS = 500;

  /** A host that changes is handed over this often at most. */
  static final long REPEAT_MILLIS = 500;

  /** Claimed moves that wait for their objections; more are dropped, hosts send again. */
  static final int MAX_CLAIMS = 4_096;

  /** Hosts behind one port at most; further addresses are not tracked. */
  static final int MAX_HOSTS_PER_PORT = 1_024;

  private static final HostTable CODEC = new HostTable();

  /** What the tracker needs of the node. */
  public interface Surroundings {
    /** A host in the store as known now; any thread. */
    @Nullable HostRecord host(HostKey key);

    /** A claimed move as known now; any thread. */
    @Nullable HostRecord move(HostKey key);

    /** How many hosts are known at a port now; any thread. */
    int hostsAt(SwitchPort port);
  }

  private final Surroundings surroundings;
  private final Mastery mastery;
  private final DomainWriter writer;
  private final Supplier<? extends NetworkView> network;
  private final Predicate<SwitchPort> usableEdge;
  private final Executor loop;
  private final Alarm alarm;
  private final LongSupplier nanoTime;
  private final LongSupplier timeMillis;
  private final InputCounters inputs;

  /** By connection; entries come and go on the event loops, with the mastership. */
  private final Map<SwitchConnection, RecentSightings> recent = new ConcurrentHashMap<>();

  private final Map<HostKey, HostSighting> claimed = new HashMap<>();
  private final Set<HostKey> probed = ConcurrentHashMap.newKeySet();

  /** The clocks: monotone nanoseconds, and milliseconds since 1970. */
  public record Clocks(LongSupplier nanoTime, LongSupplier timeMillis) {}

  /** How the tracker reaches the network. */
  public record Reach(
      Mastery mastery,
      DomainWriter writer,
      Supplier<? extends NetworkView> network,
      Predicate<SwitchPort> usableEdge) {}

  /**
   * A tracker.
   *
   * @param loop the control loop
   * @param alarm on the control loop
   * @param inputs counts what a switch reported too much of
   */
  public HostTracker(
      Surroundings surroundings,
      Reach reach,
      Executor loop,
      Alarm alarm,
      Clocks clocks,
      InputCounters inputs) {
    this.surroundings = surroundings;
    this.mastery = reach.mastery();
    this.writer = reach.writer();
    this.network = reach.network();
    this.usableEdge = reach.usableEdge();
    this.loop = loop;
    this.alarm = alarm;
    this.nanoTime = clocks.nanoTime();
    this.timeMillis = clocks.timeMillis();
    this.inputs = inputs;
  }

  @Override
  public void gained(SwitchConnection connection, long epoch) {
    recent.put(connection, new RecentSightings(millis(REPEAT_MILLIS), nanoTime.getAsLong()));
  }

  @Override
  public void lost(SwitchConnection connection, String reason) {
    recent.remove(connection);
  }

  // ---- on the switches' event loops ----

  /** True for answers to the node's own probes: they are for no one else. */
  @Override
  public boolean observe(FrameView packet) {
    boolean ours = destination(packet) == ArpProbe.SENDER;
    long mac = packet.sourceNumber();
    boolean group = (mac >>> 40 & 1) != 0;
    if (group || mac == 0 || mac == ArpProbe.SENDER) {
      return ours;
    }
    if (!network.get().isEdge(packet.deviceId(), packet.inPort())) {
      return ours;
    }
    HostKey key = new HostKey(mac, packet.vlanId());
    SwitchPort place = new SwitchPort(packet.dpid(), packet.inPort().toLong());
    int ip = HostSighting.senderIp(packet);
    HostRecord known = surroundings.host(key);
    boolean home = known != null && known.location().equals(place);
    if (known == null && surroundings.hostsAt(place) >= MAX_HOSTS_PER_PORT) {
      return ours;
    }
    boolean objection = home && probed.contains(key);
    if (!home || objection || (known != null && ip != 0 && !known.ips().contains(ip))) {
      report(packet.connection(), new HostSighting(key, place, ip), objection);
    }
    return ours;
  }

  private static long destination(FrameView packet) {
    byte[] frame = packet.frame();
    long mac = 0;
    for (int i = 0; i < 6; i++) {
      mac = mac << 8 | (frame[i] & 0xff);
    }
    return mac;
  }

  private void report(SwitchConnection connection, HostSighting sighting, boolean objection) {
    RecentSightings here = recent.get(connection);
    if (here == null) {
      return;
    }
    switch (here.add(sighting.host(), objection, nanoTime.getAsLong())) {
      case HAND_OVER ->
          loop.execute(
              () -> {
                here.arrived();
                sighted(sighting);
              });
      case REPEATED -> {}
      case DROPPED -> inputs.count(Input.HOST_DROPPED);
    }
  }

  // ---- on the control loop ----

  private void sighted(HostSighting sighting) {
    HostKey key = sighting.host();
    HostRecord known = surroundings.host(key);
    if (known == null) {
      if (surroundings.hostsAt(sighting.place()) < MAX_HOSTS_PER_PORT) {
        put(sighting.place(), key, new HostRecord(sighting.place(), List.of(), 0), sighting.ip());
      }
    } else if (known.location().equals(sighting.place())) {
      stayed(sighting, known);
    } else if (!usableEdge.test(known.location()) || known.ips().isEmpty()) {
      move(sighting, known);
    } else if (claimed.size() >= MAX_CLAIMS) {
      inputs.count(Input.HOST_DROPPED);
    } else if (claimed.putIfAbsent(key, sighting) == null) {
      claim(sighting, known);
    }
  }

  /** The host spoke where it is known to be: a claimed move is wrong. */
  private void stayed(HostSighting sighting, HostRecord known) {
    HostKey key = sighting.host();
    if (probed.remove(key) || surroundings.move(key) != null) {
      writer.write(
          sighting.place().deviceId(),
          List.of(new Write.Remove(HostTable.MOVES, CODEC.encodeKey(key))));
    }
    if (sighting.ip() != 0 && !known.ips().contains(sighting.ip())) {
      put(known.location(), key, known, sighting.ip());
    }
  }

  private void put(SwitchPort place, HostKey key, HostRecord before, int ip) {
    HostRecord record = before.withIp(ip);
    if (record.sinceMillis() == 0) {
      record = record.movedTo(place, timeMillis.getAsLong());
    }
    writer.write(
        place.deviceId(),
        List.of(new Write.Put(HostTable.HOSTS, CODEC.encodeKey(key), CODEC.encodeValue(record))));
  }

  private void move(HostSighting sighting, HostRecord known) {
    HostRecord moved =
        known.movedTo(sighting.place(), timeMillis.getAsLong()).withIp(sighting.ip());
    writer.write(
        sighting.place().deviceId(),
        List.of(
            new Write.Put(
                HostTable.HOSTS, CODEC.encodeKey(sighting.host()), CODEC.encodeValue(moved)),
            new Write.Remove(HostTable.MOVES, CODEC.encodeKey(sighting.host()))));
  }

  private void claim(HostSighting sighting, HostRecord known) {
    HostRecord claim = known.movedTo(sighting.place(), timeMillis.getAsLong());
    writer
        .write(
            sighting.place().deviceId(),
            List.of(
                new Write.Put(
                    HostTable.MOVES, CODEC.encodeKey(sighting.host()), CODEC.encodeValue(claim))))
        .thenAccept(reply -> alarm.after(VERIFY_MILLIS, () -> decide(sighting)));
  }

  /** The old place had its time to object. */
  private void decide(HostSighting sighting) {
    claimed.remove(sighting.host());
    HostRecord claim = surroundings.move(sighting.host());
    HostRecord known = surroundings.host(sighting.host());
    if (claim != null && known != null && claim.location().equals(sighting.place())) {
      move(sighting, known);
    }
  }

  /** A move was claimed or withdrawn in the store: the master of the old place asks there. */
  public void moveChanged(HostKey key, @Nullable HostRecord claim) {
    HostRecord known = surroundings.host(key);
    if (claim == null || known == null) {
      probed.remove(key);
      return;
    }
    SwitchConnection connection = mastery.mastered(known.location().deviceId());
    if (connection == null || known.location().equals(claim.location())) {
      return;
    }
    probed.add(key);
    for (int ip : known.ips()) {
      connection.packetOut(
          new PacketOut(
              PacketIn.NO_BUFFER,
              PortNumber.CONTROLLER,
              List.of(known.location().portNumber()),
              ArpProbe.frame(key.mac(), key.vlan(), ip)));
    }
    alarm.after(2 * VERIFY_MILLIS, () -> probed.remove(key));
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
