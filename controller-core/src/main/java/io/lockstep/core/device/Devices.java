package io.lockstep.core.device;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.cluster.Connections;
import io.lockstep.core.mastership.DomainWriter;
import io.lockstep.core.mastership.FencedWrite;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.mastership.Ownership;
import io.lockstep.core.mastership.SwitchScope;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.FairShare;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.core.state.TableView;
import io.lockstep.store.Reply;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps the store's records of the switches that this node masters as the switches are: one fenced
 * write at a time for each switch, with what differs, so a port that flaps costs no more than the
 * store can take; a switch that reports many ports again and again has a fifth of the time at most.
 * A switch that no node reaches for a while is marked offline, by its owner only.
 *
 * <p>Owned by the control loop; the listener's methods and {@link #portsChanged} hand over.
 */
public final class Devices implements MasteredSwitches.Listener {
  private static final BoundedLog log = BoundedLog.of(Devices.class);

  /** How long no node reaches a switch before its owner marks it offline. */
  static final long OFFLINE_MILLIS = 500;

  private static final long TICK_MILLIS = 200;
  private static final long RETRY_MILLIS = 200;

  /** A write of more ports than that is large: a switch reports many ports, perhaps without end. */
  static final int LARGE_WRITES = 64;

  private static final int MAX_TEXT_CHARS = 256;
  private static final DeviceTable DEVICE_TABLE = new DeviceTable();

  private final String node;
  private final DomainWriter writer;
  private final NodeState state;
  private final ControlLoop loop;
  private final Ownership ownership;
  private final MasteredSwitches mastery;
  private final Connections connections;
  private final LongSupplier nanoClock;
  private final LongSupplier wallMillis;
  private final TableView<Long, DeviceRecord> devices;
  private final TableView<PortTable.Key, PortRecord> ports;

  /** The connections that this node masters; changed on their event loops. */
  private final Set<SwitchConnection> followed = ConcurrentHashMap.newKeySet();

  /** Switches for which a task waits: one each, however often their ports change. */
  private final Set<Long> touched = ConcurrentHashMap.newKeySet();

  private final Set<Long> dirty = new HashSet<>();
  private final StoredPorts stored = new StoredPorts();

  /** How far the ports of each switch mastered here are compared. */
  private final Map<Long, PortWalk> walks = new HashMap<>();

  /** Switches with a write on its way, or that pause after a large one. */
  private final Set<Long> inFlight = new HashSet<>();

  private final Map<Long, Long> unreachedSinceNanos = new HashMap<>();

  /** The clocks of the room: a monotone one, and one in milliseconds since 1970. */
  public record Clocks(LongSupplier nanoClock, LongSupplier wallMillis) {}

  /** Declares the tables; the caller adds this as a listener of mastery. */
  public Devices(
      String node,
      DomainWriter writer,
      NodeState state,
      MasteredSwitches mastery,
      Ownership ownership,
      Connections connections,
      Clocks clocks) {
    this.node = node;
    this.writer = writer;
    this.state = state;
    this.loop = state.loop();
    this.mastery = mastery;
    this.ownership = ownership;
    this.connections = connections;
    this.nanoClock = clocks.nanoClock();
    this.wallMillis = clocks.wallMillis();
    this.devices = state.declare(DeviceTable.NAME, new DeviceTable());
    this.ports = state.declare(PortTable.NAME, new PortTable());
    ports.addListener(stored);
  }

  /** Begins to look for switches that nobody reaches; once. */
  public void start() {
    loop.scheduleEvery(TICK_MILLIS, this::tick);
  }

  /** The switches. Thread-safe. */
  public TableView<Long, DeviceRecord> devices() {
    return devices;
  }

  /** The ports. Thread-safe. */
  public TableView<PortTable.Key, PortRecord> ports() {
    return ports;
  }

  @Override
  public void gained(SwitchConnection connection, long epoch) {
    followed.add(connection);
    touch(connection.dpid());
  }

  @Override
  public void lost(SwitchConnection connection, String reason) {
    followed.remove(connection);
  }

  /**
   * A port of a connected switch changed; on its event loop. Where this node does not master the
   * switch there is nothing to do: {@link #gained} compares all of its ports.
   */
  public void portsChanged(SwitchConnection connection) {
    if (followed.contains(connection)) {
      touch(connection.dpid());
    }
  }

  private void touch(long dpid) {
    if (touched.add(dpid)) {
      loop.execute(
          () -> {
            touched.remove(dpid);
            dirty.add(dpid);
            write(dpid);
          });
    }
  }

  private void write(long dpid) {
    if (!dirty.contains(dpid) || inFlight.contains(dpid)) {
      return;
    }
    dirty.remove(dpid);
    SwitchConnection connection = mastery.mastered(SwitchScope.deviceId(dpid));
    if (connection == null || ownership.ownSwitch(dpid) == null) {
      walks.remove(dpid);
      return;
    }
    long begin = nanoClock.getAsLong();
    List<Write> writes = differences(dpid, connection);
    if (!writes.isEmpty()) {
      submit(dpid, writes, begin);
    }
  }

  /** What the store must be told of a connected switch; the device comes before its ports. */
  private List<Write> differences(long dpid, SwitchConnection connection) {
    List<Write> writes = new ArrayList<>();
    DeviceRecord now =
        new DeviceRecord(
            DeviceTexts.bounded(connection.features(), MAX_TEXT_CHARS),
            true,
            node,
            wallMillis.getAsLong());
    DeviceRecord known = devices.known(dpid);
    if (known == null || !known.sameAs(now)) {
      writes.add(
          new Write.Put(
              DeviceTable.NAME, DEVICE_TABLE.encodeKey(dpid), DEVICE_TABLE.encodeValue(now)));
    }
    PortWalk walk = walks.computeIfAbsent(dpid, PortWalk::new);
    if (walk.go(connection.ports(), stored.of(dpid), writes)) {
      dirty.add(dpid);
    }
    return writes;
  }

  private void submit(long dpid, List<Write> writes, long beginNanos) {
    inFlight.add(dpid);
    boolean large = writes.size() > LARGE_WRITES;
    after(
        writer.write(SwitchScope.deviceId(dpid), writes),
        loop,
        reply -> answered(dpid, reply, () -> visible(dpid, large, beginNanos)));
  }

  /** After a large write others have their time before this switch is compared again. */
  private void visible(long dpid, boolean large, long beginNanos) {
    long pauseNanos = FairShare.pauseNanos(nanoClock.getAsLong() - beginNanos);
    if (large && pauseNanos > 0) {
      loop.schedule(TimeUnit.NANOSECONDS.toMillis(pauseNanos), () -> written(dpid));
    } else {
      written(dpid);
    }
  }

  private void answered(long dpid, Reply reply, Runnable visible) {
    OptionalLong index = FencedWrite.appliedAt(reply);
    if (index.isPresent()) {
      // The next comparison must see this write.
      state.whenVisible(index.getAsLong(), visible);
    } else {
      // The records are written whole, so to write them twice is as good as once.
      notWritten(dpid, !isFenced(reply), ReplyWords.of(reply));
    }
  }

  /** Whether another has the switch now, or it is mastered under another epoch. */
  private static boolean isFenced(Reply reply) {
    return reply instanceof Reply.Rejected rejected
        && rejected.reason() == Reply.Reason.COMPONENT_REFUSED;
  }

  private void notWritten(long dpid, boolean again, String why) {
    log.warn(dpid, "record of {} not written: {}", SwitchScope.deviceId(dpid), why);
    if (again) {
      dirty.add(dpid);
    }
    loop.schedule(RETRY_MILLIS, () -> written(dpid));
  }

  private void written(long dpid) {
    inFlight.remove(dpid);
    write(dpid);
  }

  /** Marks switches of this node offline that nobody reaches. */
  private void tick() {
    long now = nanoClock.getAsLong();
    for (Map.Entry<Long, TableView.Held<DeviceRecord>> entry : devices.entries().entrySet()) {
      long dpid = entry.getKey();
      DeviceRecord device = entry.getValue().value();
      boolean own = ownership.ownSwitch(dpid) != null;
      if (!own || !device.available() || reached(dpid)) {
        unreachedSinceNanos.remove(dpid);
        if (own && !device.available() && reached(dpid)) {
          dirty.add(dpid);
          write(dpid);
        }
        continue;
      }
      long since = unreachedSinceNanos.computeIfAbsent(dpid, absent -> now);
      if (now - since >= TimeUnit.MILLISECONDS.toNanos(OFFLINE_MILLIS)
          && !inFlight.contains(dpid)) {
        unreachedSinceNanos.remove(dpid);
        log.info(dpid, "{} is offline: no node reaches it", SwitchScope.deviceId(dpid));
        DeviceRecord offline = device.unavailable(node, wallMillis.getAsLong());
        submit(
            dpid,
            List.of(
                new Write.Put(
                    DeviceTable.NAME,
                    DEVICE_TABLE.encodeKey(dpid),
                    DEVICE_TABLE.encodeValue(offline))),
            now);
      }
    }
  }

  private boolean reached(long dpid) {
    return connections.own(dpid) || !connections.nodesOf(dpid).isEmpty();
  }
}
