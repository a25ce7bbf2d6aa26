package io.lockstep.apps.learningswitch;

import io.lockstep.apps.learningswitch.LearnedTable.Learned;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Transaction;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Micro component {@code learning-switch.forget-addresses}: forgets addresses that {@link
 * LearnWithinBounds} learned at one switch: all, those behind one port, or those that were not seen
 * for {@link LearnedTable#MAX_AGE_SECONDS}. At most {@link #MAX_AT_ONCE} in one call, so that it
 * stays below the store's bound of keys written however many ports they are behind.
 *
 * <p>Argument: format (1 byte), which (1), dpid (8), port (4). Result: how many were forgotten (4).
 */
public final class ForgetAddresses implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "learning-switch.forget-addresses";

  /** Addresses forgotten in one call at most: each writes two keys, and one is the switch's. */
  static final int MAX_AT_ONCE = 4_096;

  private static final int FORMAT = 1;
  private static final int ALL = 0;
  private static final int AT_PORT = 1;
  private static final int AGED = 2;
  private static final int WHICH_AT = 1;
  private static final int DPID_AT = 2;
  private static final int PORT_AT = DPID_AT + SwitchTable.DPID_BYTES;
  private static final int ARGUMENT_BYTES = PORT_AT + SwitchTable.PORT_BYTES;

  /** The call that forgets a whole switch. */
  static Command all(long dpid) {
    return command(ALL, dpid, 0);
  }

  /** The call that forgets what is behind a port, at most 0xffff_ffff. */
  static Command atPort(long dpid, long port) {
    return command(AT_PORT, dpid, port);
  }

  /** The call that forgets what was not seen for long. */
  static Command aged(long dpid) {
    return command(AGED, dpid, 0);
  }

  private static Command command(int which, long dpid, long port) {
    byte[] argument = new byte[ARGUMENT_BYTES];
    argument[0] = FORMAT;
    argument[WHICH_AT] = (byte) which;
    SwitchTable.putLong(argument, DPID_AT, dpid);
    SwitchTable.putInt(argument, PORT_AT, port);
    return new Command.Call(NAME, Bytes.wrap(argument));
  }

  /** Whether the same call may find more to forget. */
  static boolean mayHaveMore(Reply reply) {
    return reply instanceof Reply.Returned returned
        && SwitchTable.unsignedInt(returned.result().shared(), 0) == MAX_AT_ONCE;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    byte[] in = argument.shared();
    if (in.length != ARGUMENT_BYTES || in[0] != FORMAT || in[WHICH_AT] < 0 || in[WHICH_AT] > AGED) {
      throw new Refusal("no switch or port of format " + FORMAT);
    }
    byte[] dpid = Arrays.copyOfRange(in, DPID_AT, PORT_AT);
    long port = SwitchTable.unsignedInt(in, PORT_AT);
    long now = LearnedTable.nowSeconds(transaction);
    List<Entry> entries =
        transaction.scan(
            LearnedTable.NAME, Bytes.copyOf(dpid), after(dpid), LearnedTable.MAX_ADDRESSES);
    int forgotten = 0;
    for (Entry entry : entries) {
      Learned learned = Learned.of(entry);
      boolean wanted =
          in[WHICH_AT] == ALL
              || (in[WHICH_AT] == AT_PORT && learned.port() == port)
              || (in[WHICH_AT] == AGED && learned.isOlder(now, LearnedTable.MAX_AGE_SECONDS));
      if (wanted && forgotten < MAX_AT_ONCE) {
        LearnedTable.remove(transaction, dpid, entry.key(), learned);
        forgotten++;
      }
    }
    byte[] result = new byte[Integer.BYTES];
    SwitchTable.putInt(result, 0, forgotten);
    return Bytes.wrap(result);
  }

  /** The end of the range of keys that begin with the dpid; null for the last dpid of all. */
  private static @Nullable Bytes after(byte[] dpid) {
    byte[] next = dpid.clone();
    for (int i = next.length - 1; i >= 0; i--) {
      if (++next[i] != 0) {
        return Bytes.wrap(next);
      }
    }
    return null;
  }
}
