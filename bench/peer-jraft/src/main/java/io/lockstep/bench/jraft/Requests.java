package io.lockstep.bench.jraft;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.closure.ReadIndexClosure;
import com.alipay.sofa.jraft.entity.Task;
import io.lockstep.bench.compare.Answer;
import io.lockstep.bench.compare.Operation;
import io.lockstep.bench.compare.OperationCodec;
import io.lockstep.bench.compare.TableMachine;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Carries requests out on the node, however they came: a write by one apply, a read by a read index
 * and then from the state machine. Thread-safe.
 */
final class Requests {
  private static final byte[] NO_BYTES = new byte[0];

  private final Node node;
  private final Machine machine;

  Requests(Node node, Machine machine) {
    this.node = node;
    this.machine = machine;
  }

  /** Told once, on any thread. */
  interface Answered {
    void answered(int status, byte[] answer);
  }

  void carryOut(byte[] request, Answered then) {
    if (!node.isLeader(false)) {
      then.answered(FrameFormat.NOT_LEADER, NO_BYTES);
      return;
    }
    Operation operation = OperationCodec.decode(ByteBuffer.wrap(request));
    if (TableMachine.isRead(operation)) {
      node.readIndex(
          NO_BYTES,
          new ReadIndexClosure() {
            @Override
            public void run(Status status, long index, byte[] requestContext) {
              tell(then, status.isOk() ? machine.read(operation) : null);
            }
          });
    } else {
      node.apply(
          new Task(
              ByteBuffer.wrap(request),
              new Machine.Proposal(operation, answer -> tell(then, answer))));
    }
  }

  private static void tell(Answered then, @Nullable Answer answer) {
    if (answer == null) {
      then.answered(FrameFormat.FAILED, NO_BYTES);
    } else {
      then.answered(FrameFormat.DONE, OperationCodec.encode(answer));
    }
  }
}
