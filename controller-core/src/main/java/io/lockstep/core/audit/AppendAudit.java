package io.lockstep.core.audit;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Component;
import java.util.List;

/**
 * Micro component {@code audit.append}: appends an entry under the index of the operation, with the
 * store's time, and removes the oldest while there are more than {@value #MOST_ENTRIES} or they
 * take more than {@value #MOST_BYTES} bytes. Argument: an entry without a time. Result: its key.
 */
public final class AppendAudit implements MicroComponent {
  /** Entries at most. */
  public static final int MOST_ENTRIES = 10_000;

  /** Their keys and values together, in bytes. */
  public static final int MOST_BYTES = 2 << 20;

  /** An append adds one entry, so few leave; older bounds may leave more. */
  private static final int REMOVED_AT_ONCE = 64;

  private static final Bytes BEGIN = AuditTables.key(0);
  private static final Bytes SIZE = Bytes.utf8("size");

  static final Component<AuditEntry, Long> COMPONENT =
      new Component<>(
          "audit.append", Codec.of(AuditEntry::encode, AuditEntry::decode), Codec.int64());

  private final int mostEntries;
  private final int mostBytes;

  AppendAudit() {
    this(MOST_ENTRIES, MOST_BYTES);
  }

  /** With other bounds, for tests. */
  AppendAudit(int mostEntries, int mostBytes) {
    this.mostEntries = mostEntries;
    this.mostBytes = mostBytes;
  }

  /** How much the trail has. */
  private record Size(long entries, long bytes) {
    static Size of(Transaction transaction) {
      Entry stored = transaction.get(AuditTables.SIZES, SIZE);
      if (stored == null) {
        return new Size(0, 0);
      }
      ByteReader in = new ByteReader(stored.value());
      Size size = new Size(in.int64(), in.int64());
      in.end();
      return size;
    }

    Size with(Bytes key, Bytes value, int sign) {
      return new Size(entries + sign, bytes + sign * (long) (key.length() + value.length()));
    }

    Bytes encode() {
      return new ByteWriter(16).int64(entries).int64(bytes).toBytes();
    }
  }

  private boolean fits(Size size) {
    return size.entries() <= mostEntries && size.bytes() <= mostBytes;
  }

  @Override
  public String name() {
    return COMPONENT.name();
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    AuditEntry entry;
    try {
      entry = AuditEntry.decode(argument);
    } catch (CodecException malformed) {
      throw new Refusal("no entry of the audit trail: " + malformed.getMessage());
    }
    Bytes key = AuditTables.key(transaction.index());
    Bytes value = entry.at(transaction.timeMillis()).encode();
    transaction.put(AuditTables.ENTRIES, key, value);
    Size size = Size.of(transaction).with(key, value, 1);
    if (!fits(size)) {
      List<Entry> oldest = transaction.scan(AuditTables.ENTRIES, BEGIN, null, REMOVED_AT_ONCE);
      for (int i = 0; i < oldest.size() && !fits(size); i++) {
        transaction.remove(AuditTables.ENTRIES, oldest.get(i).key());
        size = size.with(oldest.get(i).key(), oldest.get(i).value(), -1);
      }
    }
    transaction.put(AuditTables.SIZES, SIZE, size.encode());
    return Codec.int64().encode(transaction.index());
  }
}
