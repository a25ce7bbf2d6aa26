package io.lockstep.core.host;

import io.lockstep.core.app.TableRange;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Component;
import java.util.ArrayList;
import java.util.List;

/**
 * Micro component {@code hosts.find}: reads hosts by an index, with their records, as of one
 * operation; writes nothing. So an index entry and its record always belong together.
 *
 * <p>Argument: format (1 byte) and {@link HostQuery}. Result: whether there are more (1 byte), the
 * number of hosts, and for each its key and its record.
 */
public final class FindHosts implements MicroComponent {

  /** Hosts in one answer at most: with their longest records some 320 KB. */
  static final int MAX_HOSTS = 1_000;

  private static final int FORMAT = 1;

  static final Component<HostQuery, Found> COMPONENT =
      new Component<>(
          "hosts.find",
          Codec.of(FindHosts::encode, FindHosts::decode),
          Codec.of(Found::encode, Found::decode));

  /** A host with its key. */
  record Keyed(HostKey key, HostEntity host) {}

  /**
   * Hosts in the order of their keys in the index.
   *
   * @param more whether there are further ones behind the last
   */
  record Found(List<Keyed> hosts, boolean more) {
    Found {
      hosts = List.copyOf(hosts);
    }

    private Bytes encode() {
      ByteWriter out = new ByteWriter(128 * hosts.size() + 8).flag(more).varint(hosts.size());
      for (Keyed one : hosts) {
        out.bytes(HostEntityTable.CODEC.encodeKey(one.key()))
            .bytes(HostEntityTable.CODEC.encodeValue(one.host()));
      }
      return out.toBytes();
    }

    private static Found decode(Bytes bytes) {
      ByteReader in = new ByteReader(bytes);
      boolean more = in.flag();
      int count = in.count(MAX_HOSTS, HostEntityTable.KEY_BYTES);
      List<Keyed> hosts = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        hosts.add(
            new Keyed(
                HostEntityTable.CODEC.decodeKey(in.bytes(HostEntityTable.KEY_BYTES)),
                HostEntityTable.CODEC.decodeValue(in.bytes(HostEntityTable.MAX_BYTES))));
      }
      in.end();
      return new Found(hosts, more);
    }
  }

  private static Bytes encode(HostQuery query) {
    return new ByteWriter(64).int8(FORMAT).raw(query.encode().toArray()).toBytes();
  }

  private static HostQuery decode(Bytes argument) {
    ByteReader in = new ByteReader(argument);
    in.version(FORMAT, "query for hosts");
    HostQuery query = HostQuery.read(in);
    in.end();
    return query;
  }

  @Override
  public String name() {
    return COMPONENT.name();
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    HostQuery query;
    try {
      query = COMPONENT.argument().decode(argument);
    } catch (CodecException malformed) {
      throw new Refusal("no query for hosts of format " + FORMAT);
    }
    String table = query.by().table;
    TableRange range = TableRange.prefix(table, query.prefix());
    Bytes after = query.after();
    Bytes from = after == null ? range.from() : HostIndexes.key(after, Bytes.wrap(new byte[1]));
    List<Keyed> found = new ArrayList<>();
    for (Entry entry : transaction.scan(table, from, range.to(), MAX_HOSTS + 1)) {
      if (found.size() == MAX_HOSTS) {
        return COMPONENT.result().encode(new Found(found, true));
      }
      found.add(keyed(transaction, query.by(), entry));
    }
    return COMPONENT.result().encode(new Found(found, false));
  }

  private static Keyed keyed(Transaction transaction, HostQuery.By by, Entry entry) throws Refusal {
    Entry record =
        by == HostQuery.By.KEY ? entry : transaction.get(HostEntityTable.NAME, entry.value());
    if (record == null) {
      throw new Refusal("an index of hosts has an entry without a host");
    }
    return new Keyed(
        HostEntityTable.CODEC.decodeKey(record.key()),
        HostEntityTable.CODEC.decodeValue(record.value()));
  }
}
