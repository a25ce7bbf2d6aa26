package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;

/**
 * Writes requests. Layout, version 1: version (1 byte), session (8 bytes), acknowledged-below
 * (varint), number of operations (varint), then for each its id (varint), a tag (1 byte) and the
 * command's fields in the order of the record.
 */
public final class RequestEncoder {
  static final int VERSION = 1;

  static final int GET = 1;
  static final int PUT = 2;
  static final int PUT_IF_ABSENT = 3;
  static final int REPLACE = 4;
  static final int REMOVE = 5;
  static final int REMOVE_VERSION = 6;
  static final int SCAN = 7;
  static final int INCREMENT = 8;
  static final int CALL = 9;
  static final int READ_CHANGES = 10;
  static final int OPEN_SESSION = 11;
  static final int KEEP_ALIVE = 12;
  static final int CLOSE_SESSION = 13;
  static final int CREATE_TABLE = 14;

  private RequestEncoder() {}

  /** The bytes of {@code request}. */
  public static byte[] encode(Request request) {
    ByteWriter out = new ByteWriter(256);
    header(out, request.sessionId(), request.acknowledgedBelow(), request.operations().size());
    for (Request.Operation operation : request.operations()) {
      operation(out, operation.operationId(), operation.command());
    }
    return out.toArray();
  }

  /** Begins a request; exactly {@code operations} calls of {@link #operation} must follow. */
  public static void header(
      ByteWriter out, long sessionId, long acknowledgedBelow, int operations) {
    out.int8(VERSION).int64(sessionId).varint(acknowledgedBelow).varint(operations);
  }

  /** Writes one operation of a request. */
  public static void operation(ByteWriter out, long operationId, Command command) {
    out.varint(operationId);
    if (command instanceof Command.Get c) {
      out.int8(GET).utf8(c.table()).bytes(c.key());
    } else if (command instanceof Command.Put c) {
      out.int8(PUT).utf8(c.table()).bytes(c.key()).bytes(c.value());
    } else if (command instanceof Command.PutIfAbsent c) {
      out.int8(PUT_IF_ABSENT).utf8(c.table()).bytes(c.key()).bytes(c.value());
    } else if (command instanceof Command.Replace c) {
      out.int8(REPLACE).utf8(c.table()).bytes(c.key()).signed(c.expectedVersion());
      out.bytes(c.value());
    } else if (command instanceof Command.Remove c) {
      out.int8(REMOVE).utf8(c.table()).bytes(c.key());
    } else if (command instanceof Command.RemoveVersion c) {
      out.int8(REMOVE_VERSION).utf8(c.table()).bytes(c.key()).signed(c.expectedVersion());
    } else if (command instanceof Command.Increment c) {
      out.int8(INCREMENT).utf8(c.table()).bytes(c.key()).signed(c.delta());
    } else if (command instanceof Command.Call c) {
      out.int8(CALL).utf8(c.component()).bytes(c.argument());
    } else {
      rangeOrSession(out, command);
    }
  }

  private static void rangeOrSession(ByteWriter out, Command command) {
    if (command instanceof Command.Scan c) {
      out.int8(SCAN).utf8(c.table()).bytes(c.from());
      Bytes to = c.to();
      out.flag(to != null);
      if (to != null) {
        out.bytes(to);
      }
      out.signed(c.limit());
    } else if (command instanceof Command.ReadChanges c) {
      out.int8(READ_CHANGES).varint(c.tables().size());
      for (String table : c.tables()) {
        out.utf8(table);
      }
      out.signed(c.afterIndex()).signed(c.limit());
    } else if (command instanceof Command.OpenSession c) {
      out.int8(OPEN_SESSION).int64(c.nonce()).utf8(c.owner()).signed(c.timeToLiveMillis());
    } else if (command instanceof Command.KeepAlive) {
      out.int8(KEEP_ALIVE);
    } else if (command instanceof Command.CloseSession c) {
      out.int8(CLOSE_SESSION).signed(c.sessionId());
    } else if (command instanceof Command.CreateTable c) {
      out.int8(CREATE_TABLE).utf8(c.table());
      TableSpecCodec.write(out, c.spec());
    } else {
      throw new IllegalArgumentException("no encoding for " + command);
    }
  }

  /** About how many bytes {@code command} takes in a request; cheap. */
  public static int sizeHint(Command command) {
    int fixed = 96;
    if (command instanceof Command.Put c) {
      return fixed + c.key().length() + c.value().length();
    } else if (command instanceof Command.PutIfAbsent c) {
      return fixed + c.key().length() + c.value().length();
    } else if (command instanceof Command.Replace c) {
      return fixed + c.key().length() + c.value().length();
    } else if (command instanceof Command.Call c) {
      return fixed + c.argument().length();
    }
    return 2 * fixed;
  }
}
