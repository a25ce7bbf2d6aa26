package io.lockstep.core.mastership;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Component;

/**
 * Micro component {@code mastership.transfer}: the master of a domain gives it to another node with
 * an open session, in the next epoch and in one step, so that nobody can come between; or to nobody
 * (release). Switches that the old master has under epochs of their own go along: the next epoch is
 * above theirs. Refused for whoever is not the master. Answers the new record.
 */
public final class HandOverDomain implements MicroComponent {

  /** In format 1 the old master kept the switches that it had taken back; logs may hold it. */
  private static final int FIRST_FORMAT = 1;

  private static final int FORMAT = 2;
  private static final DomainTable DOMAINS = new DomainTable();
  private static final DelegationTable DELEGATIONS = new DelegationTable();

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
   * @param all whether switches with epochs of their own go along; not in a transfer of format 1
   */
  public record Transfer(Fence fence, String node, long sessionId, boolean all) {

    /** Gives the domain to a node with an open session. */
    public static Transfer to(Fence fence, String node, long sessionId) {
      return new Transfer(fence, node, sessionId, true);
    }

    /** Leaves the domain to the node that claims it first. */
    public static Transfer release(Fence fence) {
      return new Transfer(fence, "", 0, true);
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
      boolean first = bytes.length() > 0 && bytes.at(0) == FIRST_FORMAT;
      in.version(first ? FIRST_FORMAT : FORMAT, "transfer");
      Fence fence = new Fence(in.utf8(DomainTable.MAX_NAME_BYTES), in.int64());
      Transfer transfer =
          new Transfer(fence, in.utf8(DomainTable.MAX_NAME_BYTES), in.int64(), !first);
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
    long seen = transfer.all() ? takeAlong(transaction, fence) : fence.epoch();
    DomainRecord now = new DomainRecord(node, sessionId, seen + 1, transaction.timeMillis());
    transaction.put(DomainTable.NAME, DOMAINS.encodeKey(fence.scope()), DOMAINS.encodeValue(now));
    return DOMAINS.encodeValue(now);
  }

  /**
   * Ends what the caller has apart from the domain, {@link DomainVersions#MAX_MOVED} switches at
   * most; the next master takes what is left from the old one. Returns the highest epoch of all.
   */
  private static long takeAlong(Transaction transaction, Fence domain) {
    long seen = domain.epoch();
    int taken = 0;
    for (Entry entry : DomainVersions.entries(transaction, DelegationTable.NAME)) {
      DelegationRecord own = DELEGATIONS.decodeValue(entry.value());
      if (own.sessionId() == transaction.callerSession() && own.domain().equals(domain.scope())) {
        seen = Math.max(seen, own.epoch());
        if (taken++ < DomainVersions.MAX_MOVED) {
          transaction.remove(DelegationTable.NAME, entry.key());
        }
      }
    }
    return seen;
  }
}
