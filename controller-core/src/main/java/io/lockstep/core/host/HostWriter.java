package io.lockstep.core.host;

import io.lockstep.core.mastership.Fence;
import io.lockstep.core.mastership.Fencing;
import io.lockstep.core.mastership.GatheredCalls;
import io.lockstep.core.mastership.WriteBounds;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.onosproject.net.DeviceId;

/** Makes changes of hosts in the store. Thread-safe. */
@FunctionalInterface
public interface HostWriter {

  /**
   * Makes a change on behalf of a switch's master, under the epoch of this moment.
   *
   * @param device the switch of the place that the change names, or of the hosts that it adopts
   * @return completes normally
   */
  CompletableFuture<HostOutcome> change(DeviceId device, HostChange change);

  /**
   * A writer through {@link ChangeHosts}: what comes while operations are on their way shares one.
   */
  static HostWriter through(StoreClient store, Fencing fencing, WriteBounds bounds) {
    GatheredCalls calls = new GatheredCalls(store, new Changes());
    return (device, change) -> {
      Fence fence = fencing.fence(device);
      return fence == null
          ? CompletableFuture.completedFuture(HostOutcome.FENCED)
          : bounds
              .within(device, () -> calls.call(ChangeHosts.part(fence, change), change.hosts()))
              .handle((reply, failure) -> failure == null ? outcome(reply) : HostOutcome.UNKNOWN);
    };
  }

  private static HostOutcome outcome(Reply reply) {
    if (reply instanceof Reply.Returned returned) {
      return ChangeHosts.COMPONENT.result().decode(returned.result()).get(0);
    }
    return reply instanceof Reply.Rejected ? HostOutcome.REJECTED : HostOutcome.UNKNOWN;
  }

  /** Changes of hosts as calls that share operations. */
  final class Changes implements GatheredCalls.Form {
    @Override
    public int maxWeight() {
      return ChangeHosts.MAX_HOSTS;
    }

    @Override
    public int maxBytes() {
      return ChangeHosts.MAX_BYTES;
    }

    @Override
    public Command command(List<Bytes> parts) {
      return ChangeHosts.COMPONENT.command(parts);
    }

    @Override
    public List<Reply> replies(int parts, Reply.Returned returned) {
      List<Reply> replies = new ArrayList<>(parts);
      ChangeHosts.COMPONENT
          .result()
          .decode(returned.result())
          .forEach(
              outcome ->
                  replies.add(
                      new Reply.Returned(ChangeHosts.COMPONENT.result().encode(List.of(outcome)))));
      return replies;
    }
  }
}
