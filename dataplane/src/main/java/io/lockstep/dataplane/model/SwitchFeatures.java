package io.lockstep.dataplane.model;

/**
 * What a switch is made of.
 *
 * @param dpid datapath id
 * @param tables number of flow tables, 1 to 254
 * @param tableEntries capacity of each table
 * @param buffers packets it can keep for the controller, 0 to 65536
 * @param bufferHoldMillis how long a kept packet is safe from being overwritten
 */
public record SwitchFeatures(
    long dpid, int tables, int tableEntries, int buffers, long bufferHoldMillis) {
  /** Four tables of 65536 entries and 256 buffers of one second. */
  public static SwitchFeatures ordinary(long dpid) {
    return new SwitchFeatures(dpid, 4, 65536, 256, 1000);
  }
}
