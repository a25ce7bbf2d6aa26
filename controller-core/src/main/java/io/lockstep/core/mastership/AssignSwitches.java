package io.lockstep.core.mastership;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Component;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Micro component {@code mastership.assign}: the master of a domain assigns switches of it to nodes
 * that reach them, or takes them back by assigning them to itself. Each switch that changes gets an
 * epoch of its own, above the domain's and above all that it had before, so the generation ids that
 * it sees always grow, and the other switches of the domain keep their epoch and their role.
 *
 * <p>Refused for whoever is not the domain's master. Within a call each switch stands alone: one
 * whose new node has ended meanwhile stays as it is. A call that is repeated changes nothing.
 */
public final class AssignSwitches implements MicroComponent {

  /** Switches in one call at most. */
  public static final int MAX_SWITCHES = 1_024;

  private static final int FORMAT = 1;
  private static final int MIN_BYTES_EACH = 2 * Long.BYTES + 1;
  private static final DelegationTable DELEGATIONS = new DelegationTable();

  /** Returns what became of the switches. */
  public static final Component<Request, Result> COMPONENT =
      new Component<>(
          "mastership.assign",
          Codec.of(Request::encode, Request::decode),
          Codec.of(Result::encode, Result::decode));

  /**
   * One switch and the node that gets it.
   *
   * @param node who masters the switch from now on; empty to remove a record of an epoch that the
   *     domain has passed, so that the switch has the domain's again
   * @param sessionId the session of that node; 0 where {@code node} is empty
   */
  public record Assignment(long dpid, String node, long sessionId) {
    static Assignment toDomain(long dpid) {
      return new Assignment(dpid, "", 0);
    }
  }

  /**
   * What a master asks for.
   *
   * @param fence the domain's
   * @param switches at most {@link #MAX_SWITCHES}
   */
  public record Request(Fence fence, List<Assignment> switches) {
    public Request {
      switches = List.copyOf(switches);
      if (switches.size() > MAX_SWITCHES) {
        throw new IllegalArgumentException(
            switches.size() + " switches to assign, allowed are " + MAX_SWITCHES);
      }
    }

    private Bytes encode() {
      ByteWriter out =
          new ByteWriter()
              .int8(FORMAT)
              .utf8(fence.scope())
              .int64(fence.epoch())
              .varint(switches.size());
      switches.forEach(one -> out.int64(one.dpid()).utf8(one.node()).int64(one.sessionId()));
      return out.toBytes();
    }

    private static Request decode(Bytes bytes) {
      ByteReader in = new ByteReader(bytes);
      in.version(FORMAT, "assignment of switches");
      Fence fence = new Fence(in.utf8(DomainTable.MAX_NAME_BYTES), in.int64());
      int count = in.count(MAX_SWITCHES, MIN_BYTES_EACH);
      List<Assignment> switches = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        switches.add(new Assignment(in.int64(), in.utf8(DomainTable.MAX_NAME_BYTES), in.int64()));
      }
      in.end();
      return new Request(fence, switches);
    }
  }

  /**
   * What became of a call.
   *
   * @param index at which it took effect
   * @param refused switches that stay as they were, since their new node has ended, or since the
   *     domain has not passed their epoch
   */
  public record Result(long index, int refused) {
    private Bytes encode() {
      return new ByteWriter().int64(index).varint(refused).toBytes();
    }

    private static Result decode(Bytes bytes) {
      ByteReader in = new ByteReader(bytes);
      Result result = new Result(in.int64(), in.varint(MAX_SWITCHES));
      in.end();
      return result;
    }
  }

  @Override
  public String name() {
    return COMPONENT.name();
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    Request request = COMPONENT.argument().decode(argument);
    Fence fence = request.fence();
    if (SwitchScope.isSwitch(fence.scope())) {
      throw new Refusal(fence.scope() + " is a switch, not a domain");
    }
    FencedWrite.check(transaction, fence);
    int refused = 0;
    for (Assignment one : request.switches()) {
      Bytes key = DELEGATIONS.encodeKey(one.dpid());
      Entry entry = transaction.get(DelegationTable.NAME, key);
      DelegationRecord old = entry == null ? null : DELEGATIONS.decodeValue(entry.value());
      boolean done =
          one.sessionId() == 0
              ? toDomain(transaction, fence, key, old)
              : toNode(transaction, fence, key, old, one);
      refused += done ? 0 : 1;
    }
    return COMPONENT.result().encode(new Result(transaction.index(), refused));
  }

  private static boolean toNode(
      Transaction transaction,
      Fence domain,
      Bytes key,
      @Nullable DelegationRecord old,
      Assignment wanted) {
    if (!transaction.sessionAlive(wanted.sessionId())) {
      return false;
    }
    if (old != null && old.sessionId() == wanted.sessionId()) {
      return true;
    }
    long seen = old == null ? domain.epoch() : Math.max(domain.epoch(), old.epoch());
    DelegationRecord now =
        new DelegationRecord(domain.scope(), wanted.node(), wanted.sessionId(), seen + 1);
    transaction.put(DelegationTable.NAME, key, DELEGATIONS.encodeValue(now));
    return true;
  }

  /** Removes the record, if the domain's epoch is above it and no other living node acts on it. */
  private static boolean toDomain(
      Transaction transaction, Fence domain, Bytes key, @Nullable DelegationRecord old) {
    if (old == null) {
      return true;
    }
    boolean another =
        old.sessionId() != transaction.callerSession() && transaction.sessionAlive(old.sessionId());
    if (another || old.epoch() >= domain.epoch()) {
      return false;
    }
    return transaction.remove(DelegationTable.NAME, key);
  }
}
