package io.lockstep.core.mastership;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * Micro component {@code mastership.transfer}: the master of a domain gives it to another node with
 * an open session, in the next epoch and in one step, so that nobody can come between; or to nobody
 * (release). Refused for whoever is not the master. Answers the new record.
 */
public final class HandOverDomain implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "mastership.transfer";

  private static final int FORMAT = 1;
  private static final DomainTable DOMAINS = new DomainTable();

  /** The command that gives the domain to {@code node}, whose session is {@code sessionId}. */
  public static Command transfer(Fence fence, String node, long sessionId) {
    return new Command.Call(
        NAME,
        new ByteWriter()
            .int8(FORMAT)
            .utf8(fence.scope())
            .int64(fence.epoch())
            .utf8(node)
            .int64(sessionId)
            .toBytes());
  }

  /** The command that leaves the domain to whoever claims it first. */
  public static Command release(Fence fence) {
    return transfer(fence, "", 0);
  }

  /** The domain's new record. */
  public static DomainRecord result(Reply.Returned reply) {
    return DOMAINS.decodeValue(reply.result());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    ByteReader in = new ByteReader(argument);
    in.version(FORMAT, "transfer");
    Fence fence = new Fence(in.utf8(DomainTable.MAX_NAME_BYTES), in.int64());
    String node = in.utf8(DomainTable.MAX_NAME_BYTES);
    long sessionId = in.int64();
    in.end();
    if (SwitchScope.isSwitch(fence.scope())) {
      throw new Refusal(fence.scope() + " is a switch, not a domain");
    }
    FencedWrite.check(transaction, fence);
    if (sessionId != 0 && !transaction.sessionAlive(sessionId)) {
      throw new Refusal("session " + sessionId + " of " + node + " has ended");
    }
    DomainRecord now =
        new DomainRecord(node, sessionId, fence.epoch() + 1, transaction.timeMillis());
    transaction.put(DomainTable.NAME, DOMAINS.encodeKey(fence.scope()), DOMAINS.encodeValue(now));
    return DOMAINS.encodeValue(now);
  }
}
