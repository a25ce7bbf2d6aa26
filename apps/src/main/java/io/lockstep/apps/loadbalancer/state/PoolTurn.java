package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * Where a pool is in its order: smooth weighted round robin. With each take each member gains its
 * weight, and the member that has most pays the sum of all weights; of equal ones it is the first.
 * All begin an epoch with nothing and have nothing again after as many takes as the sum of weights,
 * so the order repeats, and each window of that length holds each member exactly its weight times.
 */
final class PoolTurn {
  private static final int FORMAT = 1;

  private final long epoch;
  private long place;
  private final int[] gained;

  private PoolTurn(long epoch, long place, int[] gained) {
    this.epoch = epoch;
    this.place = place;
    this.gained = gained;
  }

  /** The turn of an order: where it was left, or its beginning. */
  static PoolTurn of(Transaction transaction, Bytes pool, PoolOrder order) {
    Entry entry = transaction.get(BalancerTables.TURNS, pool);
    int[] gained = new int[order.seats().size()];
    if (entry == null) {
      return new PoolTurn(order.epoch(), 0, gained);
    }
    ByteReader in = new ByteReader(entry.value());
    in.version(FORMAT, "turn of a pool");
    long epoch = in.int64();
    long place = in.int64();
    if (epoch != order.epoch()) {
      return new PoolTurn(order.epoch(), place, gained); // places go on, the order begins anew
    }
    for (int i = 0; i < gained.length; i++) {
      gained[i] = in.int32();
    }
    in.end();
    return new PoolTurn(epoch, place, gained);
  }

  /** Takes the next seat of the order and gives its number. */
  int next(PoolOrder order) {
    int sum = 0;
    int most = 0;
    for (int i = 0; i < gained.length; i++) {
      int weight = order.seats().get(i).weight();
      sum += weight;
      gained[i] += weight;
      if (gained[i] > gained[most]) {
        most = i;
      }
    }
    gained[most] -= sum;
    place++;
    return most;
  }

  /** The place of the last take in the order; the first is 1, and it never goes back. */
  long place() {
    return place;
  }

  void write(Transaction transaction, Bytes pool) {
    ByteWriter out =
        new ByteWriter(17 + Integer.BYTES * gained.length).int8(FORMAT).int64(epoch).int64(place);
    for (int each : gained) {
      out.int32(each);
    }
    transaction.put(BalancerTables.TURNS, pool, out.toBytes());
  }
}
