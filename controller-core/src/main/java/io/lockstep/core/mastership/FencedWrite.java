package io.lockstep.core.mastership;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Component;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Micro component {@code fenced.write}: writes records on behalf of a domain or a delegated switch,
 * all or none, and only for its master: the caller's session must be the master's and the epoch the
 * present one. So a master that was paused and replaced cannot write, however late its request
 * comes. Refused with {@link Reply.Reason#COMPONENT_REFUSED}.
 *
 * <p>A call may require that entries have the versions that it was decided on. Only such a call has
 * {@link #FORMAT_WITH_VERSIONS}, so other calls stay readable for earlier releases.
 */
public final class FencedWrite implements MicroComponent {

  /** Writes in one call at most. */
  public static final int MAX_WRITES = 4_096;

  private static final int FORMAT = 1;
  private static final int FORMAT_WITH_VERSIONS = 2;
  private static final int MAX_TABLE_BYTES = 64;
  private static final int MAX_KEY_BYTES = 1 << 10;
  private static final int MAX_VALUE_BYTES = 1 << 20;
  private static final DomainTable DOMAINS = new DomainTable();
  private static final DelegationTable DELEGATIONS = new DelegationTable();

  /** Returns the index at which the writes took effect. */
  public static final Component<Request, Long> COMPONENT =
      new Component<>(
          "fenced.write", Codec.of(FencedWrite::encode, FencedWrite::decode), Codec.int64());

  /**
   * What a call asks for.
   *
   * @param writes puts and removals, 1 to {@link #MAX_WRITES}, and as many requirements at most;
   *     all requirements are checked before the first write. Not changed afterwards
   */
  public record Request(Fence fence, List<Write> writes) {
    private List<Write.Require> requirements() {
      List<Write.Require> required = new ArrayList<>();
      for (Write write : writes) {
        write.accept(REQUIREMENTS, required);
      }
      return required;
    }
  }

  /** One write of a fenced call. */
  public sealed interface Write {
    /**
     * One method for each kind. A class that lacks the method for a new kind does not compile.
     *
     * @param <C> what the methods get beside the write
     */
    interface Visitor<C> {
      void put(Put put, C context);

      void remove(Remove remove, C context);

      void require(Require require, C context);
    }

    /** Calls the method for this kind of write. */
    <C> void accept(Visitor<C> visitor, C context);

    /** Writes an entry whatever it was. */
    record Put(String table, Bytes key, Bytes value) implements Write {
      @Override
      public <C> void accept(Visitor<C> visitor, C context) {
        visitor.put(this, context);
      }
    }

    /** Removes an entry, if it is there. */
    record Remove(String table, Bytes key) implements Write {
      @Override
      public <C> void accept(Visitor<C> visitor, C context) {
        visitor.remove(this, context);
      }
    }

    /**
     * Writes nothing, but refuses all other writes of the call unless an entry has this version.
     *
     * @param version 0 where there must be no entry
     */
    record Require(String table, Bytes key, long version) implements Write {
      @Override
      public <C> void accept(Visitor<C> visitor, C context) {
        visitor.require(this, context);
      }
    }
  }

  /** Collects the requirements of a call. */
  private static final Write.Visitor<List<Write.Require>> REQUIREMENTS =
      new Write.Visitor<>() {
        @Override
        public void put(Write.Put put, List<Write.Require> required) {}

        @Override
        public void remove(Write.Remove remove, List<Write.Require> required) {}

        @Override
        public void require(Write.Require require, List<Write.Require> required) {
          required.add(require);
        }
      };

  /** Appends the changes of a call; its requirements stand before them. */
  private static final Write.Visitor<ByteWriter> CHANGES =
      new Write.Visitor<>() {
        @Override
        public void put(Write.Put put, ByteWriter out) {
          out.flag(true).utf8(put.table()).bytes(put.key()).bytes(put.value());
        }

        @Override
        public void remove(Write.Remove remove, ByteWriter out) {
          out.flag(false).utf8(remove.table()).bytes(remove.key());
        }

        @Override
        public void require(Write.Require require, ByteWriter out) {}
      };

  /** Makes the changes of a call, behind the check of its requirements. */
  private static final Write.Visitor<Transaction> EFFECTS =
      new Write.Visitor<>() {
        @Override
        public void put(Write.Put put, Transaction transaction) {
          transaction.put(put.table(), put.key(), put.value());
        }

        @Override
        public void remove(Write.Remove remove, Transaction transaction) {
          transaction.remove(remove.table(), remove.key());
        }

        @Override
        public void require(Write.Require require, Transaction transaction) {}
      };

  /** The command of a {@link Request}, for paths that use a store client themselves. */
  public static Command.Call command(Fence fence, List<Write> writes) {
    return COMPONENT.command(new Request(fence, writes));
  }

  private static Bytes encode(Request request) {
    Fence fence = request.fence();
    List<Write> writes = request.writes();
    List<Write.Require> required = request.requirements();
    int changes = writes.size() - required.size();
    if (changes < 1 || changes > MAX_WRITES || required.size() > MAX_WRITES) {
      throw new IllegalArgumentException(
          changes + " writes in a fenced write, allowed are 1 to " + MAX_WRITES);
    }
    ByteWriter out =
        new ByteWriter(256)
            .int8(required.isEmpty() ? FORMAT : FORMAT_WITH_VERSIONS)
            .utf8(fence.scope())
            .int64(fence.epoch());
    if (!required.isEmpty()) {
      out.varint(required.size());
      required.forEach(one -> out.utf8(one.table()).bytes(one.key()).int64(one.version()));
    }
    out.varint(changes);
    for (Write write : writes) {
      write.accept(CHANGES, out);
    }
    return out.toBytes();
  }

  /**
   * The index at which the writes of a call took effect; empty where the call did not, or may not,
   * have taken effect, so that the caller has to send it again.
   *
   * @throws IllegalStateException for a reply that no call gets: the caller asked something else
   */
  public static OptionalLong appliedAt(Reply reply) {
    if (reply instanceof Reply.Returned returned) {
      return OptionalLong.of(COMPONENT.result().decode(returned.result()));
    }
    if (reply instanceof Reply.Rejected || reply instanceof Reply.Unknown) {
      return OptionalLong.empty();
    }
    throw new IllegalStateException("the store answered a fenced write with " + reply);
  }

  @Override
  public String name() {
    return COMPONENT.name();
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    apply(transaction, COMPONENT.argument().decode(argument));
    return COMPONENT.result().encode(transaction.index());
  }

  /** Carries out a call; where it is refused, nothing was written. */
  static void apply(Transaction transaction, Request request) throws Refusal {
    check(transaction, request.fence());
    for (Write.Require required : request.requirements()) {
      check(transaction, required);
    }
    for (Write write : request.writes()) {
      write.accept(EFFECTS, transaction);
    }
  }

  private static void check(Transaction transaction, Write.Require required) throws Refusal {
    Entry entry = transaction.get(required.table(), required.key());
    long version = entry == null ? 0 : entry.version();
    if (version != required.version()) {
      throw new Refusal(
          "an entry of "
              + required.table()
              + " has version "
              + version
              + ", not "
              + required.version());
    }
  }

  private static Request decode(Bytes argument) {
    ByteReader in = new ByteReader(argument);
    boolean withVersions = argument.length() > 0 && argument.at(0) == FORMAT_WITH_VERSIONS;
    in.version(withVersions ? FORMAT_WITH_VERSIONS : FORMAT, "fenced write");
    Fence fence = new Fence(in.utf8(DomainTable.MAX_NAME_BYTES), in.int64());
    List<Write> writes = new ArrayList<>();
    int required = withVersions ? in.count(MAX_WRITES, 2 + Long.BYTES) : 0;
    for (int i = 0; i < required; i++) {
      String table = in.utf8(MAX_TABLE_BYTES);
      writes.add(new Write.Require(table, in.bytes(MAX_KEY_BYTES), in.int64()));
    }
    int changes = in.count(MAX_WRITES, 3);
    for (int i = 0; i < changes; i++) {
      boolean put = in.flag();
      String table = in.utf8(MAX_TABLE_BYTES);
      Bytes key = in.bytes(MAX_KEY_BYTES);
      writes.add(
          put
              ? new Write.Put(table, key, in.bytes(MAX_VALUE_BYTES))
              : new Write.Remove(table, key));
    }
    in.end();
    return new Request(fence, writes);
  }

  /** The table of the first change: a call concerns one kind of records as a rule. */
  @Override
  public String cause(Bytes argument) {
    return causeOf(argument);
  }

  /** The table of the first record of a call; reads no more of it. */
  static String causeOf(Bytes argument) {
    ByteReader in = new ByteReader(argument);
    boolean withVersions = argument.length() > 0 && argument.at(0) == FORMAT_WITH_VERSIONS;
    in.version(withVersions ? FORMAT_WITH_VERSIONS : FORMAT, "fenced write");
    in.utf8(DomainTable.MAX_NAME_BYTES);
    in.int64();
    int required = withVersions ? in.count(MAX_WRITES, 2 + Long.BYTES) : 0;
    for (int i = 0; i < required; i++) {
      in.utf8(MAX_TABLE_BYTES);
      in.bytes(MAX_KEY_BYTES);
      in.int64();
    }
    in.count(MAX_WRITES, 3);
    in.flag();
    return in.utf8(MAX_TABLE_BYTES);
  }

  /**
   * Refuses unless the caller masters the fence's scope in its epoch; for other components, too.
   */
  public static void check(Transaction transaction, Fence fence) throws Refusal {
    long masterSession;
    long epoch;
    if (SwitchScope.isSwitch(fence.scope())) {
      Bytes key = DELEGATIONS.encodeKey(SwitchScope.dpid(fence.scope()));
      Entry entry = transaction.get(DelegationTable.NAME, key);
      if (entry == null) {
        throw new Refusal("fenced: " + fence.scope() + " is not delegated");
      }
      DelegationRecord delegation = DELEGATIONS.decodeValue(entry.value());
      masterSession = delegation.sessionId();
      epoch = delegation.epoch();
    } else {
      Entry entry = transaction.get(DomainTable.NAME, DOMAINS.encodeKey(fence.scope()));
      if (entry == null) {
        throw new Refusal("fenced: nobody masters domain " + fence.scope());
      }
      DomainRecord domain = DOMAINS.decodeValue(entry.value());
      masterSession = domain.sessionId();
      epoch = domain.epoch();
    }
    if (epoch != fence.epoch()) {
      throw new Refusal(
          "fenced: " + fence.scope() + " is in epoch " + epoch + ", not " + fence.epoch());
    }
    if (masterSession != transaction.callerSession()) {
      throw new Refusal("fenced: " + fence.scope() + " is mastered by session " + masterSession);
    }
  }
}
