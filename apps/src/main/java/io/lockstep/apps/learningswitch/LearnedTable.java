package io.lockstep.apps.learningswitch;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Transaction;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The tables {@code apps.learned}, dpid (8 bytes) and address (6) to port (4) and the second in
 * which the address was last seen (4), and {@code apps.learned-counts}, dpid (8) or dpid and port
 * (4) to how many addresses there are. All numbers big-endian; seconds since 1970 by the store's
 * time.
 *
 * <p>Pure functions over a transaction; whatever they do is the same on every replica.
 */
final class LearnedTable {

  static final String NAME = "apps.learned";
  static final String COUNTS = "apps.learned-counts";

  /** Addresses of one switch at most, as many as a common hardware switch holds. */
  static final int MAX_ADDRESSES = 8_192;

  /** Addresses behind an edge port at most. */
  static final int MAX_AT_EDGE = 1_024;

  /** Addresses behind a port to another switch at most: half, so that one port cannot fill all. */
  static final int MAX_AT_LINK = 4_096;

  /** How long an address is kept that is not seen. */
  static final int MAX_AGE_SECONDS = 300;

  /** An address that is seen is written again when its time is older than this. */
  static final int REFRESH_SECONDS = 60;

  static final int DPID_BYTES = SwitchTable.DPID_BYTES;
  static final int PORT_BYTES = SwitchTable.PORT_BYTES;
  private static final int VALUE_BYTES = PORT_BYTES + Integer.BYTES;

  private LearnedTable() {}

  /** An address as the table has it. */
  record Learned(long port, long seenSeconds) {
    static Learned of(Entry entry) {
      byte[] value = entry.value().shared();
      return new Learned(
          SwitchTable.unsignedInt(value, 0), SwitchTable.unsignedInt(value, PORT_BYTES));
    }

    Bytes bytes() {
      byte[] value = new byte[VALUE_BYTES];
      SwitchTable.putInt(value, 0, port);
      SwitchTable.putInt(value, PORT_BYTES, seenSeconds);
      return Bytes.wrap(value);
    }

    boolean isOlder(long nowSeconds, long seconds) {
      return nowSeconds - seenSeconds >= seconds;
    }
  }

  static long nowSeconds(Transaction transaction) {
    return transaction.timeMillis() / 1_000;
  }

  static @Nullable Learned get(Transaction transaction, Bytes key) {
    Entry entry = transaction.get(NAME, key);
    return entry == null ? null : Learned.of(entry);
  }

  /** Whether there is room for one more address at a port. */
  static boolean hasRoom(Transaction transaction, byte[] dpid, long port, long maxAtPort) {
    return count(transaction, Bytes.copyOf(dpid)) < MAX_ADDRESSES
        && count(transaction, portKey(dpid, port)) < maxAtPort;
  }

  private static long count(Transaction transaction, Bytes key) {
    Entry entry = transaction.get(COUNTS, key);
    if (entry == null) {
      return 0;
    }
    byte[] value = entry.value().shared();
    return SwitchTable.unsignedInt(value, 0) << 32 | SwitchTable.unsignedInt(value, 4);
  }

  static void add(Transaction transaction, byte[] dpid, Bytes key, Learned learned) {
    transaction.put(NAME, key, learned.bytes());
    change(transaction, Bytes.copyOf(dpid), 1);
    change(transaction, portKey(dpid, learned.port()), 1);
  }

  static void remove(Transaction transaction, byte[] dpid, Bytes key, Learned learned) {
    transaction.remove(NAME, key);
    change(transaction, Bytes.copyOf(dpid), -1);
    change(transaction, portKey(dpid, learned.port()), -1);
  }

  /** A count of nothing takes no entry. */
  private static void change(Transaction transaction, Bytes key, int delta) {
    if (transaction.increment(COUNTS, key, delta) == 0) {
      transaction.remove(COUNTS, key);
    }
  }

  private static Bytes portKey(byte[] dpid, long port) {
    byte[] key = Arrays.copyOf(dpid, DPID_BYTES + PORT_BYTES);
    SwitchTable.putInt(key, DPID_BYTES, port);
    return Bytes.wrap(key);
  }
}
