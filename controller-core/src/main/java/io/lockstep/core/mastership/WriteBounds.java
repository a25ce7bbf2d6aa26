package io.lockstep.core.mastership;

import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.InputCounters.Input;
import io.lockstep.store.Reply;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.onosproject.net.DeviceId;

/**
 * How many writes for what switches report may be on their way: {@link #MAX_ON_THEIR_WAY} for one
 * switch and {@link #MAX_OF_ALL} for all, whoever makes them. A switch may have as many as it
 * leaves free. Thread-safe.
 */
public final class WriteBounds {
  /** Writes for one switch without a reply. */
  public static final int MAX_ON_THEIR_WAY = 512;

  /** The same for all switches together. */
  static final int MAX_OF_ALL = 8_192;

  private final InputCounters inputs;

  /** Only switches that have writes on their way. */
  private final Map<DeviceId, Integer> onTheirWay = new ConcurrentHashMap<>();

  private final AtomicInteger ofAll = new AtomicInteger();

  /** Nothing is on its way. */
  public WriteBounds(InputCounters inputs) {
    this.inputs = inputs;
  }

  /** Makes a write, or rejects it at once where too many are on their way. */
  public CompletableFuture<Reply> within(
      DeviceId device, Supplier<CompletableFuture<Reply>> write) {
    int most = Math.min(MAX_ON_THEIR_WAY, MAX_OF_ALL - ofAll.getAndIncrement());
    int waiting = onTheirWay.merge(device, 1, Integer::sum);
    if (waiting > most) {
      answered(device);
      inputs.count(Input.WRITE_REFUSED);
      return CompletableFuture.completedFuture(
          new Reply.Rejected(
              Reply.Reason.NOT_SENT, (waiting - 1) + " writes for " + device + " are waiting"));
    }
    return write.get().whenComplete((done, failure) -> answered(device));
  }

  private void answered(DeviceId device) {
    ofAll.decrementAndGet();
    onTheirWay.computeIfPresent(device, (key, count) -> count == 1 ? null : count - 1);
  }
}
