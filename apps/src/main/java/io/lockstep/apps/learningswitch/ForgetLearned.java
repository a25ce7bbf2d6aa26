package io.lockstep.apps.learningswitch;

import io.lockstep.apps.learningswitch.LearnedTable.Learned;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Micro component {@code learning-switch.forget-learned}: forgets addresses that {@link
 * LearnInVlan} learned at one switch, in all VLANs: all, those behind one port, or those that were
 * not seen for {@link LearnedTable#MAX_AGE_SECONDS}. The last kind also charges addresses that
 * moved to the ports where they are, and forgets those whose port has no room for them. One call
 * changes {@link #MAX_AT_ONCE} addresses at most.
 *
 * <p>Argument: format (1 byte), which (1), dpid (8), port (4). Result: how many addresses were
 * forgotten or charged to another port (4).
 */
public final class ForgetLearned implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "learning-switch.forget-learned";

  /**
   * Addresses changed in one call at most: each writes its own key and those of two ports' counts
   * at most, which together stay below the store's 10 000 keys written in one call.
   */
  static final int MAX_AT_ONCE = 3_000;

  private static final int FORMAT = 1;
  private static final int ALL = 0;
  private static final int AT_PORT = 1;
  private static final int AGED = 2;
  private static final int WHICH_AT = 1;
  private static final int DPID_AT = 2;
  private static final int PORT_AT = DPID_AT + LearnedTable.DPID_BYTES;
  private static final int ARGUMENT_BYTES = PORT_AT + LearnedTable.PORT_BYTES;

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

  /** Whether the same call may find more to change. */
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
    long port = SwitchTable.unsignedInt(in, PORT_AT);
    long now = LearnedTable.nowSeconds(transaction);
    Bytes dpid = LearnedTable.switchKey(in, DPID_AT);
    List<Entry> entries =
        transaction.scan(LearnedTable.NAME, dpid, after(dpid), LearnedTable.MAX_ADDRESSES);
    Map<Long, Integer> charges = new TreeMap<>();
    List<Entry> moved = new ArrayList<>();
    int forgotten = 0;
    int changed = 0;
    for (Entry entry : entries) {
      Learned learned = Learned.of(entry);
      boolean forget =
          switch (in[WHICH_AT]) {
            case ALL -> true;
            case AT_PORT -> learned.port() == port;
            default -> learned.isOlder(now, LearnedTable.MAX_AGE_SECONDS);
          };
      if (forget) {
        transaction.remove(LearnedTable.NAME, entry.key());
        charges.merge(learned.chargedPort(), -1, Integer::sum);
        forgotten++;
        changed++;
      } else if (in[WHICH_AT] == AGED && learned.isMoved()) {
        moved.add(entry);
        charges.merge(learned.chargedPort(), -1, Integer::sum);
        changed++;
      }
      if (changed == MAX_AT_ONCE) {
        break;
      }
    }
    // Only now: what leaves a port makes room there for what came.
    for (Entry entry : moved) {
      Learned learned = Learned.of(entry);
      Bytes portKey = LearnedTable.portKey(in, DPID_AT, learned.port());
      long atPort =
          LearnedTable.count(transaction, portKey) + charges.getOrDefault(learned.port(), 0);
      if (atPort < learned.maxAtPort()) {
        transaction.put(LearnedTable.NAME, entry.key(), learned.charged().bytes());
        charges.merge(learned.port(), 1, Integer::sum);
      } else {
        transaction.remove(LearnedTable.NAME, entry.key());
        forgotten++;
      }
    }
    charges.forEach(
        (charged, delta) ->
            LearnedTable.change(transaction, LearnedTable.portKey(in, DPID_AT, charged), delta));
    LearnedTable.change(transaction, dpid, -forgotten);
    byte[] result = new byte[Integer.BYTES];
    SwitchTable.putInt(result, 0, changed);
    return Bytes.wrap(result);
  }

  /** The end of the range of keys that begin with the dpid; null for the last dpid of all. */
  private static @Nullable Bytes after(Bytes dpid) {
    byte[] next = Arrays.copyOf(dpid.shared(), LearnedTable.DPID_BYTES);
    for (int i = next.length - 1; i >= 0; i--) {
      if (++next[i] != 0) {
        return Bytes.wrap(next);
      }
    }
    return null;
  }
}
