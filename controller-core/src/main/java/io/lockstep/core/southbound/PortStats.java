package io.lockstep.core.southbound;

/**
 * Counters of one port as the switch reports them (OpenFlow 1.3.5 section 7.3.5.6). Counters are
 * unsigned 64-bit.
 *
 * @param port number, as {@link SwitchConnection#port} has it
 * @param durationSeconds since the port exists; {@link #UNKNOWN} in OpenFlow 1.0, which lacks it
 * @param durationNanos beyond the seconds; {@link #UNKNOWN} where the seconds are
 */
public record PortStats(
    long port,
    long rxPackets,
    long txPackets,
    long rxBytes,
    long txBytes,
    long rxDropped,
    long txDropped,
    long rxErrors,
    long txErrors,
    long durationSeconds,
    long durationNanos) {
  /** A counter that the switch does not have: all bits are set on the wire. */
  public static final long UNKNOWN = -1;
}
