package io.lockstep.store.core;

import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;

/** The refusals of the store and their texts, the same on every replica. */
final class Refusals {
  private static final Reply REPLIES_TOO_LONG =
      new Reply.Rejected(
          Reason.REPLIES_TOO_LONG,
          "the replies to one request are at most "
              + Limits.REQUEST_REPLY_BYTES
              + " bytes: this command belongs into another one");

  private Refusals() {}

  static Reply outOfBounds(String message) {
    return new Reply.Rejected(Reason.OUT_OF_BOUNDS, message);
  }

  /** The replies that are kept for a retry use all their room. */
  static Reply noRoomForReply(StateBounds bounds) {
    return new Reply.Rejected(
        Reason.NO_ROOM,
        "replies that are kept until they are acknowledged leave no room for this one"
            + " (store.stateMegabytes "
            + bounds.stateMegabytes()
            + "): it can be sent again once earlier ones have been answered");
  }

  /** The replies to one request are too long together. */
  static Reply repliesTooLong() {
    return REPLIES_TOO_LONG;
  }

  /** The table was not declared. */
  static Reply unknownTable(String name) {
    return new Reply.Rejected(Reason.UNKNOWN_TABLE, unknownTableText(name));
  }

  static String unknownTableText(String name) {
    return "there is no table \""
        + name
        + "\": it must be declared (CreateTable) before it is used";
  }

  /**
   * No micro component of this name can be called in this version of the cluster. A release that
   * has one from a later version on refuses it by the words of one that has none: refusals are
   * recorded, so they are state.
   */
  static Reply unknownComponent(String name) {
    return new Reply.Rejected(Reason.UNKNOWN_COMPONENT, "no micro component is called " + name);
  }

  /** The table is of a kind that does not support the command. */
  static Reply wrongKind(String command, TableOperations table) {
    return new Reply.Rejected(Reason.WRONG_KIND, wrongKindText(command, table));
  }

  static String wrongKindText(String command, TableOperations table) {
    return command + " does not fit table \"" + table.name() + "\" of kind " + table.spec().kind();
  }
}
