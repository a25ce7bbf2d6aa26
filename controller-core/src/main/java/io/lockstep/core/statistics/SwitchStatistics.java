package io.lockstep.core.statistics;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.southbound.PortStats;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.TableStats;
import io.lockstep.store.logging.BoundedLog;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.PortStatistics;
import org.onosproject.net.flow.TableStatisticsEntry;

/**
 * Reads the counters of ports and flow tables from the switches that this node masters, each switch
 * once in {@link #PERIOD_MILLIS}: first its ports, then its tables. Of one switch at most one
 * request is unanswered: the next one waits until the switch answered, or until the channel's
 * deadline for the request is over. The channel bounds how long an answer may be.
 *
 * <p>The figures are soft state of this node, weaker than linearizable: at most {@link
 * #MAX_AGE_MILLIS} old, and none for switches that other nodes master. A switch that stops to
 * answer has none either when its last answer is too old. A new master begins without any, and so
 * has the difference between two answers only after the second one.
 *
 * <p>Thread-safe: what it holds of a switch belongs to the switch's event loop, and samples are
 * immutable.
 */
public final class SwitchStatistics implements MasteredSwitches.Listener {
  /** How often {@link #tick} is to be called. */
  public static final long TICK_MILLIS = 500;

  /** A switch is asked in one of so many ticks, so that not all are asked at once. */
  static final int SLOTS = 10;

  /** From one question to the same switch to the next. */
  static final long PERIOD_MILLIS = SLOTS * TICK_MILLIS;

  /** An older answer is not shown. */
  static final long MAX_AGE_MILLIS = 3 * PERIOD_MILLIS;

  private static final BoundedLog log = BoundedLog.of(SwitchStatistics.class);

  private final MasteredSwitches mastery;
  private final LongSupplier nanoTime;
  private final Map<DeviceId, Reading> readings = new ConcurrentHashMap<>();
  private final List<Consumer<DeviceId>> listeners = new CopyOnWriteArrayList<>();

  /** Control loop only. */
  private int ticks;

  /** What was read from one switch; changed on its event loop, read on any thread. */
  private static final class Reading {
    final SwitchConnection connection;
    boolean asking;
    boolean refused;
    volatile @Nullable PortSample ports;
    volatile @Nullable TableSample tables;

    Reading(SwitchConnection connection) {
      this.connection = connection;
    }
  }

  /**
   * Statistics of no switch; the caller adds them as a listener of {@code mastery}.
   *
   * @param nanoTime a monotone clock
   */
  public SwitchStatistics(MasteredSwitches mastery, LongSupplier nanoTime) {
    this.mastery = mastery;
    this.nanoTime = nanoTime;
  }

  /** Adds a listener for new counters of ports; it is called on the switch's event loop. */
  public void addListener(Consumer<DeviceId> listener) {
    listeners.add(listener);
  }

  @Override
  public void gained(SwitchConnection connection, long epoch) {
    readings.put(connection.deviceId(), new Reading(connection));
  }

  @Override
  public void lost(SwitchConnection connection, String reason) {
    readings.computeIfPresent(
        connection.deviceId(),
        (device, reading) -> reading.connection == connection ? null : reading);
  }

  // ---- reading ----

  /** The counters of a switch's ports; empty where none are known here, as the class says. */
  public List<PortStatistics> ports(DeviceId device) {
    PortSample sample = portSample(device);
    return sample == null ? List.of() : all(device, sample.ports());
  }

  /** What a switch's ports counted between its last two answers; empty as {@link #ports}. */
  public List<PortStatistics> portDeltas(DeviceId device) {
    PortSample sample = portSample(device);
    return sample == null ? List.of() : all(device, sample.deltas());
  }

  /** The counters of one port; null where none are known here. */
  public @Nullable PortStatistics port(DeviceId device, PortNumber port) {
    PortSample sample = portSample(device);
    return sample == null ? null : one(device, sample.ports().get(port.toLong()));
  }

  /** What one port counted between the last two answers; null where that is not known here. */
  public @Nullable PortStatistics portDelta(DeviceId device, PortNumber port) {
    PortSample sample = portSample(device);
    return sample == null ? null : one(device, sample.deltas().get(port.toLong()));
  }

  /** The counters of a switch's flow tables; empty as {@link #ports}. */
  public List<TableStatisticsEntry> tables(DeviceId device) {
    Reading reading = current(device);
    TableSample sample = reading == null ? null : reading.tables;
    if (reading == null || sample == null || isOld(sample.readNanos())) {
      return List.of();
    }
    return sample.tables().values().stream()
        .map(table -> OnosStatistics.table(device, table, reading.connection.tableClaims()))
        .toList();
  }

  private static List<PortStatistics> all(DeviceId device, Map<Long, PortStats> ports) {
    return ports.values().stream().map(port -> OnosStatistics.port(device, port)).toList();
  }

  private static @Nullable PortStatistics one(DeviceId device, @Nullable PortStats stats) {
    return stats == null ? null : OnosStatistics.port(device, stats);
  }

  private @Nullable PortSample portSample(DeviceId device) {
    Reading reading = current(device);
    PortSample sample = reading == null ? null : reading.ports;
    return sample == null || isOld(sample.readNanos()) ? null : sample;
  }

  private boolean isOld(long readNanos) {
    return nanoTime.getAsLong() - readNanos > TimeUnit.MILLISECONDS.toNanos(MAX_AGE_MILLIS);
  }

  /** Null unless this node masters the switch now. */
  private @Nullable Reading current(DeviceId device) {
    Reading reading = readings.get(device);
    return reading != null && isCurrent(reading) ? reading : null;
  }

  private boolean isCurrent(Reading reading) {
    DeviceId device = reading.connection.deviceId();
    return readings.get(device) == reading && mastery.mastered(device) == reading.connection;
  }

  // ---- asking ----

  /** Asks the switches whose turn it is; control loop, every {@link #TICK_MILLIS}. */
  public void tick() {
    int slot = ticks;
    ticks = (ticks + 1) % SLOTS;
    for (Reading reading : readings.values()) {
      SwitchConnection connection = reading.connection;
      if (Long.remainderUnsigned(connection.dpid(), SLOTS) == slot) {
        connection.execute(() -> ask(reading));
      }
    }
  }

  private void ask(Reading reading) {
    if (reading.asking || !isCurrent(reading)) {
      return;
    }
    reading.asking = true;
    after(
        reading.connection.portStats(),
        reading.connection,
        answer -> {
          reading.asking = false;
          if (isCurrent(reading)) {
            takePorts(reading, answer);
            askTables(reading);
          }
        });
  }

  private void askTables(Reading reading) {
    reading.asking = true;
    after(
        reading.connection.tableStats(),
        reading.connection,
        answer -> {
          reading.asking = false;
          if (!isCurrent(reading)) {
            return;
          }
          if (answer instanceof Answer.Of<List<TableStats>> read) {
            reading.tables = TableSample.of(read.value(), nanoTime.getAsLong());
          } else {
            report(reading, "table", answer);
          }
        });
  }

  private void takePorts(Reading reading, Answer<List<PortStats>> answer) {
    if (!(answer instanceof Answer.Of<List<PortStats>> read)) {
      report(reading, "port", answer);
      return;
    }
    SwitchConnection connection = reading.connection;
    reading.ports =
        PortSample.of(
            read.value(),
            port -> connection.port(port) != null,
            reading.ports,
            nanoTime.getAsLong());
    listeners.forEach(listener -> listener.accept(connection.deviceId()));
  }

  /** Once for each time that this node masters the switch: many switches lack some counters. */
  private static void report(Reading reading, String what, Answer<?> answer) {
    if (!reading.refused) {
      reading.refused = true;
      DeviceId device = reading.connection.deviceId();
      log.info(device, "{}: no {} statistics: {}", device, what, answer.whyNone());
    }
  }
}
