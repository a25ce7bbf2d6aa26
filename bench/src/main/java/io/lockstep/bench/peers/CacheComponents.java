package io.lockstep.bench.peers;

import io.lockstep.bench.compare.Operation;
import io.lockstep.bench.compare.Procedure;
import io.lockstep.bench.compare.Procedures;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;
import java.util.List;

/**
 * The micro components of the cached variants: each does its work only if what it was decided on is
 * as it was read, and writes nothing that a cache holds.
 */
final class CacheComponents {
  private static final String NEXT_AT = "lb.next.at";
  private static final String SEEN_AT = "dm.seen.at";
  private static final int MAX_KEY_BYTES = 1024;

  private CacheComponents() {}

  static List<MicroComponent> all() {
    return List.of(
        new Validating(NEXT_AT, Procedures.VIPS, CacheComponents::next),
        new Validating(SEEN_AT, Procedures.DEVICES, CacheComponents::seen));
  }

  /** The call that carries an operation out. */
  static Command.Call command(Operation.CallAt operation) {
    Operation.Call call = operation.call();
    ByteWriter argument = new ByteWriter(48);
    argument.varint(operation.version()).utf8(operation.decidedOn()).utf8(call.key());
    argument.bytes(Bytes.wrap(call.value()));
    return new Command.Call(
        call.procedure() == Procedure.NEXT_MEMBER ? NEXT_AT : SEEN_AT, argument.toBytes());
  }

  /** The tables that it writes. */
  static List<String> written(Operation.CallAt operation) {
    return List.of(
        operation.call().procedure() == Procedure.NEXT_MEMBER
            ? Procedures.POOLS
            : Procedures.DEVICE_SEEN);
  }

  private static Bytes next(Transaction transaction, String vip, String key, byte[] nothing)
      throws MicroComponent.Refusal {
    Operation.Call call = new Operation.Call(Procedure.NEXT_MEMBER, key, "", nothing);
    byte[] member = Procedures.call(new BenchComponents.InTransaction(transaction), call).value();
    if (member == null) {
      throw new MicroComponent.Refusal("no pool " + key);
    }
    return Bytes.wrap(member);
  }

  private static Bytes seen(Transaction transaction, String device, String none, byte[] time) {
    transaction.put(Procedures.DEVICE_SEEN, Bytes.utf8(device), Bytes.wrap(time));
    return Bytes.copyOf((byte) 1);
  }

  private interface Work {
    Bytes run(Transaction transaction, String decidedOn, String key, byte[] value)
        throws MicroComponent.Refusal;
  }

  /** Answers nothing where the entry that it was decided on has another version. */
  private record Validating(String name, String table, Work work) implements MicroComponent {
    @Override
    public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
      try {
        ByteReader in = new ByteReader(argument.shared());
        long version = in.varint();
        String decidedOn = in.utf8(MAX_KEY_BYTES);
        Entry entry = transaction.get(table, Bytes.utf8(decidedOn));
        return entry == null || entry.version() != version
            ? Bytes.empty()
            : work.run(
                transaction, decidedOn, in.utf8(MAX_KEY_BYTES), in.bytes(MAX_KEY_BYTES).shared());
      } catch (CodecException e) {
        throw BenchComponents.refusal(e);
      }
    }
  }
}
