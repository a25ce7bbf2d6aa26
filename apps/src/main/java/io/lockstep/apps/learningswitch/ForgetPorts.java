package io.lockstep.apps.learningswitch;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Micro component {@code learning-switch.forget}: forgets all addresses of a switch, or those
 * behind one of its ports.
 *
 * <p>Argument: format (1 byte), dpid (8) and, for one port, the port (4). Result: how many
 * addresses were forgotten (4).
 *
 * <p>Replayed from logs of earlier releases, no longer called: {@link ForgetLearned} took its
 * place. What it does must not change.
 */
public final class ForgetPorts implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "learning-switch.forget";

  private static final int FORMAT = 1;
  private static final int DPID_AT = 1;
  private static final int SWITCH_BYTES = DPID_AT + SwitchTable.DPID_BYTES;
  private static final int PORT_BYTES = SWITCH_BYTES + SwitchTable.PORT_BYTES;

  /** The call that forgets a whole switch. */
  static Command command(long dpid) {
    byte[] argument = new byte[SWITCH_BYTES];
    argument[0] = FORMAT;
    SwitchTable.putLong(argument, DPID_AT, dpid);
    return new Command.Call(NAME, Bytes.wrap(argument));
  }

  /** The call that forgets what is behind a port, at most 0xffff_ffff. */
  static Command command(long dpid, long port) {
    byte[] argument = new byte[PORT_BYTES];
    argument[0] = FORMAT;
    SwitchTable.putLong(argument, DPID_AT, dpid);
    SwitchTable.putInt(argument, SWITCH_BYTES, port);
    return new Command.Call(NAME, Bytes.wrap(argument));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    byte[] in = argument.shared();
    if ((in.length != SWITCH_BYTES && in.length != PORT_BYTES) || in[0] != FORMAT) {
      throw new Refusal("no switch or port of format " + FORMAT);
    }
    Bytes dpid = Bytes.copyOf(Arrays.copyOfRange(in, DPID_AT, SWITCH_BYTES));
    Bytes port =
        in.length == PORT_BYTES
            ? Bytes.copyOf(Arrays.copyOfRange(in, SWITCH_BYTES, PORT_BYTES))
            : null;
    int forgotten = 0;
    List<Entry> entries =
        transaction.scan(SwitchTable.NAME, dpid, after(dpid), SwitchTable.MAX_ADDRESSES + 1);
    for (Entry entry : entries) {
      boolean address = entry.key().length() > SwitchTable.DPID_BYTES;
      if (address && (port == null || entry.value().equals(port))) {
        transaction.remove(SwitchTable.NAME, entry.key());
        forgotten++;
      }
    }
    if (forgotten > 0) {
      transaction.increment(SwitchTable.NAME, dpid, -forgotten);
    }
    byte[] result = new byte[Integer.BYTES];
    SwitchTable.putInt(result, 0, forgotten);
    return Bytes.wrap(result);
  }

  /** The end of the range of keys that begin with the dpid; null for the last dpid of all. */
  private static @Nullable Bytes after(Bytes dpid) {
    byte[] next = dpid.toArray();
    for (int i = next.length - 1; i >= 0; i--) {
      if (++next[i] != 0) {
        return Bytes.wrap(next);
      }
    }
    return null;
  }
}
