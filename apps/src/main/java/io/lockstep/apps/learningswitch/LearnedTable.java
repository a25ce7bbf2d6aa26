package io.lockstep.apps.learningswitch;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Transaction;
import java.util.Arrays;

/**
 * The tables of learned addresses. {@code apps.learned-addresses} maps dpid (8 bytes), VLAN (2) and
 * address (6) to the port behind which the address is (4), the second in which it was last seen
 * (4), the port that it is charged to (4) and how many addresses may be charged to the port behind
 * which it is (2; in entries written without it, {@link #MAX_ADDRESSES}). {@code
 * apps.learned-address-counts} maps dpid (8), or dpid and port (4), to the number of addresses that
 * are charged to the switch or the port. All numbers are big-endian, seconds count since 1970 by
 * the store's time.
 *
 * <p>An address is charged to the port that it was first learned at. A move leaves the charge where
 * it is, so it costs one write and changes no count; once a minute {@link ForgetLearned#aged}
 * brings the charges of moved addresses to the ports where they are, and forgets those for which
 * there is no room. Invariants: a count equals the addresses charged to it, and no port is charged
 * with more than it may have. So ports that hand addresses to each other have together no more than
 * each of them may have, and one of them alone has more than that for a minute at most.
 *
 * <p>The VLAN is the id of the frame's outermost tag. An untagged frame and a priority-tagged one
 * (VLAN id 0) belong to the same VLAN, {@link #NO_VLAN}: the null id names none (IEEE 802.1Q-2018
 * section 9.6, table 9-2).
 *
 * <p>Pure functions over a transaction, with the same result on every replica.
 */
final class LearnedTable {

  static final String NAME = "apps.learned-addresses";
  static final String COUNTS = "apps.learned-address-counts";

  /** Addresses of one switch at most, as many as a common hardware switch holds. */
  static final int MAX_ADDRESSES = 8_192;

  /** Addresses charged to an edge port at most. */
  static final int MAX_AT_EDGE = 1_024;

  /** Addresses charged to a port to another switch at most: half, so that one cannot fill all. */
  static final int MAX_AT_LINK = 4_096;

  /** An address that was not seen for so long is unknown. */
  static final int MAX_AGE_SECONDS = 300;

  /** The time of an address that is seen where it was is written again when it is so old. */
  static final int REFRESH_SECONDS = 60;

  /** The VLAN of frames without a tag, or with one whose id is 0. */
  static final int NO_VLAN = 0;

  static final int DPID_BYTES = 8;
  static final int VLAN_BYTES = 2;
  static final int ADDRESS_BYTES = 6;
  static final int PORT_BYTES = 4;

  private static final int SEEN_AT = PORT_BYTES;
  private static final int CHARGED_AT = SEEN_AT + Integer.BYTES;
  private static final int MAX_AT = CHARGED_AT + PORT_BYTES;
  private static final int VALUE_BYTES = MAX_AT + Short.BYTES;

  private LearnedTable() {}

  /**
   * An address as the table holds it.
   *
   * @param maxAtPort addresses charged to {@code port} at most, up to 0xffff
   */
  record Learned(long port, long seenSeconds, long chargedPort, int maxAtPort) {
    static Learned of(Entry entry) {
      byte[] value = entry.value().shared();
      return new Learned(
          SwitchTable.unsignedInt(value, 0),
          SwitchTable.unsignedInt(value, SEEN_AT),
          SwitchTable.unsignedInt(value, CHARGED_AT),
          value.length < VALUE_BYTES
              ? MAX_ADDRESSES
              : (value[MAX_AT] & 0xff) << 8 | (value[MAX_AT + 1] & 0xff));
    }

    Bytes bytes() {
      byte[] value = new byte[VALUE_BYTES];
      SwitchTable.putInt(value, 0, port);
      SwitchTable.putInt(value, SEEN_AT, seenSeconds);
      SwitchTable.putInt(value, CHARGED_AT, chargedPort);
      value[MAX_AT] = (byte) (maxAtPort >>> 8);
      value[MAX_AT + 1] = (byte) maxAtPort;
      return Bytes.wrap(value);
    }

    /** The same at the same port, to which it is charged from now on. */
    Learned charged() {
      return new Learned(port, seenSeconds, port, maxAtPort);
    }

    boolean isMoved() {
      return chargedPort != port;
    }

    boolean isOlder(long nowSeconds, long seconds) {
      return nowSeconds - seenSeconds >= seconds;
    }
  }

  /** When an address was last seen; all that its being known depends on. */
  static long seenSeconds(Entry entry) {
    return SwitchTable.unsignedInt(entry.value().shared(), SEEN_AT);
  }

  static long nowSeconds(Transaction transaction) {
    return transaction.timeMillis() / 1_000;
  }

  /** The key of a switch's count. */
  static Bytes switchKey(byte[] dpidFrom, int dpidAt) {
    return Bytes.wrap(Arrays.copyOfRange(dpidFrom, dpidAt, dpidAt + DPID_BYTES));
  }

  /** The key of a port's count. */
  static Bytes portKey(byte[] dpidFrom, int dpidAt, long port) {
    byte[] key = new byte[DPID_BYTES + PORT_BYTES];
    System.arraycopy(dpidFrom, dpidAt, key, 0, DPID_BYTES);
    SwitchTable.putInt(key, DPID_BYTES, port);
    return Bytes.wrap(key);
  }

  static long count(Transaction transaction, Bytes key) {
    Entry entry = transaction.get(COUNTS, key);
    if (entry == null) {
      return 0;
    }
    byte[] value = entry.value().shared();
    return SwitchTable.unsignedInt(value, 0) << 32 | SwitchTable.unsignedInt(value, 4);
  }

  /** Changes a count; a count of zero takes no entry. */
  static void change(Transaction transaction, Bytes key, int delta) {
    if (delta != 0 && transaction.increment(COUNTS, key, delta) == 0) {
      transaction.remove(COUNTS, key);
    }
  }
}
