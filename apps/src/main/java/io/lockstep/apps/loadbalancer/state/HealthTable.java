package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteWriter;

/**
 * The members that do not answer: the name of each, and since when (format, seconds since 1970 by
 * the store's time). A member that is not in it is up, so a new one takes connections at once.
 * Apart from {@link BalancerTables#MEMBERS}, so that the version of a member is that of its
 * configuration.
 */
final class HealthTable {
  private static final int FORMAT = 1;

  private HealthTable() {}

  static boolean isDown(Transaction transaction, String member) {
    return transaction.get(BalancerTables.HEALTH, ConfigNames.key(member)) != null;
  }

  /** Notes a member's health; false where that is known. */
  static boolean set(Transaction transaction, String member, boolean down) {
    Bytes key = ConfigNames.key(member);
    if (!down) {
      return transaction.remove(BalancerTables.HEALTH, key);
    }
    if (isDown(transaction, member)) {
      return false;
    }
    ByteWriter value = new ByteWriter(9).int8(FORMAT).int64(BalancerTables.nowSeconds(transaction));
    transaction.put(BalancerTables.HEALTH, key, value.toBytes());
    return true;
  }
}
