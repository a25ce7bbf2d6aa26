package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import java.util.List;

/**
 * Writes responses. Layout, version 1: version (1 byte), status (1 byte), message (UTF-8, only
 * where the status is not 0), number of replies (varint), then for each a tag (1 byte) and its
 * fields in the order of the record.
 */
public final class ResponseEncoder {
  static final int VERSION = 1;

  private static final int MOST_ROOM_BYTES = 1 << 24;

  static final int FOUND = 1;
  static final int ABSENT = 2;
  static final int APPLIED = 3;
  static final int CONFLICT = 4;
  static final int ENTRIES = 5;
  static final int COUNTER = 6;
  static final int RETURNED = 7;
  static final int CHANGES = 8;
  static final int COMPACTED = 9;
  static final int SESSION_OPENED = 10;
  static final int REJECTED = 11;
  static final int UNKNOWN = 12;
  static final int RESOLVED = 13;
  static final int COLUMNS = 14;
  static final int BATCHED = 15;
  static final int BATCH_REFUSED = 16;

  private ResponseEncoder() {}

  /** The bytes of {@code response}. */
  public static byte[] encode(Response response) {
    ByteWriter out = new ByteWriter((int) Math.min(ResponseWeight.of(response), MOST_ROOM_BYTES));
    encode(out, response);
    return out.toArray();
  }

  /** Writes a whole response. */
  public static void encode(ByteWriter out, Response response) {
    out.int8(VERSION).int8(statusCode(response.status()));
    if (response.status() != Response.Status.OK) {
      out.utf8(response.message());
    }
    out.varint(response.replies().size());
    for (Reply reply : response.replies()) {
      reply(out, reply);
    }
  }

  /** Writes one reply; {@link ResponseDecoder#reply} reads it. */
  public static void reply(ByteWriter out, Reply reply) {
    if (reply instanceof Reply.Applied r) {
      out.int8(APPLIED).varint(r.version());
    } else if (reply instanceof Reply.Found r) {
      out.int8(FOUND).bytes(r.value()).varint(r.version());
    } else if (reply instanceof Reply.Absent) {
      out.int8(ABSENT);
    } else if (reply instanceof Reply.Conflict r) {
      out.int8(CONFLICT).bytes(r.value()).varint(r.version());
    } else if (reply instanceof Reply.Counter r) {
      out.int8(COUNTER).signed(r.value()).varint(r.version());
    } else if (reply instanceof Reply.Returned r) {
      out.int8(RETURNED).bytes(r.result());
    } else if (reply instanceof Reply.Compacted r) {
      out.int8(COMPACTED).varint(r.index());
    } else if (reply instanceof Reply.SessionOpened r) {
      out.int8(SESSION_OPENED).varint(r.sessionId());
    } else if (reply instanceof Reply.Rejected r) {
      out.int8(REJECTED).int8(reasonCode(r.reason())).utf8(r.message());
    } else if (reply instanceof Reply.Unknown r) {
      out.int8(UNKNOWN).utf8(r.message());
    } else if (reply instanceof Reply.Entries r) {
      entries(out, r);
    } else if (reply instanceof Reply.Changes r) {
      changes(out, r);
    } else {
      rowOrBatch(out, reply);
    }
  }

  private static void rowOrBatch(ByteWriter out, Reply reply) {
    if (reply instanceof Reply.Columns r) {
      RowCodec.write(out.int8(COLUMNS), r.columns());
      out.varint(r.version());
    } else if (reply instanceof Reply.Resolved r) {
      out.int8(RESOLVED);
      entries(out, r.entries());
    } else if (reply instanceof Reply.Batched r) {
      out.int8(BATCHED).varint(r.replies().size());
      r.replies().forEach(part -> reply(out, part));
      out.varint(r.version());
    } else if (reply instanceof Reply.BatchRefused r) {
      reply(out.int8(BATCH_REFUSED).varint(r.position()), r.reply());
    } else {
      throw new IllegalArgumentException("no encoding for " + reply);
    }
  }

  private static void entries(ByteWriter out, Reply.Entries reply) {
    out.int8(ENTRIES);
    entries(out, reply.entries());
    out.flag(reply.more());
  }

  private static void entries(ByteWriter out, List<Entry> entries) {
    out.varint(entries.size());
    for (Entry entry : entries) {
      out.bytes(entry.key()).bytes(entry.value()).varint(entry.version());
    }
  }

  private static void changes(ByteWriter out, Reply.Changes reply) {
    out.int8(CHANGES).varint(reply.changes().size());
    for (Change change : reply.changes()) {
      out.varint(change.index()).utf8(change.table()).bytes(change.key());
      Bytes value = change.value();
      out.flag(value != null);
      if (value != null) {
        out.bytes(value);
      }
    }
    out.varint(reply.upToIndex());
  }

  static int statusCode(Response.Status status) {
    return switch (status) {
      case OK -> 0;
      case SESSION_ENDED -> 1;
      case MALFORMED -> 2;
    };
  }

  static int reasonCode(Reply.Reason reason) {
    return switch (reason) {
      case OUT_OF_BOUNDS -> 1;
      case UNKNOWN_COMPONENT -> 2;
      case COMPONENT_REFUSED -> 3;
      case SESSION_ENDED -> 4;
      case NOT_SENT -> 5;
      case UNKNOWN_TABLE -> 6;
      case WRONG_KIND -> 7;
      case NO_ROOM -> 8;
      case REPLIES_TOO_LONG -> 9;
    };
  }
}
