package io.lockstep.apps.learningswitch;

import io.lockstep.apps.learningswitch.LearnedTable.Learned;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import java.util.Arrays;

/**
 * Micro component {@code learning-switch.learn}: what {@link LearnAndForward} does, over tables
 * that bound the addresses behind each port and know when an address was last seen. What does not
 * fit is not learned; an address that moved to a port without room is forgotten, so that packets to
 * it are flooded. An address that was not seen for {@link LearnedTable#MAX_AGE_SECONDS} is unknown,
 * also before it is removed.
 *
 * <p>Argument: format (1 byte), dpid (8), source (6), ingress port (4), destination (6), addresses
 * behind the port at most (4). Result: as {@link LearnAndForward}.
 */
public final class LearnWithinBounds implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "learning-switch.learn";

  private static final int FORMAT = 1;
  private static final int DPID_AT = 1;
  private static final int SOURCE_AT = DPID_AT + SwitchTable.DPID_BYTES;
  private static final int PORT_AT = SOURCE_AT + SwitchTable.ADDRESS_BYTES;
  private static final int DESTINATION_AT = PORT_AT + SwitchTable.PORT_BYTES;
  private static final int LIMIT_AT = DESTINATION_AT + SwitchTable.ADDRESS_BYTES;
  private static final int ARGUMENT_BYTES = LIMIT_AT + Integer.BYTES;
  private static final int RESULT_BYTES = 1 + SwitchTable.PORT_BYTES;
  private static final int KNOWN = 1;
  private static final int MOVED = 2;

  /**
   * The call for one packet.
   *
   * @param port the ingress port, at most 0xffff_ffff
   * @param frame begins with destination and source address
   * @param maxAtPort addresses behind the port at most
   */
  static Command command(long dpid, long port, byte[] frame, int maxAtPort) {
    byte[] argument = new byte[ARGUMENT_BYTES];
    argument[0] = FORMAT;
    SwitchTable.putLong(argument, DPID_AT, dpid);
    System.arraycopy(
        frame, SwitchTable.ADDRESS_BYTES, argument, SOURCE_AT, SwitchTable.ADDRESS_BYTES);
    SwitchTable.putInt(argument, PORT_AT, port);
    System.arraycopy(frame, 0, argument, DESTINATION_AT, SwitchTable.ADDRESS_BYTES);
    SwitchTable.putInt(argument, LIMIT_AT, maxAtPort);
    return new Command.Call(NAME, Bytes.wrap(argument));
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
    byte[] result = new byte[RESULT_BYTES];
    long now = LearnedTable.nowSeconds(transaction);
    if (learn(transaction, in, now)) {
      result[0] |= MOVED;
    }
    if (!SwitchTable.isGroup(in, DESTINATION_AT)) {
      Bytes key = SwitchTable.key(in, DPID_AT, in, DESTINATION_AT);
      Learned destination = LearnedTable.get(transaction, key);
      if (destination != null && !destination.isOlder(now, LearnedTable.MAX_AGE_SECONDS)) {
        result[0] |= KNOWN;
        SwitchTable.putInt(result, 1, destination.port());
      }
    }
    return Bytes.wrap(result);
  }

  /** Learns the source; true where it was at another port. */
  private static boolean learn(Transaction transaction, byte[] in, long now) {
    if (SwitchTable.isGroup(in, SOURCE_AT) || SwitchTable.isZero(in, SOURCE_AT)) {
      return false;
    }
    byte[] dpid = Arrays.copyOfRange(in, DPID_AT, DPID_AT + SwitchTable.DPID_BYTES);
    Bytes key = SwitchTable.key(in, DPID_AT, in, SOURCE_AT);
    Learned here = new Learned(SwitchTable.unsignedInt(in, PORT_AT), now);
    Learned known = LearnedTable.get(transaction, key);
    if (known != null && known.port() == here.port()) {
      if (known.isOlder(now, LearnedTable.REFRESH_SECONDS)) {
        transaction.put(LearnedTable.NAME, key, here.bytes());
      }
      return false;
    }
    if (known != null) {
      LearnedTable.remove(transaction, dpid, key, known);
    }
    long limit = SwitchTable.unsignedInt(in, LIMIT_AT);
    if (LearnedTable.hasRoom(transaction, dpid, here.port(), limit)) {
      LearnedTable.add(transaction, dpid, key, here);
    }
    return known != null;
  }
}
