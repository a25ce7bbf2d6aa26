package io.lockstep.core.southbound;

/**
 * The errors of switches that the node tells apart. There is one spelling for all versions of
 * OpenFlow, that of 1.3.5 section 7.4.4: what 1.0 calls {@code ALL_TABLES_FULL} is {@code
 * TABLE_FULL} here. The southbound writes these texts; whoever asks what an error means asks here.
 */
public final class SwitchErrors {
  /** The switch, or the table asked for, has no room for one more entry. */
  public static final String TABLE_FULL = "FLOW_MOD_FAILED/TABLE_FULL";

  /** A request that only a master or an equal may send. */
  public static final String IS_SLAVE = "BAD_REQUEST/IS_SLAVE";

  private SwitchErrors() {}

  /** Whether a flow-mod was refused for want of room. */
  public static boolean isTableFull(String error) {
    return error.equals(TABLE_FULL);
  }
}
