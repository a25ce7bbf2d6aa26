package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import java.util.ArrayList;
import java.util.List;

/** Reads responses; the layout is at {@link ResponseEncoder}. */
public final class ResponseDecoder {
  private static final int MAX_TEXT_BYTES = 64 << 10;
  private static final int MAX_ELEMENTS = 1 << 20;
  private static final int MIN_ENTRY_BYTES = 3;
  private static final int MIN_CHANGE_BYTES = 4;

  private ResponseDecoder() {}

  /**
   * Reads a whole response.
   *
   * @throws CodecException if {@code input} is not a response of version 1
   */
  public static Response decode(byte[] input) {
    ByteReader in = new ByteReader(input);
    in.version(ResponseEncoder.VERSION, "a response");
    Response.Status status = status(in);
    String message = status == Response.Status.OK ? "" : in.utf8(MAX_TEXT_BYTES);
    int count = in.count(Request.MAX_OPERATIONS, 1);
    List<Reply> replies = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      replies.add(reply(in));
    }
    in.end();
    return new Response(status, message, replies);
  }

  /** Reads one reply, as {@link ResponseEncoder#reply} wrote it. */
  public static Reply reply(ByteReader in) {
    int at = in.offset();
    int tag = in.uint8();
    return switch (tag) {
      case ResponseEncoder.BATCHED -> batched(in);
      case ResponseEncoder.BATCH_REFUSED ->
          new Reply.BatchRefused(in.varint(Integer.MAX_VALUE), part(in));
      default -> reply(in, tag, at);
    };
  }

  private static Reply batched(ByteReader in) {
    int count = in.count(MAX_ELEMENTS, 1);
    List<Reply> replies = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      replies.add(part(in));
    }
    return new Reply.Batched(replies, in.varint());
  }

  /** Reads a reply within the reply to a batch; it cannot itself be a reply to a batch. */
  private static Reply part(ByteReader in) {
    int at = in.offset();
    return reply(in, in.uint8(), at);
  }

  private static Reply reply(ByteReader in, int tag, int at) {
    return switch (tag) {
      case ResponseEncoder.FOUND -> new Reply.Found(bytes(in), in.varint());
      case ResponseEncoder.ABSENT -> new Reply.Absent();
      case ResponseEncoder.APPLIED -> new Reply.Applied(in.varint());
      case ResponseEncoder.CONFLICT -> new Reply.Conflict(bytes(in), in.varint());
      case ResponseEncoder.ENTRIES -> entries(in);
      case ResponseEncoder.COUNTER -> new Reply.Counter(in.signed(), in.varint());
      case ResponseEncoder.RETURNED -> new Reply.Returned(bytes(in));
      case ResponseEncoder.CHANGES -> changes(in);
      case ResponseEncoder.COMPACTED -> new Reply.Compacted(in.varint());
      case ResponseEncoder.SESSION_OPENED -> new Reply.SessionOpened(in.varint());
      case ResponseEncoder.REJECTED -> new Reply.Rejected(reason(in), in.utf8(MAX_TEXT_BYTES));
      case ResponseEncoder.UNKNOWN -> new Reply.Unknown(in.utf8(MAX_TEXT_BYTES));
      case ResponseEncoder.RESOLVED -> new Reply.Resolved(entryList(in));
      case ResponseEncoder.COLUMNS ->
          new Reply.Columns(RowCodec.read(in, Row.MAX_COLUMNS, Row.MAX_NAME_BYTES), in.varint());
      default ->
          throw new CodecException(
              at, "the tag of a reply, found " + tag + ", perhaps of a newer version");
    };
  }

  private static Reply entries(ByteReader in) {
    return new Reply.Entries(entryList(in), in.flag());
  }

  private static List<Entry> entryList(ByteReader in) {
    int count = in.count(MAX_ELEMENTS, MIN_ENTRY_BYTES);
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      entries.add(new Entry(bytes(in), bytes(in), in.varint()));
    }
    return entries;
  }

  private static Reply changes(ByteReader in) {
    int count = in.count(MAX_ELEMENTS, MIN_CHANGE_BYTES);
    List<Change> changes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long index = in.varint();
      String table = in.utf8(MAX_TEXT_BYTES);
      Bytes key = bytes(in);
      changes.add(new Change(index, table, key, in.flag() ? bytes(in) : null));
    }
    return new Reply.Changes(changes, in.varint());
  }

  private static Response.Status status(ByteReader in) {
    int code = in.uint8();
    return switch (code) {
      case 0 -> Response.Status.OK;
      case 1 -> Response.Status.SESSION_ENDED;
      case 2 -> Response.Status.MALFORMED;
      default -> throw new CodecException(in.offset() - 1, "a status, found " + code);
    };
  }

  private static Reply.Reason reason(ByteReader in) {
    int code = in.uint8();
    return switch (code) {
      case 1 -> Reply.Reason.OUT_OF_BOUNDS;
      case 2 -> Reply.Reason.UNKNOWN_COMPONENT;
      case 3 -> Reply.Reason.COMPONENT_REFUSED;
      case 4 -> Reply.Reason.SESSION_ENDED;
      case 5 -> Reply.Reason.NOT_SENT;
      case 6 -> Reply.Reason.UNKNOWN_TABLE;
      case 7 -> Reply.Reason.WRONG_KIND;
      case 8 -> Reply.Reason.NO_ROOM;
      case 9 -> Reply.Reason.REPLIES_TOO_LONG;
      default -> throw new CodecException(in.offset() - 1, "a reason, found " + code);
    };
  }

  private static Bytes bytes(ByteReader in) {
    return in.bytes(Integer.MAX_VALUE);
  }
}
