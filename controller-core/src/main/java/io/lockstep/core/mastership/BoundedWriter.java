package io.lockstep.core.mastership;

import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.InputCounters.Input;
import io.lockstep.store.Reply;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.onosproject.net.DeviceId;

/**
 * Writes what switches report, at most {@link #MAX_ON_THEIR_WAY} writes for one switch at a time: a
 * switch whose ports or hosts come and go without end does not fill the store client's queue, which
 * all switches share. Further writes are rejected at once; who asked compares again. Thread-safe.
 */
public final class BoundedWriter implements DomainWriter {
  /** Writes for one switch without a reply. */
  public static final int MAX_ON_THEIR_WAY = 512;

  private final DomainWriter writer;
  private final InputCounters inputs;

  /** Only switches that have writes on their way. */
  private final Map<DeviceId, Integer> onTheirWay = new ConcurrentHashMap<>();

  /** A writer in front of another. */
  public BoundedWriter(DomainWriter writer, InputCounters inputs) {
    this.writer = writer;
    this.inputs = inputs;
  }

  @Override
  public CompletableFuture<Reply> write(DeviceId device, List<FencedWrite.Write> writes) {
    if (onTheirWay.merge(device, 1, Integer::sum) > MAX_ON_THEIR_WAY) {
      answered(device);
      inputs.count(Input.WRITE_REFUSED);
      return CompletableFuture.completedFuture(
          new Reply.Rejected(
              Reply.Reason.NOT_SENT, MAX_ON_THEIR_WAY + " writes for " + device + " are waiting"));
    }
    CompletableFuture<Reply> reply = writer.write(device, writes);
    return reply.whenComplete((done, failure) -> answered(device));
  }

  private void answered(DeviceId device) {
    onTheirWay.computeIfPresent(device, (key, count) -> count == 1 ? null : count - 1);
  }
}
