package io.lockstep.core.mastership;

import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.InputCounters.Input;
import io.lockstep.store.Reply;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.onosproject.net.DeviceId;

/**
 * Writes what switches report, at most {@link #MAX_ON_THEIR_WAY} writes for one switch at a time
 * and {@link #MAX_OF_ALL} for all: a switch whose ports or hosts come and go without end does not
 * fill the store client's queue, which all switches share. A switch may have as many as it leaves
 * free. Further writes are rejected at once; who asked compares again. Thread-safe.
 */
public final class BoundedWriter implements DomainWriter {
  /** Writes for one switch without a reply. */
  public static final int MAX_ON_THEIR_WAY = 512;

  /** The same for all switches together. */
  static final int MAX_OF_ALL = 8_192;

  private final DomainWriter writer;
  private final InputCounters inputs;

  /** Only switches that have writes on their way. */
  private final Map<DeviceId, Integer> onTheirWay = new ConcurrentHashMap<>();

  private final AtomicInteger ofAll = new AtomicInteger();

  /** A writer in front of another. */
  public BoundedWriter(DomainWriter writer, InputCounters inputs) {
    this.writer = writer;
    this.inputs = inputs;
  }

  @Override
  public CompletableFuture<Reply> write(DeviceId device, List<FencedWrite.Write> writes) {
    int most = Math.min(MAX_ON_THEIR_WAY, MAX_OF_ALL - ofAll.getAndIncrement());
    int waiting = onTheirWay.merge(device, 1, Integer::sum);
    if (waiting > most) {
      answered(device);
      inputs.count(Input.WRITE_REFUSED);
      return CompletableFuture.completedFuture(
          new Reply.Rejected(
              Reply.Reason.NOT_SENT, (waiting - 1) + " writes for " + device + " are waiting"));
    }
    CompletableFuture<Reply> reply = writer.write(device, writes);
    return reply.whenComplete((done, failure) -> answered(device));
  }

  private void answered(DeviceId device) {
    ofAll.decrementAndGet();
    onTheirWay.computeIfPresent(device, (key, count) -> count == 1 ? null : count - 1);
  }
}
