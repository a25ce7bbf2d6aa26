package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.codec.ResponseDecoder;
import io.lockstep.store.codec.StreamReader;
import io.lockstep.store.codec.TableSpecCodec;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.engine.UnknownRulesException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads a state; the layout is at {@link SnapshotEncoder}. Allocates memory for what it has read,
 * never for what a count announces.
 */
final class SnapshotDecoder {
  private static final int MAX_SPEC_BYTES = 128;

  private final StreamReader in;
  private final StoreState state;
  private final HistoryBounds bounds;
  private final int newest;
  private int version;

  private SnapshotDecoder(InputStream snapshot, HistoryBounds bounds, int newest) {
    this.newest = newest;
    in = new StreamReader(snapshot);
    state = new StoreState(bounds);
    this.bounds = bounds;
  }

  /**
   * @param newest the newest version of the cluster that this program knows
   */
  static StoreState decode(InputStream snapshot, HistoryBounds bounds, int newest)
      throws IOException {
    return new SnapshotDecoder(snapshot, bounds, newest).decode();
  }

  private StoreState decode() throws IOException {
    if (in.int32() != SnapshotEncoder.MAGIC) {
      throw new CodecException(0, "the first bytes of a snapshot of a store (LKSS)");
    }
    version = in.uint8();
    if (version < 1 || version > SnapshotEncoder.VERSION) {
      throw new CodecException(
          in.offset() - 1,
          "a snapshot of version 1 to " + SnapshotEncoder.VERSION + ", found version " + version);
    }
    if (version > SnapshotEncoder.VERSION_OF_RULES_ONE) {
      rules();
    }
    state.restoreIndex(in.varint());
    state.clock().restore(in.flag(), in.int64(), in.int64());
    int tables = in.varint(Limits.TABLES);
    String lastName = "";
    for (int i = 0; i < tables; i++) {
      lastName = table(lastName);
    }
    String contradiction = Catalogue.contradiction(state.tables());
    if (contradiction != null) {
      throw new CodecException(
          in.offset(), "tables as the catalogue has them, found " + contradiction);
    }
    int open = in.varint(Limits.SESSIONS);
    long lastId = 0;
    for (int i = 0; i < open; i++) {
      long at = in.offset();
      Session session = session(true);
      check(
          at,
          session.id() > lastId && isListed(session),
          "an open session's id above " + lastId + " that is in " + StoreState.SESSION_TABLE);
      lastId = session.id();
      state.sessions().addOpen(session);
    }
    // More sessions than are kept in the long run may have ended within a short time.
    int ended = in.varint(Integer.MAX_VALUE);
    for (int i = 0; i < ended; i++) {
      state.sessions().addEnded(session(false));
    }
    in.end();
    return state;
  }

  private void rules() throws IOException {
    long at = in.offset();
    long number = in.varint();
    if (number > newest) {
      throw new UnknownRulesException(number, newest);
    }
    check(at, number > 1, "the number of rules above 1");
    state.adopt(new Rules((int) number, in.varint(Rules.MOST_MEGABYTES)));
  }

  private boolean isListed(Session session) {
    Table table = state.tables().find(StoreState.SESSION_TABLE);
    return table != null && table.entry(Counters.bytesOf(session.id())) != null;
  }

  private static void check(long at, boolean holds, String expected) {
    if (!holds) {
      throw new CodecException(at, expected);
    }
  }

  private String table(String lastName) throws IOException {
    long at = in.offset();
    String name = in.utf8(Limits.NAME_CHARS);
    check(
        at,
        Limits.isName(name) && name.compareTo(lastName) > 0,
        "a table's name that follows \"" + lastName + "\"");
    TableSpec spec = spec();
    long droppedUpTo = index();
    Table table = state.tables().restore(name, spec, droppedUpTo);
    int entries = in.varint(Integer.MAX_VALUE);
    for (int i = 0; i < entries; i++) {
      at = in.offset();
      Entry entry = new Entry(key(), value(), index());
      check(at, table.restore(entry), "a key of " + name + " above the one before");
      String violation = TableOperations.violation(name, spec, entry.value());
      if (violation != null) {
        throw new CodecException(at, "an entry of its table's kind: " + violation);
      }
    }
    int changes = in.varint(bounds.changesPerTable());
    long last = droppedUpTo;
    for (int i = 0; i < changes; i++) {
      at = in.offset();
      long index = index();
      check(at, index >= last, "the index of a change of " + name + " from " + last + " on");
      table.record(index, key(), in.flag() ? value() : null);
      last = index;
    }
    return name;
  }

  private TableSpec spec() throws IOException {
    Bytes encoded = in.bytes(MAX_SPEC_BYTES);
    try {
      return TableSpecCodec.decode(encoded);
    } catch (CodecException malformed) {
      throw malformed.behind(in.offset() - encoded.length());
    }
  }

  /** The index of an operation that was carried out. */
  private long index() throws IOException {
    long at = in.offset();
    long index = in.varint();
    check(at, index <= state.index(), "an index of at most " + state.index());
    return index;
  }

  private Session session(boolean open) throws IOException {
    long at = in.offset();
    long id = in.varint();
    check(at, Session.openedAt(id) <= state.index(), "a session of an operation that was");
    at = in.offset();
    long nonce = in.int64();
    check(at, state.sessions().findByNonce(nonce) == null, "a nonce of no other session");
    String owner = in.utf8(Limits.OWNER_BYTES);
    int timeToLive = in.varint(Limits.MAX_TIME_TO_LIVE_MILLIS);
    Session session = new Session(id, nonce, owner, timeToLive, state.sessions().recordRoom());
    session.signOfLife(in.int64());
    if (!open) {
      session.end(in.int64());
    }
    OperationRecords records = session.records();
    records.acknowledgeBelow(in.varint());
    if (version > SnapshotEncoder.VERSION_OF_RULES_ONE) {
      records.refuseUpTo(in.varint() - 1);
    }
    int count = in.varint(Limits.UNACKNOWLEDGED_OPERATIONS);
    for (int i = 0; i < count; i++) {
      record(records);
    }
    return session;
  }

  private void record(OperationRecords records) throws IOException {
    long at = in.offset();
    long operationId = in.varint();
    long span = operationId - records.acknowledgedBelow();
    check(
        at,
        span >= 0 && span < Limits.UNACKNOWLEDGED_OPERATIONS,
        "an unacknowledged operation's id, from " + records.acknowledgedBelow() + " on");
    ByteReader reply = new ByteReader(in.bytes(Integer.MAX_VALUE));
    try {
      Reply decoded = ResponseDecoder.reply(reply);
      reply.end();
      records.record(operationId, decoded);
    } catch (CodecException malformed) {
      throw malformed.behind(in.offset() - reply.offset() - reply.remaining());
    }
  }

  private Bytes key() throws IOException {
    return in.bytes(Limits.KEY_BYTES);
  }

  private Bytes value() throws IOException {
    return in.bytes(Limits.VALUE_BYTES);
  }
}
