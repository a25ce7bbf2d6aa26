package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.ResponseEncoder;

/**
 * Writes the whole state. Layout, version 1: version (1 byte), index, clock (flag, now, leader's
 * time); the tables by name, each with the index up to which its history was dropped, its entries
 * by key and its history, oldest first; the open sessions by id and the ended ones in the order in
 * which they ended, each with its records by operation id. Only what the state means is written,
 * never how it is held, so equal states give equal bytes.
 */
final class SnapshotEncoder {
  static final int VERSION = 1;

  private SnapshotEncoder() {}

  static byte[] encode(StoreState state) {
    ByteWriter out = new ByteWriter(4096);
    OrderedClock clock = state.clock();
    out.int8(VERSION).varint(state.index());
    out.flag(clock.started()).int64(clock.nowMillis()).int64(clock.leaderMillis());
    out.varint(state.tables().all().size());
    for (Table table : state.tables().all()) {
      table(out, table);
    }
    out.varint(state.sessions().openCount());
    for (Session session : state.sessions().allOpen()) {
      session(out, session);
    }
    out.varint(state.sessions().allEnded().size());
    for (Session session : state.sessions().allEnded()) {
      session(out, session);
      out.int64(session.endedAtMillis());
    }
    return out.toArray();
  }

  private static void table(ByteWriter out, Table table) {
    ChangeHistory history = table.history();
    out.utf8(table.name()).varint(history.droppedUpTo()).varint(table.entries().size());
    for (Entry entry : table.entries()) {
      out.bytes(entry.key()).bytes(entry.value()).varint(entry.version());
    }
    out.varint(history.size());
    for (int i = 0; i < history.size(); i++) {
      Change change = history.get(i);
      out.varint(change.index()).bytes(change.key());
      Bytes value = change.value();
      out.flag(value != null);
      if (value != null) {
        out.bytes(value);
      }
    }
  }

  private static void session(ByteWriter out, Session session) {
    out.varint(session.id()).int64(session.nonce()).utf8(session.owner());
    out.varint(session.timeToLiveMillis()).int64(session.lastSignMillis());
    OperationRecords records = session.records();
    out.varint(records.acknowledgedBelow()).varint(records.count());
    records.forEach(
        (operationId, reply) -> {
          out.varint(operationId);
          ResponseEncoder.reply(out, reply);
        });
  }
}
