package io.lockstep.core.mastership;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.onosproject.net.DeviceId;

/** Writes what a node knows about switches that it masters. Thread-safe. */
@FunctionalInterface
public interface DomainWriter {

  /**
   * Writes on behalf of the switch's domain, all or none, under the epoch of this moment. Answers
   * {@link Reply.Rejected} where this node does not master the switch, now or when the write is
   * ordered.
   */
  CompletableFuture<Reply> write(DeviceId device, List<FencedWrite.Write> writes);

  /**
   * Writes for a caller that needs no answer: it compares with the tables again later, and repeats
   * what is missing there.
   */
  default void writeUnanswered(DeviceId device, List<FencedWrite.Write> writes) {
    logFailure("a write for " + device, write(device, writes));
  }

  /** A writer through the store's fenced write. */
  static DomainWriter through(StoreClient store, Fencing fencing) {
    return (device, writes) -> {
      Fence fence = fencing.fence(device);
      return fence == null
          ? CompletableFuture.completedFuture(
              new Reply.Rejected(Reply.Reason.NOT_SENT, device + " is not mastered here"))
          : store.submit(FencedWrite.command(fence, writes));
    };
  }
}
