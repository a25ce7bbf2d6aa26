package io.lockstep.bench.peers;

import io.lockstep.bench.compare.Answer;
import io.lockstep.bench.compare.Operation;
import io.lockstep.bench.compare.Procedure;
import io.lockstep.bench.compare.Procedures;
import io.lockstep.bench.variant.ReplaceByValue;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Micro components of the workloads, and the conditional replace by value of their first variants,
 * for which the store itself has none: it compares versions.
 */
final class BenchComponents {
  private static final Map<Procedure, String> NAMES =
      Map.of(
          Procedure.VIP, "lb.vip",
          Procedure.NEXT_MEMBER, "lb.next",
          Procedure.DEVICES, "dm.find",
          Procedure.SEEN, "dm.seen",
          Procedure.CREATE, "dm.make");

  private BenchComponents() {}

  static List<MicroComponent> all() {
    List<MicroComponent> all =
        new ArrayList<>(
            NAMES.entrySet().stream()
                .<MicroComponent>map(entry -> new Calling(entry.getKey(), entry.getValue()))
                .toList());
    all.add(new ReplaceByValue());
    all.addAll(CacheComponents.all());
    return all;
  }

  /** The call of a procedure that has a component here. */
  static Command command(Operation.Call call) {
    String name = NAMES.get(call.procedure());
    if (name == null) {
      throw new IllegalArgumentException("no component for " + call);
    }
    ByteWriter argument = new ByteWriter(32 + call.value().length);
    argument.utf8(call.key()).utf8(call.other()).bytes(Bytes.wrap(call.value()));
    return call.procedure().isWriting()
        ? new Command.Call(name, argument.toBytes())
        : new Command.Query(name, argument.toBytes());
  }

  /** The call of the replace by value. */
  static Command command(Operation.ReplaceValue replace) {
    return ReplaceByValue.command(
        replace.table(),
        Bytes.utf8(replace.key()),
        Bytes.wrap(replace.expected()),
        Bytes.wrap(replace.value()));
  }

  /** A component's result as the workload's answer. */
  static Answer answer(Procedure procedure, Bytes result) {
    return switch (procedure) {
      case SEEN -> Answer.written();
      case CREATE -> Answer.counter(ByteBuffer.wrap(result.shared()).getInt());
      default -> Answer.of(result.shared(), 0);
    };
  }

  static MicroComponent.Refusal refusal(CodecException e) {
    return new MicroComponent.Refusal(String.valueOf(e.getMessage()));
  }

  /** A procedure as a component. */
  private record Calling(Procedure procedure, String name) implements MicroComponent {
    @Override
    public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
      Operation.Call call;
      try {
        ByteReader in = new ByteReader(argument.shared());
        String key = in.utf8(1024);
        String other = in.utf8(1024);
        call = new Operation.Call(procedure, key, other, in.bytes(1 << 20).shared());
      } catch (CodecException e) {
        throw refusal(e);
      }
      Answer answer = Procedures.call(new InTransaction(transaction), call);
      if (!answer.done()) {
        throw new Refusal("nothing there for " + call.key());
      }
      byte[] value = answer.value();
      if (procedure == Procedure.CREATE) {
        return Bytes.wrap(ByteBuffer.allocate(4).putInt((int) answer.number()).array());
      }
      return value == null ? Bytes.empty() : Bytes.wrap(value);
    }
  }

  /** A transaction as procedures see it. */
  record InTransaction(Transaction transaction) implements Procedures.Tables {
    @Override
    public byte @Nullable [] get(String table, String key) {
      Entry entry = transaction.get(table, Bytes.utf8(key));
      return entry == null ? null : entry.value().shared();
    }

    @Override
    public void put(String table, String key, byte[] value) {
      transaction.put(table, Bytes.utf8(key), Bytes.wrap(value));
    }

    @Override
    public long increment(String table, String key) {
      return transaction.increment(table, Bytes.utf8(key), 1);
    }
  }
}
