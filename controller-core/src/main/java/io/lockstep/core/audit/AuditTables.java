package io.lockstep.core.audit;

import io.lockstep.store.Bytes;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.TableDef;
import java.util.List;
import java.util.Map;

/** What the audit trail needs of the store. */
public final class AuditTables {
  /** Entries by the index of the operation that appended them, so in their order. */
  static final String ENTRIES = "net.audit";

  /** One row: how many entries there are, and their bytes. */
  static final String SIZES = "net.audit-size";

  static final TableDef<Long, AuditEntry> DEF =
      TableDef.of(
          ENTRIES,
          Codec.of(AuditTables::key, AuditTables::index),
          Codec.of(AuditEntry::encode, AuditEntry::decode));

  private AuditTables() {}

  static Bytes key(long index) {
    return new ByteWriter(8).int64(index).toBytes();
  }

  private static long index(Bytes key) {
    ByteReader in = new ByteReader(key);
    long index = in.int64();
    in.end();
    return index;
  }

  /** The tables, for every node to declare. */
  public static Map<String, TableSpec> all() {
    return Map.of(ENTRIES, TableSpec.values(), SIZES, TableSpec.values());
  }

  /** The micro components, for registration in every replica. */
  public static List<MicroComponent> components() {
    return List.of(new AppendAudit());
  }
}
