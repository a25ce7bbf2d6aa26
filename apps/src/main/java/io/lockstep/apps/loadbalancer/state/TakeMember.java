package io.lockstep.apps.loadbalancer.state;

import io.lockstep.apps.loadbalancer.state.ConnectionAnswer.Status;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Micro component {@code load-balancer.take}: the member of a connection, in one ordered operation
 * (workload lb-vip-micro of the paper). A known connection keeps its member, so a repeated SYN
 * takes none. A new one takes the next member of the pool ({@link PoolTurn}). A connection whose
 * member was removed is forgotten. One whose member is only down keeps it, unless the packet may
 * take another one: then the connection never came about. A client port that has another connection
 * to the member by another virtual IP is refused: the member could not tell them apart.
 *
 * <p>Argument: format (1 byte), whether the packet may take a member (1), {@link ConnectionKey}
 * (13), {@link IngressPort} (12). Result: {@link ConnectionAnswer}.
 */
public final class TakeMember implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "load-balancer.take";

  private static final int FORMAT = 1;
  private static final int KEY_AT = 2;

  /** A client that repeats its SYN has given up after so long: longer than 1 + 2 + 4 ... + 64 s. */
  private static final int MOST_RETRY_SECONDS = 130;

  private static final int KEY_END = KEY_AT + ConnectionKey.BYTES;
  private static final int ARGUMENT_BYTES = KEY_END + IngressPort.BYTES;

  /**
   * The call for one packet.
   *
   * @param ingress where it came in
   * @param mayTake whether it begins a connection where none is known
   */
  public static Command command(ConnectionKey key, IngressPort ingress, boolean mayTake) {
    ByteWriter out = new ByteWriter(ARGUMENT_BYTES).int8(FORMAT).flag(mayTake);
    return new Command.Call(NAME, ingress.write(key.write(out)).toBytes());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    byte[] in = argument.shared();
    if (in.length != ARGUMENT_BYTES || in[0] != FORMAT) {
      throw new Refusal("no connection of format " + FORMAT);
    }
    boolean mayTake = new ByteReader(new byte[] {in[1]}).flag();
    Bytes key = Bytes.wrap(Arrays.copyOfRange(in, KEY_AT, KEY_END));
    VirtualIp vip = Connections.virtualIp(transaction, ConnectionKey.serviceOf(key));
    if (vip == null) {
      return ConnectionAnswer.without(Status.NO_SERVICE);
    }
    // Most connections come from a port that their client has not used: one look-up shows that.
    boolean isFirst = mayTake && Connections.isFirst(transaction, ConnectionKey.prefixOf(key));
    ConnectionRecord known = isFirst ? null : kept(transaction, vip, key, mayTake);
    if (known != null) {
      return ConnectionAnswer.of(Status.KEPT, key, known, vip.idleSeconds());
    }
    return mayTake
        ? take(transaction, vip, key, IngressPort.endOf(in), isFirst)
        : ConnectionAnswer.without(Status.NO_RECORD);
  }

  /** The record, if the connection goes on with it; else it is forgotten. */
  private static @Nullable ConnectionRecord kept(
      Transaction transaction, VirtualIp vip, Bytes key, boolean mayTake) {
    ConnectionRecord record = Connections.get(transaction, key);
    if (record == null) {
      return null;
    }
    if (Connections.isExpired(transaction, record, vip.idleSeconds())
        || !Connections.keeps(transaction, vip.pool(), record)
        || (mayTake && HealthTable.isDown(transaction, record.member()))
        || (mayTake && isNewOnDrained(transaction, key, record))) {
      Connections.remove(transaction, key, record);
      return null;
    }
    Connections.seen(transaction, key, record, vip.idleSeconds());
    return record;
  }

  /**
   * Whether the packet begins another connection from the port of an old one, whose member is
   * drained: a repetition of its first SYN would have come earlier. Else a drain would not end.
   */
  private static boolean isNewOnDrained(
      Transaction transaction, Bytes key, ConnectionRecord record) {
    long now = BalancerTables.nowSeconds(transaction);
    return ConnectionKey.isTcp(key)
        && record.silentSeconds(now) > MOST_RETRY_SECONDS
        && Connections.isDrained(transaction, record);
  }

  /**
   * Takes the next member.
   *
   * @param isFirst whether the client port has no connection at all
   */
  private static Bytes take(
      Transaction transaction, VirtualIp vip, Bytes key, IngressPort ingress, boolean isFirst) {
    Bytes pool = ConfigNames.key(vip.pool());
    PoolOrder order = PoolOrder.read(transaction, pool);
    if (order == null || order.seats().isEmpty()) {
      return ConnectionAnswer.without(Status.NO_MEMBER);
    }
    ConnectionCounts.Held counts = ConnectionCounts.held(transaction, key, ingress);
    if (counts.ofClient() >= vip.maxPerClient()) {
      return ConnectionAnswer.without(Status.CLIENT_FULL);
    }
    if (counts.ofService() >= vip.maxConnections()) {
      return ConnectionAnswer.without(Status.SERVICE_FULL);
    }
    if (counts.ofPort() >= vip.mostAtPort()) {
      return ConnectionAnswer.without(Status.INGRESS_FULL);
    }
    PoolTurn turn = PoolTurn.of(transaction, pool, order);
    PoolOrder.Seat seat = order.seats().get(turn.next(order));
    List<Entry> others =
        isFirst
            ? List.of()
            : Connections.between(transaction, ConnectionKey.prefixOf(key), seat.ip(), seat.port());
    if (!forget(transaction, others)) {
      return ConnectionAnswer.without(Status.NO_PORT);
    }
    if (!others.isEmpty()) {
      counts = ConnectionCounts.held(transaction, key, ingress);
    }
    turn.write(transaction, pool);
    ConnectionRecord record =
        new ConnectionRecord(
            seat.member(),
            seat.ip(),
            seat.port(),
            (int) BalancerTables.nowSeconds(transaction),
            order.epoch(),
            turn.place(),
            0,
            ingress);
    transaction.put(BalancerTables.CONNECTIONS, key, record.bytes());
    counts.add(transaction);
    return ConnectionAnswer.of(Status.TAKEN, key, record, vip.idleSeconds());
  }

  /**
   * Forgets the connections that the client port has to this member by other virtual IPs: what the
   * member sends would be the same for both. Where one is active it forgets none and gives false.
   */
  private static boolean forget(Transaction transaction, List<Entry> others) {
    for (Entry other : others) {
      ConnectionRecord record = ConnectionRecord.of(other.value());
      if (Connections.isActive(transaction, other.key(), record)) {
        return false;
      }
    }
    for (Entry other : others) {
      Connections.remove(transaction, other.key(), ConnectionRecord.of(other.value()));
    }
    return true;
  }
}
