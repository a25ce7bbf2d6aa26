package io.lockstep.core.link;

/**
 * The times of link discovery, in milliseconds.
 *
 * @param probeMillis between two probes out of a port that is settled
 * @param quarantineMillis how long a port is probed without an answer before it counts as an edge
 * @param quarantineProbeMillis between two probes out of a port in quarantine
 * @param confirmMillis after a take-over, how long a port that the store calls an edge is probed
 *     before the new master believes it
 * @param missedProbes a link is given up after so many intervals without a probe; longer than a
 *     lease and a take-over, in which nobody probes
 * @param windowMillis how far a probe's time may be from the receiver's clock
 */
public record DiscoveryConfig(
    long probeMillis,
    long quarantineMillis,
    long quarantineProbeMillis,
    long confirmMillis,
    int missedProbes,
    long windowMillis) {

  /** Probes out of a port, at least, before it leaves quarantine. */
  public static final int QUARANTINE_PROBES = 4;

  /** 1 s, 600 ms, 150 ms, 100 ms, 5 probes, 10 s. */
  public static final DiscoveryConfig DEFAULT =
      new DiscoveryConfig(1_000, 600, 150, 100, 5, 10_000);

  public DiscoveryConfig {
    if (probeMillis < 10 || quarantineProbeMillis < 10 || windowMillis < probeMillis) {
      throw new IllegalArgumentException(
          "probes at least 10 ms apart, and a window of at least one interval");
    }
    if (quarantineMillis < quarantineProbeMillis || confirmMillis < 0 || missedProbes < 2) {
      throw new IllegalArgumentException(
          "a quarantine of at least one probe, and at least 2 missed probes");
    }
  }

  long missedMillis() {
    return probeMillis * missedProbes + probeMillis / 2;
  }
}
