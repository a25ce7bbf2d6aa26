package io.lockstep.dataplane.flowtable;

/** Flags of a flow-mod (OpenFlow 1.3.5 section 7.3.4.1). */
public enum FlowFlag {
  SEND_FLOW_REMOVED,
  CHECK_OVERLAP,
  RESET_COUNTS,
  NO_PACKET_COUNTS,
  NO_BYTE_COUNTS
}
