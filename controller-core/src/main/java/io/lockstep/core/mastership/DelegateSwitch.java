package io.lockstep.core.mastership;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * Micro component {@code mastership.delegate}: the master of a domain hands one switch that it
 * cannot reach to a node that can, or takes it back. The generation ids that the switch sees always
 * grow: a delegation's epoch is above the domain's, and a recall raises the domain's above it.
 * Refused for whoever is not the domain's master. The node that a switch was handed to raises the
 * delegation's epoch itself where the switch knows a newer generation.
 */
public final class DelegateSwitch implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "mastership.delegate";

  private static final int FORMAT = 1;
  private static final DomainTable DOMAINS = new DomainTable();
  private static final DelegationTable DELEGATIONS = new DelegationTable();

  /** The command that hands a switch to {@code node}, whose session is {@code sessionId}. */
  public static Command delegate(Fence domain, long dpid, String node, long sessionId) {
    return new Command.Call(
        NAME,
        new ByteWriter()
            .int8(FORMAT)
            .utf8(domain.scope())
            .int64(domain.epoch())
            .int64(dpid)
            .utf8(node)
            .int64(sessionId)
            .toBytes());
  }

  /** The command that takes a switch back. */
  public static Command recall(Fence domain, long dpid) {
    return delegate(domain, dpid, "", 0);
  }

  /**
   * The command by which the holder of a delegation raises its epoch.
   *
   * @param delegation the fence of the delegated switch
   * @param minimumEpoch the epoch shall be at least this
   */
  public static Command raise(Fence delegation, long minimumEpoch) {
    return delegate(delegation, SwitchScope.dpid(delegation.scope()), "", minimumEpoch);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    ByteReader in = new ByteReader(argument);
    in.version(FORMAT, "delegation");
    Fence fence = new Fence(in.utf8(DomainTable.MAX_NAME_BYTES), in.int64());
    long dpid = in.int64();
    String node = in.utf8(DomainTable.MAX_NAME_BYTES);
    long sessionId = in.int64();
    in.end();
    FencedWrite.check(transaction, fence);
    Bytes key = DELEGATIONS.encodeKey(dpid);
    if (SwitchScope.isSwitch(fence.scope())) {
      raise(transaction, key, sessionId);
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
      DelegationRecord now = new DelegationRecord(fence.scope(), node, sessionId, seen + 1);
      transaction.put(DelegationTable.NAME, key, DELEGATIONS.encodeValue(now));
    } else {
      throw new Refusal("session " + sessionId + " of " + node + " has ended");
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
