package io.lockstep.apps.learningswitch;

import io.lockstep.apps.learningswitch.LearnedTable.Learned;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import java.util.Arrays;

/**
 * Micro component {@code learning-switch.learn-vlan}: associates a packet's source in its VLAN with
 * the port it came in on and reads the port of its destination in the same VLAN, in one ordered
 * operation (workload ls-ucast-micro of the paper; ls-bcast where the destination is a group, which
 * is never looked up). Group and zero addresses are never learned.
 *
 * <p>A source that is where it was is written only when its time is {@link
 * LearnedTable#REFRESH_SECONDS} old. A new one is not learned where its port or its switch has as
 * many addresses as it may ({@link LearnedTable}); one that moves to a full port is forgotten, so
 * packets to it are flooded. A destination that was not seen for {@link
 * LearnedTable#MAX_AGE_SECONDS} is unknown, also before {@link ForgetLearned} removes it.
 *
 * <p>Argument: format (1 byte), dpid (8), VLAN (2), source (6), ingress port (4), destination (6),
 * addresses charged to the port at most (2). Result: flags (1) and egress port (4).
 */
public final class LearnInVlan implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "learning-switch.learn-vlan";

  private static final int FORMAT = 1;
  private static final int DPID_AT = 1;
  private static final int VLAN_AT = DPID_AT + LearnedTable.DPID_BYTES;
  private static final int SOURCE_AT = VLAN_AT + LearnedTable.VLAN_BYTES;
  private static final int PORT_AT = SOURCE_AT + LearnedTable.ADDRESS_BYTES;
  private static final int DESTINATION_AT = PORT_AT + LearnedTable.PORT_BYTES;
  private static final int LIMIT_AT = DESTINATION_AT + LearnedTable.ADDRESS_BYTES;
  private static final int ARGUMENT_BYTES = LIMIT_AT + Short.BYTES;
  private static final int RESULT_BYTES = 1 + LearnedTable.PORT_BYTES;
  private static final int KNOWN = 1;
  private static final int MOVED = 2;
  private static final int FULL = 4;

  /**
   * The call for one packet.
   *
   * @param vlan the VLAN id, 0 to 0xffff
   * @param port the ingress port, at most 0xffff_ffff
   * @param frame begins with destination and source address
   * @param maxAtPort addresses charged to the port at most, up to 0xffff
   */
  static Command command(long dpid, int vlan, long port, byte[] frame, int maxAtPort) {
    byte[] argument = new byte[ARGUMENT_BYTES];
    argument[0] = FORMAT;
    SwitchTable.putLong(argument, DPID_AT, dpid);
    putShort(argument, VLAN_AT, vlan);
    System.arraycopy(
        frame, LearnedTable.ADDRESS_BYTES, argument, SOURCE_AT, LearnedTable.ADDRESS_BYTES);
    SwitchTable.putInt(argument, PORT_AT, port);
    System.arraycopy(frame, 0, argument, DESTINATION_AT, LearnedTable.ADDRESS_BYTES);
    putShort(argument, LIMIT_AT, maxAtPort);
    return new Command.Call(NAME, Bytes.wrap(argument));
  }

  private static void putShort(byte[] to, int at, int value) {
    to[at] = (byte) (value >>> 8);
    to[at + 1] = (byte) value;
  }

  /**
   * What the store knows.
   *
   * @param moved whether the source was at another port before
   * @param full whether the source is not in the table, for its port or switch has no room
   * @param known whether the destination was learned
   * @param egress the destination's port where it is known
   */
  public record Result(boolean moved, boolean full, boolean known, long egress) {
    static Result of(Bytes bytes) {
      byte[] octets = bytes.shared();
      if (octets.length != RESULT_BYTES) {
        throw new IllegalArgumentException(NAME + " returned " + octets.length + " bytes");
      }
      return new Result(
          (octets[0] & MOVED) != 0,
          (octets[0] & FULL) != 0,
          (octets[0] & KNOWN) != 0,
          SwitchTable.unsignedInt(octets, 1));
    }
  }

  /** Whether the packet of a call went to a group; for those who read traces of calls. */
  public static boolean isToGroup(Bytes argument) {
    return SwitchTable.isGroup(argument.shared(), DESTINATION_AT);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    byte[] in = argument.shared();
    if (in.length != ARGUMENT_BYTES || in[0] != FORMAT) {
      throw new Refusal("no packet of format " + FORMAT);
    }
    long now = LearnedTable.nowSeconds(transaction);
    byte[] result = new byte[RESULT_BYTES];
    result[0] = (byte) learn(transaction, in, now);
    if (!SwitchTable.isGroup(in, DESTINATION_AT)) {
      byte[] key = Arrays.copyOfRange(in, DPID_AT, PORT_AT);
      System.arraycopy(in, DESTINATION_AT, key, SOURCE_AT - DPID_AT, LearnedTable.ADDRESS_BYTES);
      Entry destination = transaction.get(LearnedTable.NAME, Bytes.wrap(key));
      if (destination != null
          && now - LearnedTable.seenSeconds(destination) < LearnedTable.MAX_AGE_SECONDS) {
        result[0] |= KNOWN;
        System.arraycopy(destination.value().shared(), 0, result, 1, LearnedTable.PORT_BYTES);
      }
    }
    return Bytes.wrap(result);
  }

  /** Learns the source; gives the flags {@link #MOVED} and {@link #FULL} where they hold. */
  private static int learn(Transaction transaction, byte[] in, long now) {
    if (SwitchTable.isGroup(in, SOURCE_AT) || SwitchTable.isZero(in, SOURCE_AT)) {
      return 0;
    }
    // Dpid, VLAN and address stand in the argument as in the key.
    Bytes key = Bytes.wrap(Arrays.copyOfRange(in, DPID_AT, PORT_AT));
    long port = SwitchTable.unsignedInt(in, PORT_AT);
    Entry entry = transaction.get(LearnedTable.NAME, key);
    int limit = (in[LIMIT_AT] & 0xff) << 8 | (in[LIMIT_AT + 1] & 0xff);
    if (entry == null) {
      return learnNew(transaction, in, key, new Learned(port, now, port, limit)) ? 0 : FULL;
    }
    Learned known = Learned.of(entry);
    boolean moved = known.port() != port;
    if (moved
        && known.chargedPort() != port
        && isFull(transaction, LearnedTable.portKey(in, DPID_AT, port), limit)) {
      forget(transaction, in, key, known);
      return MOVED | FULL;
    }
    if (moved || known.isOlder(now, LearnedTable.REFRESH_SECONDS)) {
      Learned seen = new Learned(port, now, known.chargedPort(), limit);
      transaction.put(LearnedTable.NAME, key, seen.bytes());
    }
    return moved ? MOVED : 0;
  }

  /** Learns an address that is not in the table; false where there is no room. */
  private static boolean learnNew(Transaction transaction, byte[] in, Bytes key, Learned learned) {
    Bytes portKey = LearnedTable.portKey(in, DPID_AT, learned.port());
    Bytes switchKey = LearnedTable.switchKey(in, DPID_AT);
    if (isFull(transaction, portKey, learned.maxAtPort())
        || isFull(transaction, switchKey, LearnedTable.MAX_ADDRESSES)) {
      return false;
    }
    LearnedTable.change(transaction, portKey, 1);
    LearnedTable.change(transaction, switchKey, 1);
    transaction.put(LearnedTable.NAME, key, learned.bytes());
    return true;
  }

  private static boolean isFull(Transaction transaction, Bytes countKey, int limit) {
    return LearnedTable.count(transaction, countKey) >= limit;
  }

  private static void forget(Transaction transaction, byte[] in, Bytes key, Learned known) {
    Bytes chargedKey = LearnedTable.portKey(in, DPID_AT, known.chargedPort());
    LearnedTable.change(transaction, chargedKey, -1);
    LearnedTable.change(transaction, LearnedTable.switchKey(in, DPID_AT), -1);
    transaction.remove(LearnedTable.NAME, key);
  }
}
