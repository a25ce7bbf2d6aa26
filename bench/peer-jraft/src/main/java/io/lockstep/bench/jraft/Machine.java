package io.lockstep.bench.jraft;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Iterator;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.core.StateMachineAdapter;
import io.lockstep.bench.compare.Answer;
import io.lockstep.bench.compare.Operation;
import io.lockstep.bench.compare.OperationCodec;
import io.lockstep.bench.compare.TableMachine;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tables as a Raft state machine. Applied by the node's own thread, read by any. */
final class Machine extends StateMachineAdapter {
  private final TableMachine tables = new TableMachine();

  /** A write on its way: told its answer, or null where it failed. */
  record Proposal(Operation operation, Consumer<@Nullable Answer> answered) implements Closure {
    @Override
    public void run(Status status) {
      // Success was told when it was applied.
      if (!status.isOk()) {
        answered.accept(null);
      }
    }
  }

  /** Reads; the caller knows that everything it must see is applied. */
  Answer read(Operation operation) {
    return tables.apply(operation);
  }

  @Override
  public void onApply(Iterator iterator) {
    while (iterator.hasNext()) {
      if (iterator.done() instanceof Proposal own) {
        own.answered().accept(tables.apply(own.operation()));
        own.run(Status.OK());
      } else {
        tables.apply(OperationCodec.decode(iterator.getData()));
      }
      iterator.next();
    }
  }
}
