package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Row;
import java.util.List;
import java.util.Map;

/**
 * Writes requests. Layout, version 1: version (1 byte), session (8 bytes), acknowledged-below
 * (varint), number of operations (varint), then for each its id (varint), a tag (1 byte) and the
 * command's fields in the order of the record; rows as in {@link RowCodec}, lists after their
 * length.
 */
public final class RequestEncoder {
  /**
   * The version of requests. Every new command, field or meaning raises it, since replicas that
   * read different versions refuse each other by it. A newer version must still read requests of
   * older ones, which are in the logs.
   */
  public static final int VERSION = 1;

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
  static final int GET_THROUGH = 15;
  static final int GET_COLUMNS = 16;
  static final int PUT_COLUMNS = 17;
  static final int REPLACE_COLUMNS = 18;
  static final int REMOVE_COLUMNS = 19;
  static final int BATCH = 20;
  static final int QUERY = 21;

  /**
   * The highest tag of a command in a version of the cluster. A new command takes the next tag, and
   * a branch here: replicas that do not know it may take part in all earlier versions.
   */
  static int lastTag(int version) {
    return QUERY;
  }

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
    command(out, command);
  }

  /** Writes one command without an id; {@link RequestDecoder#command} reads it. */
  public static void command(ByteWriter out, Command command) {
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
    } else if (command instanceof Command.Query c) {
      out.int8(QUERY).utf8(c.component()).bytes(c.argument());
    } else {
      rowOrBatch(out, command);
    }
  }

  private static void rowOrBatch(ByteWriter out, Command command) {
    if (command instanceof Command.GetColumns c) {
      out.int8(GET_COLUMNS).utf8(c.table()).bytes(c.key());
      names(out, c.columns());
    } else if (command instanceof Command.PutColumns c) {
      RowCodec.write(out.int8(PUT_COLUMNS).utf8(c.table()).bytes(c.key()), c.columns());
    } else if (command instanceof Command.ReplaceColumns c) {
      out.int8(REPLACE_COLUMNS).utf8(c.table()).bytes(c.key()).signed(c.expectedVersion());
      RowCodec.write(out, c.columns());
    } else if (command instanceof Command.RemoveColumns c) {
      out.int8(REMOVE_COLUMNS).utf8(c.table()).bytes(c.key());
      names(out, c.columns());
    } else if (command instanceof Command.GetThrough c) {
      out.int8(GET_THROUGH).utf8(c.table()).bytes(c.key());
      names(out, c.columns());
    } else if (command instanceof Command.Batch c) {
      batch(out, c);
    } else {
      rangeOrSession(out, command);
    }
  }

  private static void names(ByteWriter out, List<String> names) {
    out.varint(names.size());
    names.forEach(out::utf8);
  }

  private static void batch(ByteWriter out, Command.Batch batch) {
    out.int8(BATCH).varint(batch.guards().size());
    for (Command.Guard guard : batch.guards()) {
      out.utf8(guard.table()).bytes(guard.key()).signed(guard.version());
    }
    out.varint(batch.commands().size());
    batch.commands().forEach(command -> command(out, command));
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
      names(out.int8(READ_CHANGES), c.tables());
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

  /** About the bytes of {@code command} in a request; cheap. */
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
    } else if (command instanceof Command.Query c) {
      return fixed + c.argument().length();
    } else if (command instanceof Command.PutColumns c) {
      return fixed + c.key().length() + sizeHint(c.columns());
    } else if (command instanceof Command.ReplaceColumns c) {
      return fixed + c.key().length() + sizeHint(c.columns());
    } else if (command instanceof Command.Batch c) {
      int size = fixed * (1 + c.guards().size());
      for (Command part : c.commands()) {
        size += sizeHint(part);
      }
      return size;
    }
    return 2 * fixed;
  }

  private static int sizeHint(Row row) {
    int size = 0;
    for (Map.Entry<String, Bytes> column : row.columns().entrySet()) {
      size += 8 + column.getKey().length() + column.getValue().length();
    }
    return size;
  }
}
