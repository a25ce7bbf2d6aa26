package io.lockstep.core.mastership;

import io.lockstep.store.Bytes;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Component;

/**
 * Micro component {@code mastership.transfer}: the master of a domain gives it to another node with
 * an open session, in the next epoch and in one step, so that nobody can come between; or to nobody
 * (release). Refused for whoever is not the master. Answers the new record.
 */
public final class HandOverDomain implements MicroComponent {

  private static final int FORMAT = 1;
  private static final DomainTable DOMAINS = new DomainTable();

  /** Returns the domain's new record. */
  public static final Component<Transfer, DomainRecord> COMPONENT =
      new Component<>(
          "mastership.transfer",
          Codec.of(Transfer::encode, Transfer::decode),
          Codec.of(DOMAINS::encodeValue, DOMAINS::decodeValue));

  /**
   * What the master asks for.
   *
   * @param fence the domain and the epoch in which the caller masters it
   * @param node the next master
   * @param sessionId its session
   */
  public record Transfer(Fence fence, String node, long sessionId) {

    /** Leaves the domain to the node that claims it first. */
    public static Transfer release(Fence fence) {
      return new Transfer(fence, "", 0);
    }

    private Bytes encode() {
      return new ByteWriter()
          .int8(FORMAT)
          .utf8(fence.scope())
          .int64(fence.epoch())
          .utf8(node)
          .int64(sessionId)
          .toBytes();
    }

    private static Transfer decode(Bytes bytes) {
      ByteReader in = new ByteReader(bytes);
      in.version(FORMAT, "transfer");
      Fence fence = new Fence(in.utf8(DomainTable.MAX_NAME_BYTES), in.int64());
      Transfer transfer = new Transfer(fence, in.utf8(DomainTable.MAX_NAME_BYTES), in.int64());
      in.end();
      return transfer;
    }
  }

  @Override
  public String name() {
    return COMPONENT.name();
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    Transfer transfer = COMPONENT.argument().decode(argument);
    Fence fence = transfer.fence();
    String node = transfer.node();
    long sessionId = transfer.sessionId();
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
