package io.lockstep.core.link;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.PortDescription;

/** A switch that this node masters, and the probing of its ports. Owned by the control loop. */
final class WatchedSwitch {
  /** Probes that are sent with one call. */
  static final int MAX_PROBES = 128;

  /** A probe may leave this much early, so that it does not wait for one more tick. */
  private static final long EARLY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  final SwitchConnection connection;
  final SwitchNews news;
  final long gainedNanos;

  /** The ports that are up. */
  final TreeMap<Long, PortWatch> ports = new TreeMap<>();

  /** When each link's source was last without a master. */
  final Map<DirectedLink, Long> sourceUnknown = new HashMap<>();

  /** Whether what the store says of its edge ports was probed by this node. */
  boolean confirmed;

  private final DiscoveryConfig config;

  /** Whose turn it is. */
  private long nextPort;

  /** Whether more probes were due than could be sent. */
  private boolean moreAreDue;

  WatchedSwitch(
      SwitchConnection connection, SwitchNews news, DiscoveryConfig config, long gainedNanos) {
    this.connection = connection;
    this.news = news;
    this.config = config;
    this.gainedNanos = gainedNanos;
  }

  /**
   * Takes in how its ports are now: those that changed, or all of them.
   *
   * @param cameUpNanos when ports came up that were not up before; null where that is not known
   * @return ports that are down or were down in between
   */
  List<Long> takePorts(SwitchNews.Taken taken, @Nullable Long cameUpNanos, long nowNanos) {
    List<Long> down = new ArrayList<>();
    if (!taken.allPorts()) {
      taken
          .ports()
          .keySet()
          .forEach(number -> takePort(number, taken, cameUpNanos, nowNanos, down));
      return down;
    }
    for (long number : List.copyOf(ports.keySet())) {
      takePort(number, taken, cameUpNanos, nowNanos, down);
    }
    for (PortDescription port : connection.ports()) {
      if (isUp(port)) {
        ports.computeIfAbsent(
            port.portNumber().toLong(), absent -> new PortWatch(nowNanos, cameUpNanos));
      }
    }
    return down;
  }

  private void takePort(
      long number,
      SwitchNews.Taken taken,
      @Nullable Long cameUpNanos,
      long nowNanos,
      List<Long> down) {
    boolean up = isUp(connection.port(number));
    if ((!up || taken.wasDown(number)) && ports.remove(number) != null) {
      down.add(number);
    }
    if (up) {
      ports.computeIfAbsent(number, absent -> new PortWatch(nowNanos, cameUpNanos));
    }
  }

  private static boolean isUp(@Nullable PortDescription port) {
    return port != null
        && port.isEnabled()
        && !port.portNumber().isLogical()
        && port.portNumber().toLong() > 0;
  }

  /**
   * Sends the probes that are due, at most {@link #MAX_PROBES}: a switch with ever new ports must
   * not keep the node busy with them. The next call goes on where this one ended.
   */
  void probe(@Nullable LldpCodec signer, Set<SwitchPort> answered, long nowNanos, long nowMillis) {
    if (signer == null) {
      return;
    }
    int sent = 0;
    moreAreDue = false;
    for (SortedMap<Long, PortWatch> some :
        List.of(ports.tailMap(nextPort), ports.headMap(nextPort))) {
      for (Map.Entry<Long, PortWatch> each : some.entrySet()) {
        if (nowNanos - each.getValue().nextProbeNanos < -EARLY_NANOS) {
          continue;
        }
        if (sent == MAX_PROBES) {
          nextPort = each.getKey();
          moreAreDue = true;
          return;
        }
        probe(each.getKey(), each.getValue(), signer, answered, nowNanos, nowMillis);
        sent++;
      }
    }
  }

  private void probe(
      long number,
      PortWatch port,
      LldpCodec signer,
      Set<SwitchPort> answered,
      long nowNanos,
      long nowMillis) {
    SwitchPort source = new SwitchPort(connection.dpid(), number);
    PacketOut packet =
        new PacketOut(
            PacketIn.NO_BUFFER,
            PortNumber.CONTROLLER,
            List.of(source.portNumber()),
            signer.encode(source, nowMillis));
    port.nextProbeNanos = nowNanos + nanos(config.quarantineProbeMillis());
    if (!connection.packetOut(packet)) {
      return;
    }
    port.probes++;
    if (answered.contains(source) || pastQuarantine(port, nowNanos)) {
      port.nextProbeNanos = nowNanos + nanos(settledDelayMillis(source, port));
    }
  }

  /** The first delay differs from port to port, so that the probes of a large network spread. */
  private long settledDelayMillis(SwitchPort source, PortWatch port) {
    if (port.staggered) {
      return config.probeMillis();
    }
    port.staggered = true;
    long phase = Math.floorMod(source.hashCode() * 31L, config.probeMillis());
    return Math.max(phase, config.probeMillis() / 4);
  }

  /** Whether the port was probed long enough without an answer to be an edge. */
  boolean pastQuarantine(PortWatch port, long nowNanos) {
    return nowNanos - port.sinceNanos >= nanos(config.quarantineMillis())
        && port.probes >= DiscoveryConfig.QUARANTINE_PROBES;
  }

  /** Confirms the stored edge ports once all ports were probed; true where that is news. */
  boolean confirm(long nowNanos) {
    if (confirmed || nowNanos - gainedNanos < nanos(config.confirmMillis())) {
      return false;
    }
    confirmed = ports.values().stream().allMatch(port -> port.probes > 0);
    return confirmed;
  }

  /** Whether all its ports are probed at the usual pace, so that no probe is due soon. */
  boolean isSettled() {
    return confirmed && !moreAreDue && ports.values().stream().allMatch(port -> port.staggered);
  }

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** A port that is up. */
  static final class PortWatch {
    final long sinceNanos;

    /** When it came up; null where it was up already when this node began to watch it. */
    final @Nullable Long cameUpNanos;

    long nextProbeNanos;
    int probes;
    boolean staggered;

    PortWatch(long sinceNanos, @Nullable Long cameUpNanos) {
      this.sinceNanos = sinceNanos;
      this.cameUpNanos = cameUpNanos;
      this.nextProbeNanos = sinceNanos;
    }
  }
}
