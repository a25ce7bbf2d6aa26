package io.lockstep.core.mastership;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.onosproject.net.DeviceId;

/**
 * Writes what many switches report with few operations ({@link GatheredCalls}, {@link
 * FencedWrites}). Thread-safe; replies come on the store client's thread.
 */
public final class GatheringWriter implements DomainWriter {
  private final GatheredCalls calls;
  private final Fencing fencing;

  /** One write is a call of {@link FencedWrite}, several are one of {@link FencedWrites}. */
  private static final class FencedCalls implements GatheredCalls.Form {
    @Override
    public int maxWeight() {
      return FencedWrites.MAX_PARTS;
    }

    @Override
    public int maxBytes() {
      return FencedWrites.MAX_BYTES;
    }

    @Override
    public Command command(List<Bytes> writes) {
      return writes.size() == 1
          ? new Command.Call(FencedWrite.COMPONENT.name(), writes.get(0))
          : FencedWrites.COMPONENT.command(writes);
    }

    @Override
    public List<Reply> replies(int writes, Reply.Returned returned) {
      if (writes == 1) {
        return List.of(returned);
      }
      FencedWrites.Outcomes outcomes = FencedWrites.COMPONENT.result().decode(returned.result());
      return IntStream.range(0, writes).mapToObj(outcomes::reply).toList();
    }
  }

  /** A writer that has nothing to write. */
  public GatheringWriter(StoreClient store, Fencing fencing) {
    this.calls = new GatheredCalls(store, new FencedCalls());
    this.fencing = fencing;
  }

  @Override
  public CompletableFuture<Reply> write(DeviceId device, List<FencedWrite.Write> writes) {
    Fence fence = fencing.fence(device);
    return fence == null
        ? CompletableFuture.completedFuture(
            new Reply.Rejected(Reply.Reason.NOT_SENT, device + " is not mastered here"))
        : calls.call(FencedWrite.command(fence, writes).argument(), 1);
  }
}
