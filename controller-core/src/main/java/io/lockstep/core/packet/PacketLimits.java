package io.lockstep.core.packet;

/**
 * How much one switch may ask of the node. A rate of 0 is no limit.
 *
 * @param portPerSecond packet-ins per second and port; the burst is one second's worth
 * @param switchPerSecond packet-ins per second and switch; the burst is one second's worth
 * @param lldpPerSecond LLDP frames per second and port, apart from the others, so that a storm
 *     cannot cut the links
 * @param asksPerSwitch decisions of one switch that wait for the store
 */
public record PacketLimits(
    long portPerSecond, long switchPerSecond, long lldpPerSecond, int asksPerSwitch) {

  /** 5 000, 20 000, 50 and 1 024. */
  public static final PacketLimits DEFAULT = new PacketLimits(5_000, 20_000, 50, 1_024);

  /** No quota, 65 536 decisions; for load generators. */
  public static final PacketLimits NONE = new PacketLimits(0, 0, 0, 1 << 16);

  public PacketLimits {
    if (portPerSecond < 0 || switchPerSecond < 0 || lldpPerSecond < 0) {
      throw new IllegalArgumentException("a rate cannot be negative");
    }
    if (asksPerSwitch < 1) {
      throw new IllegalArgumentException("at least one decision must be allowed to wait");
    }
  }
}
