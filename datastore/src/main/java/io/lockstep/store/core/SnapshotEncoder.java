package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.ResponseEncoder;
import io.lockstep.store.codec.TableSpecCodec;
import io.lockstep.store.engine.Rules;
import java.util.function.Consumer;

/**
 * Writes a state in items. Layout: "LKSS", version (1 byte), from version 2 on the number of the
 * rules in force and the limit of the state in MiB, index, clock (flag, now, leader's time); the
 * number of tables and the tables by name, each with its spec (with its length before it), the
 * index up to which its history was dropped, the number of its entries, the entries by key, the
 * number of changes in its history and these, oldest first; the number of open sessions and these
 * by id; the number of ended ones and these in the order in which they ended. A session has its
 * number of records and these by operation id, each reply with its length before it; from version 2
 * on, before that number, one more than the id up to which operations are refused. Nothing depends
 * on how the state is laid out in memory, so equal states give equal bytes, whatever the size of
 * the pieces.
 */
final class SnapshotEncoder {
  static final int MAGIC = 0x4c4b5353;

  /** The version of a state under rules 1, as it was written before rules had numbers. */
  static final int VERSION_OF_RULES_ONE = 1;

  /** The version of a state under any later rules. */
  static final int VERSION = 2;

  private SnapshotEncoder() {}

  /** A part with a single item. */
  static SnapshotPart item(Consumer<ByteWriter> writer) {
    return new SnapshotPart() {
      private boolean written;

      @Override
      public boolean writeNext(ByteWriter out) {
        boolean first = !written;
        if (first) {
          writer.accept(out);
          written = true;
        }
        return first;
      }
    };
  }

  static SnapshotPart head(StoreState state) {
    Rules rules = state.rules();
    long index = state.index();
    OrderedClock clock = state.clock();
    boolean started = clock.started();
    long now = clock.nowMillis();
    long leader = clock.leaderMillis();
    return item(
        out -> {
          out.int32(MAGIC).int8(version(rules));
          if (rules.number() > 1) {
            out.varint(rules.number()).varint(rules.stateMegabytes());
          }
          out.varint(index);
          out.flag(started).int64(now).int64(leader);
        });
  }

  static int version(Rules rules) {
    return rules.number() == 1 ? VERSION_OF_RULES_ONE : VERSION;
  }

  static void count(ByteWriter out, long count) {
    out.varint(count);
  }

  static void tableHead(ByteWriter out, Table table, long droppedUpTo, long entries) {
    out.utf8(table.name()).bytes(TableSpecCodec.encode(table.spec()));
    out.varint(droppedUpTo).varint(entries);
  }

  static void entry(ByteWriter out, Entry entry) {
    out.bytes(entry.key()).bytes(entry.value()).varint(entry.version());
  }

  static void change(ByteWriter out, Change change) {
    out.varint(change.index()).bytes(change.key());
    Bytes value = change.value();
    out.flag(value != null);
    if (value != null) {
      out.bytes(value);
    }
  }

  /**
   * The rest of a session: the time of its end if it ended, the acknowledged and the refused ids,
   * and the records.
   */
  static void sessionHead(ByteWriter out, Session session, long lastSignMillis) {
    out.varint(session.id()).int64(session.nonce()).utf8(session.owner());
    out.varint(session.timeToLiveMillis()).int64(lastSignMillis);
  }

  static void record(ByteWriter out, long operationId, Reply reply) {
    ByteWriter encoded = new ByteWriter();
    ResponseEncoder.reply(encoded, reply);
    out.varint(operationId).bytes(encoded.toBytes());
  }
}
