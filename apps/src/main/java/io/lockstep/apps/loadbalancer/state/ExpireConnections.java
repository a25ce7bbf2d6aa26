package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Micro component {@code load-balancer.expire}: forgets connections that were silent too long or
 * have no virtual IP any more. All nodes call it; a cursor in the store makes them share one sweep
 * through all records, {@link #RECORDS_IN_CALL} in a call. A sweep begins {@link #PAUSE_SECONDS}
 * after the last one began.
 *
 * <p>Argument: format (1 byte). Result: format (1), whether the sweep goes on (1), records that
 * were forgotten (4).
 */
public final class ExpireConnections implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "load-balancer.expire";

  /** Records that one call looks at, so that it is short. */
  static final int RECORDS_IN_CALL = 1_024;

  /** From the beginning of one sweep to that of the next, at least. */
  static final int PAUSE_SECONDS = 30;

  private static final int FORMAT = 1;
  private static final int RESULT_BYTES = 6;

  /** Its key in {@link BalancerTables#COUNTS}; no client or service has a key so short. */
  private static final Bytes SWEEP = Bytes.utf8("s");

  /**
   * A sweep.
   *
   * @param beganSeconds when it began
   * @param next the first key that it has not looked at; empty where it is over
   */
  private record Sweep(long beganSeconds, Bytes next) {
    static Sweep read(Transaction transaction) {
      Entry entry = transaction.get(BalancerTables.COUNTS, SWEEP);
      if (entry == null) {
        return new Sweep(0, Bytes.empty());
      }
      ByteReader in = new ByteReader(entry.value());
      in.version(FORMAT, "sweep");
      return new Sweep(in.int64(), in.bytes(ConnectionKey.BYTES + 1));
    }

    void write(Transaction transaction) {
      Bytes value = new ByteWriter(32).int8(FORMAT).int64(beganSeconds).bytes(next).toBytes();
      transaction.put(BalancerTables.COUNTS, SWEEP, value);
    }

    boolean isOver() {
      return next.length() == 0;
    }
  }

  /** The call. */
  public static Command command() {
    return new Command.Call(NAME, Bytes.copyOf((byte) FORMAT));
  }

  /** Whether the sweep has more records to look at. */
  public static boolean goesOn(Reply reply) {
    return reply instanceof Reply.Returned returned
        && returned.result().length() == RESULT_BYTES
        && returned.result().at(1) != 0;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    if (argument.length() != 1 || argument.at(0) != FORMAT) {
      throw new Refusal("no sweep of format " + FORMAT);
    }
    long now = BalancerTables.nowSeconds(transaction);
    Sweep sweep = Sweep.read(transaction);
    if (sweep.isOver()) {
      if (now - sweep.beganSeconds() < PAUSE_SECONDS) {
        return result(false, 0);
      }
      sweep = new Sweep(now, Bytes.empty());
    }
    List<Entry> entries =
        transaction.scan(BalancerTables.CONNECTIONS, sweep.next(), null, RECORDS_IN_CALL);
    int forgotten = 0;
    Map<Bytes, Integer> idleSeconds = new HashMap<>();
    for (Entry entry : entries) {
      ConnectionRecord record = ConnectionRecord.of(entry.value());
      Bytes service = ConnectionKey.serviceOf(entry.key());
      int idle = idleSeconds.computeIfAbsent(service, key -> idleSeconds(transaction, key));
      if (record.silentSeconds(now) >= idle) {
        Connections.remove(transaction, entry.key(), record);
        forgotten++;
      }
    }
    boolean goesOn = entries.size() == RECORDS_IN_CALL;
    if (goesOn || !entries.isEmpty() || !sweep.isOver()) {
      Bytes next = goesOn ? after(entries.get(entries.size() - 1).key()) : Bytes.empty();
      new Sweep(sweep.beganSeconds(), next).write(transaction);
    }
    return result(goesOn, forgotten);
  }

  private static int idleSeconds(Transaction transaction, Bytes service) {
    @Nullable VirtualIp vip = Connections.virtualIp(transaction, service);
    return vip == null ? 0 : vip.idleSeconds();
  }

  /** The key behind this one. */
  private static Bytes after(Bytes key) {
    return new ByteWriter(key.length() + 1).raw(key.shared()).int8(0).toBytes();
  }

  private static Bytes result(boolean goesOn, int forgotten) {
    return new ByteWriter(RESULT_BYTES).int8(FORMAT).flag(goesOn).int32(forgotten).toBytes();
  }
}
