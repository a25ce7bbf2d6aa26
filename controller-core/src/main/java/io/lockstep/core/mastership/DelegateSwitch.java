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
 * Micro component {@code mastership.delegate}: the node that has a switch under an epoch of its own
 * raises that epoch where the switch knows a newer generation.
 *
 * <p>Logs and nodes of earlier releases also call it to hand one switch over, or to take one back,
 * which raises the epoch of the whole domain; {@link AssignSwitches} took the place of both. The
 * generation ids that the switch sees always grow. Refused for whoever is not the master.
 */
public final class DelegateSwitch implements MicroComponent {

  private static final int FORMAT = 1;
  private static final DomainTable DOMAINS = new DomainTable();
  private static final DelegationTable DELEGATIONS = new DelegationTable();

  /** Returns nothing. */
  public static final Component<Change, Bytes> COMPONENT =
      new Component<>(
          "mastership.delegate", Codec.of(Change::encode, Change::decode), Codec.bytes());

  /**
   * What a node asks for. Made by {@link #delegate}, {@link #recall} or {@link #raise}.
   *
   * @param fence the domain's; the switch's own in a raise
   * @param node who gets the switch; empty in a recall and in a raise
   * @param number the session of that node; 0 in a recall, the least epoch in a raise
   */
  public record Change(Fence fence, long dpid, String node, long number) {

    /** Hands a switch to {@code node}, whose session is {@code sessionId}. */
    public static Change delegate(Fence domain, long dpid, String node, long sessionId) {
      return new Change(domain, dpid, node, sessionId);
    }

    /** Takes a switch back. */
    public static Change recall(Fence domain, long dpid) {
      return new Change(domain, dpid, "", 0);
    }

    /**
     * Raises the epoch of a delegation; asked for by the node that has it.
     *
     * @param delegation the fence of the delegated switch
     * @param minimumEpoch the epoch shall be at least this
     */
    public static Change raise(Fence delegation, long minimumEpoch) {
      return new Change(delegation, SwitchScope.dpid(delegation.scope()), "", minimumEpoch);
    }

    private Bytes encode() {
      return new ByteWriter()
          .int8(FORMAT)
          .utf8(fence.scope())
          .int64(fence.epoch())
          .int64(dpid)
          .utf8(node)
          .int64(number)
          .toBytes();
    }

    private static Change decode(Bytes bytes) {
      ByteReader in = new ByteReader(bytes);
      in.version(FORMAT, "delegation");
      Fence fence = new Fence(in.utf8(DomainTable.MAX_NAME_BYTES), in.int64());
      Change change =
          new Change(fence, in.int64(), in.utf8(DomainTable.MAX_NAME_BYTES), in.int64());
      in.end();
      return change;
    }
  }

  @Override
  public String name() {
    return COMPONENT.name();
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    Change change = COMPONENT.argument().decode(argument);
    Fence fence = change.fence();
    long sessionId = change.number();
    FencedWrite.check(transaction, fence);
    Bytes key = DELEGATIONS.encodeKey(change.dpid());
    if (SwitchScope.isSwitch(fence.scope())) {
      raise(transaction, key, change.number());
      return Bytes.empty();
    }
    Entry entry = transaction.get(DelegationTable.NAME, key);
    long seen = fence.epoch();
    if (entry != null) {
      seen = Math.max(seen, DELEGATIONS.decodeValue(entry.value()).epoch());
    }
    if (sessionId == 0) {
      recall(transaction, fence, key, seen);
    } else if (transaction.sessionAlive(sessionId)) {
      DelegationRecord now =
          new DelegationRecord(fence.scope(), change.node(), sessionId, seen + 1);
      transaction.put(DelegationTable.NAME, key, DELEGATIONS.encodeValue(now));
    } else {
      throw new Refusal("session " + sessionId + " of " + change.node() + " has ended");
    }
    return Bytes.empty();
  }

  private static void raise(Transaction transaction, Bytes key, long minimumEpoch) throws Refusal {
    Entry entry = transaction.get(DelegationTable.NAME, key);
    if (entry == null || minimumEpoch < 0 || minimumEpoch >= DomainRecord.MAX_EPOCH) {
      throw new Refusal("epoch " + Long.toUnsignedString(minimumEpoch) + " is out of bounds");
    }
    DelegationRecord old = DELEGATIONS.decodeValue(entry.value());
    DelegationRecord now =
        new DelegationRecord(
            old.domain(), old.node(), old.sessionId(), Math.max(old.epoch(), minimumEpoch));
    transaction.put(DelegationTable.NAME, key, DELEGATIONS.encodeValue(now));
  }

  private static void recall(Transaction transaction, Fence fence, Bytes key, long seen) {
    if (!transaction.remove(DelegationTable.NAME, key)) {
      return;
    }
    Bytes domainKey = DOMAINS.encodeKey(fence.scope());
    Entry entry = transaction.get(DomainTable.NAME, domainKey);
    if (entry == null) {
      throw new IllegalStateException("domain " + fence.scope() + " went away within a call");
    }
    DomainRecord old = DOMAINS.decodeValue(entry.value());
    DomainRecord now =
        new DomainRecord(old.node(), old.sessionId(), seen + 1, transaction.timeMillis());
    transaction.put(DomainTable.NAME, domainKey, DOMAINS.encodeValue(now));
  }
}
