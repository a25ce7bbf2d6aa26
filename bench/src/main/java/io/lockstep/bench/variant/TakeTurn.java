package io.lockstep.bench.variant;

import io.lockstep.bench.variant.BalancedService.Cursor;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Micro component {@code lbv.take}: takes the turn of a pool's next member and reads the member's
 * address, if the virtual IP is as it was read. Argument: name of the pool; and, where the virtual
 * IP came from a cache, its name and version. Result: what came of it (1 byte), place (varint) and
 * the member's IP (4) and port (2).
 */
record TakeTurn() implements MicroComponent {
  static final String NAME = "lbv.take";

  private static final int TAKEN = 0;
  private static final int NO_MEMBER = 1;
  private static final int OUTDATED = 2;
  private static final int ADDRESS_BYTES = 6;

  /** The call that takes a turn. */
  static Command command(Bytes pool) {
    return new Command.Call(NAME, new ByteWriter(16).bytes(pool).toBytes());
  }

  /** The same if the virtual IP still has this version. */
  static Command command(Bytes pool, Bytes vip, long version) {
    return new Command.Call(
        NAME, new ByteWriter(32).bytes(pool).bytes(vip).varint(version).toBytes());
  }

  /**
   * A turn that was taken.
   *
   * @param member its address, null where the pool has none
   */
  record Taken(@Nullable Bytes member, long place) {
    /** Whether the virtual IP has changed; nothing was taken. */
    static boolean isOutdated(Reply reply) {
      return reply instanceof Reply.Returned returned && returned.result().at(0) == OUTDATED;
    }

    /** What was taken; null where the store gave no result. */
    static @Nullable Taken of(Reply reply) {
      if (!(reply instanceof Reply.Returned returned)) {
        return null;
      }
      ByteReader in = new ByteReader(returned.result());
      if (in.uint8() != TAKEN) {
        return new Taken(null, 0);
      }
      long place = in.varint();
      return new Taken(
          new ByteWriter(ADDRESS_BYTES).int32(in.int32()).int16(in.uint16()).toBytes(), place);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    try {
      ByteReader in = new ByteReader(argument);
      Bytes pool = in.bytes(BalancedService.MOST_NAME_BYTES);
      if (in.remaining() > 0) {
        Bytes vip = in.bytes(BalancedService.MOST_NAME_BYTES);
        Entry entry = transaction.get(BalancedService.VIPS, vip);
        if (entry == null || entry.version() != in.varint()) {
          return Bytes.copyOf((byte) OUTDATED);
        }
      }
      return take(transaction, pool);
    } catch (CodecException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
  }

  private static Bytes take(Transaction transaction, Bytes pool) {
    Entry entry = transaction.get(BalancedService.POOLS, pool);
    Cursor cursor = entry == null ? new Cursor(0, List.of()) : Cursor.of(entry.value());
    Row member =
        cursor.isEmpty()
            ? null
            : transaction.getColumns(
                BalancedService.MEMBERS, cursor.member(), List.of(BalancedService.ADDRESS));
    Bytes address = member == null ? null : member.get(BalancedService.ADDRESS);
    if (address == null) {
      return Bytes.copyOf((byte) NO_MEMBER);
    }
    transaction.put(BalancedService.POOLS, pool, cursor.next().bytes());
    return new ByteWriter(16)
        .int8(TAKEN)
        .varint(cursor.taken() + 1)
        .raw(address.shared())
        .toBytes();
  }
}
