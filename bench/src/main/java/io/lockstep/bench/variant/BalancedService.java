package io.lockstep.bench.variant;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.RowCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A virtual IP with its pool and members, as the paper's load balancer has them in the store: the
 * IP leads to the virtual IP, that to the pool, and the pool's cursor to a member. From {@link
 * Variant#COLS} on, virtual IPs and members are rows.
 *
 * @param name of the virtual IP
 * @param mac its MAC address
 * @param pool name of the pool
 * @param members in the order of their turns
 */
public record BalancedService(String name, int ip, long mac, String pool, List<Server> members) {
  static final String PREFIX = "apps.load-balancer.variant.";
  static final String IPS = PREFIX + "ips";
  static final String VIPS = PREFIX + "vips";
  static final String POOLS = PREFIX + "pools";
  static final String MEMBERS = PREFIX + "members";

  /** Columns of a virtual IP that a packet needs. */
  static final List<String> VIP_COLUMNS = List.of("mac", "pool");

  /** Column of a member: IP and port. */
  static final String ADDRESS = "address";

  static final int MOST_NAME_BYTES = 64;
  private static final int MOST_MEMBERS = 64;

  public BalancedService {
    members = List.copyOf(members);
  }

  /** A member of the pool. */
  public record Server(String name, int ip, int port) {
    Bytes address() {
      return new ByteWriter(6).int32(ip).int16(port).toBytes();
    }
  }

  /** The tables of a variant. */
  static Map<String, TableSpec> tables(Variant variant) {
    TableSpec parts = variant.has(Variant.COLS) ? TableSpec.columns() : TableSpec.values();
    Map<String, TableSpec> all = new LinkedHashMap<>();
    all.put(VIPS, parts);
    all.put(IPS, variant.has(Variant.CREF) ? TableSpec.reference(VIPS) : TableSpec.values());
    all.put(POOLS, TableSpec.values());
    all.put(MEMBERS, parts);
    return all;
  }

  /** What puts it into the store, with the turn of the first member. */
  public List<Command> preparation(Variant variant) {
    boolean rows = variant.has(Variant.COLS);
    List<Command> all = new ArrayList<>();
    all.add(put(VIPS, Bytes.utf8(name), vipRow(), rows));
    all.add(new Command.Put(IPS, ipKey(ip), Bytes.utf8(name)));
    all.add(
        new Command.Put(
            POOLS,
            Bytes.utf8(pool),
            new Cursor(0, members.stream().map(Server::name).toList()).bytes()));
    for (Server member : members) {
      Row row =
          Row.of(
              Map.of(
                  ADDRESS,
                  member.address(),
                  "name",
                  Bytes.utf8(member.name()),
                  "pool",
                  Bytes.utf8(pool)));
      all.add(put(MEMBERS, Bytes.utf8(member.name()), row, rows));
    }
    return all;
  }

  private static Command put(String table, Bytes key, Row row, boolean rows) {
    return rows
        ? new Command.PutColumns(table, key, row)
        : new Command.Put(table, key, RowCodec.encode(row));
  }

  private Row vipRow() {
    return Row.of(
        Map.of(
            "mac", new ByteWriter(8).int64(mac).toBytes(),
            "pool", Bytes.utf8(pool),
            "name", Bytes.utf8(name),
            "address", ipKey(ip)));
  }

  static Bytes ipKey(int ip) {
    return new ByteWriter(4).int32(ip).toBytes();
  }

  /**
   * A pool in the store.
   *
   * @param taken how many turns were taken
   */
  record Cursor(long taken, List<String> members) {
    static Cursor of(Bytes value) {
      ByteReader in = new ByteReader(value);
      long taken = in.int64();
      int count = in.count(MOST_MEMBERS, 1);
      List<String> members = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        members.add(in.utf8(MOST_NAME_BYTES));
      }
      in.end();
      return new Cursor(taken, members);
    }

    Bytes bytes() {
      ByteWriter out = new ByteWriter(16 + 16 * members.size()).int64(taken);
      out.varint(members.size());
      members.forEach(out::utf8);
      return out.toBytes();
    }

    /** Whether there is no member whose turn it could be. */
    boolean isEmpty() {
      return members.isEmpty();
    }

    /** The key of the member whose turn it is. */
    Bytes member() {
      return Bytes.utf8(members.get((int) (taken % members.size())));
    }

    Cursor next() {
      return new Cursor(taken + 1, members);
    }
  }
}
