package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * Micro component {@code load-balancer.report}: notes whether a member answers. Does nothing where
 * the member has another address by now, or where that is known. A member whose pool is not probed
 * is never down, since no probe would find it up again. A change begins an epoch of the pool.
 *
 * <p>Argument: format (1 byte), whether it is down (1), IP (4), port (2), name. Result: format (1),
 * whether this changed something (1).
 */
public final class ReportHealth implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "load-balancer.report";

  private static final int FORMAT = 1;

  /** The call on one member. */
  public static Command command(Member member, boolean down) {
    return new Command.Call(
        NAME,
        new ByteWriter(16 + member.name().length())
            .int8(FORMAT)
            .flag(down)
            .int32(member.ip())
            .int16(member.port())
            .utf8(member.name())
            .toBytes());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) {
    ByteReader in = new ByteReader(argument);
    in.version(FORMAT, "report on a member");
    boolean down = in.flag();
    int ip = in.int32();
    int port = in.uint16();
    String name = in.utf8(ConfigNames.MOST_CHARS);
    in.end();
    return new ByteWriter(2).int8(FORMAT).flag(report(transaction, name, ip, port, down)).toBytes();
  }

  private static boolean report(
      Transaction transaction, String name, int ip, int port, boolean down) {
    Entry entry = transaction.get(BalancerTables.MEMBERS, ConfigNames.key(name));
    if (entry == null) {
      return false;
    }
    Member member = Member.of(name, entry.value());
    Entry entryOfPool = transaction.get(BalancerTables.POOLS, ConfigNames.key(member.pool()));
    if (entryOfPool == null || !member.isAt(ip, port)) {
      return false;
    }
    Pool pool = Pool.of(member.pool(), entryOfPool.value());
    boolean isProbed = pool.probe() != Pool.Probe.NONE;
    if ((down && !isProbed) || !HealthTable.set(transaction, name, down)) {
      return false;
    }
    PoolOrder.renew(transaction, pool);
    return true;
  }
}
