package io.lockstep.core.link;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.PortNumber;

/** A switch that this node masters, and the probing of its ports. Owned by the control loop. */
final class WatchedSwitch {
  final SwitchConnection connection;
  final SwitchNews news;
  final long gainedNanos;

  /** The ports that are up. */
  final Map<Long, PortWatch> ports = new HashMap<>();

  /** When each link's source was last without a master. */
  final Map<DirectedLink, Long> sourceUnknown = new HashMap<>();

  /** Whether what the store says of its edge ports was probed by this node. */
  boolean confirmed;

  private final DiscoveryConfig config;

  WatchedSwitch(
      SwitchConnection connection, SwitchNews news, DiscoveryConfig config, long gainedNanos) {
    this.connection = connection;
    this.news = news;
    this.config = config;
    this.gainedNanos = gainedNanos;
  }

  /** Sends a probe out of a port where one is due. */
  void probe(
      long number,
      @Nullable LldpCodec signer,
      Set<SwitchPort> answered,
      long nowNanos,
      long nowMillis) {
    PortWatch port = ports.get(number);
    if (port == null || signer == null || nowNanos - port.nextProbeNanos < 0) {
      return;
    }
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
