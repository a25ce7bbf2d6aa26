package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.ModelError;

/**
 * What an error is called in OpenFlow 1.0 (section 5.4.4). The numbers of {@link ModelError} are
 * those of 1.3; what 1.0 has no word for is the nearest one that says as much.
 *
 * @param type ofp_error_type
 * @param code within the type
 */
record Error10(int type, int code) {
  private static final int BAD_REQUEST = 1;
  private static final int BAD_ACTION = 2;
  private static final int FLOW_MOD_FAILED = 3;
  private static final int PORT_MOD_FAILED = 4;
  private static final int QUEUE_OP_FAILED = 5;

  private static final int HIGHEST_REQUEST_CODE = 8;
  private static final int REQUEST_EPERM = 5;
  private static final int HIGHEST_ACTION_CODE = 8;
  private static final int ACTION_BAD_TYPE = 0;
  private static final int ACTION_BAD_ARGUMENT = 5;

  private static final Error10 ALL_TABLES_FULL = new Error10(FLOW_MOD_FAILED, 0);
  private static final Error10 OVERLAP = new Error10(FLOW_MOD_FAILED, 1);
  private static final Error10 UNSUPPORTED = new Error10(FLOW_MOD_FAILED, 5);
  private static final Error10 NOT_PERMITTED = new Error10(BAD_REQUEST, REQUEST_EPERM);

  static Error10 of(ModelError error) {
    return switch (error) {
      case TABLE_FULL -> ALL_TABLES_FULL;
      case OVERLAP -> OVERLAP;
      case BAD_SET_TYPE -> new Error10(BAD_ACTION, ACTION_BAD_TYPE);
      case BAD_REQUEST_PORT -> new Error10(BAD_ACTION, ACTION_BAD_ARGUMENT);
      case MATCH_INCONSISTENT -> UNSUPPORTED;
      default -> byType(error.type(), error.code());
    };
  }

  private static Error10 byType(int type13, int code13) {
    return switch (type13) {
      case 1 -> code13 <= HIGHEST_REQUEST_CODE ? new Error10(BAD_REQUEST, code13) : NOT_PERMITTED;
      case 2 ->
          new Error10(BAD_ACTION, code13 <= HIGHEST_ACTION_CODE ? code13 : ACTION_BAD_ARGUMENT);
      case 3, 4, 5 -> UNSUPPORTED; // instructions, matches, flow-mods
      case 7 -> new Error10(PORT_MOD_FAILED, code13);
      case 9 -> new Error10(QUEUE_OP_FAILED, code13);
      default -> NOT_PERMITTED;
    };
  }
}
