package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.codec.ResponseDecoder;

/** Reads a state; the layout is at {@link SnapshotEncoder}. */
final class SnapshotDecoder {
  private static final int MIN_TABLE_BYTES = 4;
  private static final int MIN_ENTRY_BYTES = 3;
  private static final int MIN_SESSION_BYTES = 20;
  private static final int MIN_RECORD_BYTES = 2;

  private final ByteReader in;
  private final StoreState state;
  private final HistoryBounds bounds;

  private SnapshotDecoder(byte[] snapshot, HistoryBounds bounds) {
    in = new ByteReader(snapshot);
    state = new StoreState(bounds);
    this.bounds = bounds;
  }

  static StoreState decode(byte[] snapshot, HistoryBounds bounds) {
    return new SnapshotDecoder(snapshot, bounds).decode();
  }

  private StoreState decode() {
    in.version(SnapshotEncoder.VERSION, "a snapshot");
    state.restoreIndex(in.varint());
    state.clock().restore(in.flag(), in.int64(), in.int64());
    int tables = in.count(Limits.TABLES, MIN_TABLE_BYTES);
    for (int i = 0; i < tables; i++) {
      table();
    }
    int open = in.count(Limits.SESSIONS, MIN_SESSION_BYTES);
    for (int i = 0; i < open; i++) {
      state.sessions().addOpen(session());
    }
    int ended = in.count(Sessions.REMEMBERED, MIN_SESSION_BYTES);
    for (int i = 0; i < ended; i++) {
      Session session = session();
      session.end(in.int64());
      state.sessions().addEnded(session);
    }
    in.end();
    return state;
  }

  private void table() {
    int at = in.offset();
    String name = in.utf8(Limits.NAME_CHARS);
    if (!Limits.isName(name) || state.tables().find(name) != null) {
      throw new CodecException(at, "the name of one more table, found " + name);
    }
    Table table = state.tables().restore(name, in.varint());
    int entries = in.count(Integer.MAX_VALUE, MIN_ENTRY_BYTES);
    for (int i = 0; i < entries; i++) {
      table.store(new Entry(key(), value(), in.varint()));
    }
    int changes = in.count(bounds.changesPerTable(), MIN_ENTRY_BYTES);
    for (int i = 0; i < changes; i++) {
      table.record(in.varint(), key(), in.flag() ? value() : null);
    }
  }

  private Session session() {
    long id = in.varint();
    long nonce = in.int64();
    String owner = in.utf8(Limits.OWNER_BYTES);
    int timeToLive = in.varint(Limits.MAX_TIME_TO_LIVE_MILLIS);
    Session session = new Session(id, nonce, owner, timeToLive);
    session.signOfLife(in.int64());
    OperationRecords records = session.records();
    records.acknowledgeBelow(in.varint());
    int count = in.count(Limits.UNACKNOWLEDGED_OPERATIONS, MIN_RECORD_BYTES);
    for (int i = 0; i < count; i++) {
      int at = in.offset();
      long operationId = in.varint();
      long span = operationId - records.acknowledgedBelow();
      if (span < 0 || span >= Limits.UNACKNOWLEDGED_OPERATIONS) {
        throw new CodecException(at, "an unacknowledged operation's id, found " + operationId);
      }
      Reply reply = ResponseDecoder.reply(in);
      records.record(operationId, reply);
    }
    return session;
  }

  private Bytes key() {
    return in.bytes(Limits.KEY_BYTES);
  }

  private Bytes value() {
    return in.bytes(Limits.VALUE_BYTES);
  }
}
