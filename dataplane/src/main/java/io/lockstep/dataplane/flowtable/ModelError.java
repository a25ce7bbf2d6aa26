package io.lockstep.dataplane.flowtable;

/** Why a request is refused: the pairs of type and code of OpenFlow 1.3.5 section 7.4.4 in use. */
public enum ModelError {
  BAD_REQUEST_TYPE(1, 1),
  BAD_MULTIPART(1, 2),
  BAD_EXPERIMENTER(1, 3),
  NOT_PERMITTED(1, 5),
  BUFFER_EMPTY(1, 7),
  BUFFER_UNKNOWN(1, 8),
  BAD_REQUEST_TABLE_ID(1, 9),
  IS_SLAVE(1, 10),
  BAD_REQUEST_PORT(1, 11),
  BAD_PACKET(1, 12),

  BAD_ACTION_TYPE(2, 0),
  BAD_OUT_PORT(2, 4),
  BAD_ARGUMENT(2, 5),
  TOO_MANY_ACTIONS(2, 7),
  BAD_OUT_GROUP(2, 9),
  MATCH_INCONSISTENT(2, 10),
  BAD_SET_TYPE(2, 13),
  BAD_SET_LEN(2, 14),
  BAD_SET_ARGUMENT(2, 15),

  UNKNOWN_INSTRUCTION(3, 0),
  UNSUPPORTED_INSTRUCTION(3, 1),
  BAD_GOTO_TABLE(3, 2),

  BAD_LEN(4, 1),
  BAD_WILDCARDS(4, 5),
  BAD_FIELD(4, 6),
  BAD_VALUE(4, 7),
  BAD_MASK(4, 8),
  BAD_PREREQUISITE(4, 9),

  TABLE_FULL(5, 1),
  BAD_TABLE_ID(5, 2),
  OVERLAP(5, 3),
  FIXED_TABLE(5, 4),

  GROUP_EXISTS(6, 0),
  INVALID_GROUP(6, 1),
  OUT_OF_GROUPS(6, 3),
  UNKNOWN_GROUP(6, 8),
  BAD_GROUP_TYPE(6, 10),
  BAD_BUCKET(6, 12),

  PORT_MOD_BAD_PORT(7, 0),
  PORT_MOD_BAD_HW_ADDR(7, 1),

  TABLE_MOD_BAD_TABLE(8, 0),
  QUEUE_BAD_PORT(9, 0),

  CONFIG_BAD_FLAGS(10, 0),

  STALE_GENERATION(11, 0),
  BAD_ROLE(11, 2),

  TABLE_FEATURES_PERMISSION(13, 5);

  private final int type;
  private final int code;

  ModelError(int type, int code) {
    this.type = type;
    this.code = code;
  }

  /** The number of ofp_error_type. */
  public int type() {
    return type;
  }

  /** The code within the type. */
  public int code() {
    return code;
  }
}
