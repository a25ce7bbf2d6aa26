package io.lockstep.apps.learningswitch;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import java.util.Arrays;

/**
 * Micro component {@code learning-switch.forward}: associates a packet's source with the port it
 * came in on and reads the port of its destination, in one ordered operation (workload
 * ls-ucast-micro of the paper; ls-bcast where the destination is a group, which is never looked
 * up). A source that is already at that port is not written again. Group and zero addresses are
 * never learned.
 *
 * <p>Argument: format (1 byte), dpid (8), source (6), ingress port (4), destination (6). Result:
 * flags (1) and egress port (4).
 *
 * <p>Replayed from logs of earlier releases, and no longer called by the product: {@link
 * LearnInVlan} took its place, since the key here has no VLAN and one port can fill the table. What
 * it does must not change.
 */
public final class LearnAndForward implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "learning-switch.forward";

  /** Its table: dpid (8 bytes) and address (6) to port (4). */
  public static final String TABLE = SwitchTable.NAME;

  private static final int FORMAT = 1;
  private static final int DPID_AT = 1;
  private static final int SOURCE_AT = DPID_AT + SwitchTable.DPID_BYTES;
  private static final int PORT_AT = SOURCE_AT + SwitchTable.ADDRESS_BYTES;
  private static final int DESTINATION_AT = PORT_AT + SwitchTable.PORT_BYTES;
  private static final int ARGUMENT_BYTES = DESTINATION_AT + SwitchTable.ADDRESS_BYTES;
  private static final int RESULT_BYTES = 1 + SwitchTable.PORT_BYTES;
  private static final int KNOWN = 1;
  private static final int MOVED = 2;

  /**
   * The call for one packet.
   *
   * @param port the ingress port, at most 0xffff_ffff
   * @param frame begins with destination and source address
   */
  public static Command command(long dpid, long port, byte[] frame) {
    byte[] argument = new byte[ARGUMENT_BYTES];
    argument[0] = FORMAT;
    SwitchTable.putLong(argument, DPID_AT, dpid);
    System.arraycopy(
        frame, SwitchTable.ADDRESS_BYTES, argument, SOURCE_AT, SwitchTable.ADDRESS_BYTES);
    SwitchTable.putInt(argument, PORT_AT, port);
    System.arraycopy(frame, 0, argument, DESTINATION_AT, SwitchTable.ADDRESS_BYTES);
    return new Command.Call(NAME, Bytes.wrap(argument));
  }

  /**
   * What the store knows.
   *
   * @param moved whether the source was at another port before
   * @param known whether the destination was learned
   * @param egress the destination's port where it is known
   */
  public record Result(boolean moved, boolean known, long egress) {
    /**
     * Reads what a call returned.
     *
     * @throws IllegalArgumentException where it is no result of this component
     */
    public static Result of(Bytes bytes) {
      byte[] octets = bytes.shared();
      if (octets.length != RESULT_BYTES) {
        throw new IllegalArgumentException(NAME + " returned " + octets.length + " bytes");
      }
      return new Result(
          (octets[0] & MOVED) != 0, (octets[0] & KNOWN) != 0, SwitchTable.unsignedInt(octets, 1));
    }
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
    if (learn(transaction, in)) {
      result[0] |= MOVED;
    }
    if (!SwitchTable.isGroup(in, DESTINATION_AT)) {
      Bytes key = SwitchTable.key(in, DPID_AT, in, DESTINATION_AT);
      Entry destination = transaction.get(SwitchTable.NAME, key);
      if (destination != null) {
        result[0] |= KNOWN;
        System.arraycopy(destination.value().shared(), 0, result, 1, SwitchTable.PORT_BYTES);
      }
    }
    return Bytes.wrap(result);
  }

  /** Learns the source; true where it was at another port. */
  private static boolean learn(Transaction transaction, byte[] in) {
    if (SwitchTable.isGroup(in, SOURCE_AT) || SwitchTable.isZero(in, SOURCE_AT)) {
      return false;
    }
    Bytes key = SwitchTable.key(in, DPID_AT, in, SOURCE_AT);
    Bytes port = Bytes.wrap(Arrays.copyOfRange(in, PORT_AT, PORT_AT + SwitchTable.PORT_BYTES));
    Entry known = transaction.get(SwitchTable.NAME, key);
    if (known != null) {
      if (known.value().equals(port)) {
        return false;
      }
      transaction.put(SwitchTable.NAME, key, port);
      return true;
    }
    Bytes counter = Bytes.wrap(Arrays.copyOfRange(in, DPID_AT, DPID_AT + SwitchTable.DPID_BYTES));
    if (transaction.increment(SwitchTable.NAME, counter, 1) > SwitchTable.MAX_ADDRESSES) {
      transaction.increment(SwitchTable.NAME, counter, -1);
    } else {
      transaction.put(SwitchTable.NAME, key, port);
    }
    return false;
  }
}
