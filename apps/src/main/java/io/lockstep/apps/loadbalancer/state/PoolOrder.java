package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members of a pool that take connections, in the order of their names. Written only when they
 * change, so that a take reads one row.
 *
 * @param epoch the index of the operation that changed them; another one with each change
 */
record PoolOrder(long epoch, List<Seat> seats) {
  private static final int FORMAT = 1;

  /** A member and how often it is taken in one round. */
  record Seat(String member, int ip, int port, int weight) {}

  PoolOrder {
    seats = List.copyOf(seats);
  }

  static @Nullable PoolOrder read(Transaction transaction, Bytes pool) {
    Entry entry = transaction.get(BalancerTables.ORDERS, pool);
    return entry == null ? null : of(entry.value());
  }

  private static PoolOrder of(Bytes value) {
    ByteReader in = new ByteReader(value);
    in.version(FORMAT, "order of a pool");
    long epoch = in.int64();
    int count = in.uint8();
    List<Seat> seats = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int ip = in.int32();
      int port = in.uint16();
      int weight = in.uint16();
      seats.add(new Seat(in.utf8(ConfigNames.MOST_CHARS), ip, port, weight));
    }
    in.end();
    return new PoolOrder(epoch, seats);
  }

  private Bytes bytes() {
    ByteWriter out = new ByteWriter(16 + 32 * seats.size()).int8(FORMAT).int64(epoch);
    out.int8(seats.size());
    for (Seat seat : seats) {
      out.int32(seat.ip()).int16(seat.port()).int16(seat.weight()).utf8(seat.member());
    }
    return out.toBytes();
  }

  /**
   * Brings the order of a pool up to date with its members, their states and their health. Begins
   * an epoch only where something that matters to takes changed.
   */
  static void renew(Transaction transaction, Pool pool) {
    Bytes key = ConfigNames.key(pool.name());
    List<Seat> seats = new ArrayList<>();
    for (Entry entry : BalancerTables.all(transaction, BalancerTables.MEMBERS, Member.MOST)) {
      Member member = Member.of(ConfigNames.of(entry.key()), entry.value());
      if (member.pool().equals(pool.name())
          && member.state() == Member.State.ENABLED
          && !HealthTable.isDown(transaction, member.name())) {
        int weight = pool.method() == Pool.Method.WEIGHTED ? member.weight() : 1;
        seats.add(new Seat(member.name(), member.ip(), member.port(), weight));
      }
    }
    PoolOrder before = read(transaction, key);
    if (before == null || !before.seats.equals(seats)) {
      transaction.put(
          BalancerTables.ORDERS, key, new PoolOrder(transaction.index(), seats).bytes());
    }
  }

  /** Forgets the order of a pool that is removed, and its turn. */
  static void remove(Transaction transaction, Bytes pool) {
    transaction.remove(BalancerTables.ORDERS, pool);
    transaction.remove(BalancerTables.TURNS, pool);
  }
}
