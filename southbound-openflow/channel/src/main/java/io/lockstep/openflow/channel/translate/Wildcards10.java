package io.lockstep.openflow.channel.translate;

/** Which fields an OpenFlow 1.0 match leaves out: {@code ofp_flow_wildcards}, section 5.2.3. */
final class Wildcards10 {
  static final int IN_PORT = 1;
  static final int DL_VLAN = 1 << 1;
  static final int DL_SRC = 1 << 2;
  static final int DL_DST = 1 << 3;
  static final int DL_TYPE = 1 << 4;
  static final int NW_PROTO = 1 << 5;
  static final int TP_SRC = 1 << 6;
  static final int TP_DST = 1 << 7;

  /** Where the number of wildcarded bits of an address stands. */
  static final int NW_SRC_SHIFT = 8;

  static final int NW_DST_SHIFT = 14;

  /** That number, 0 to 63; from 32 on the whole address is wildcarded. */
  static final int NW_BITS = 0x3f;

  static final int DL_VLAN_PCP = 1 << 20;
  static final int NW_TOS = 1 << 21;
  static final int ALL = (1 << 22) - 1;

  private Wildcards10() {}
}
