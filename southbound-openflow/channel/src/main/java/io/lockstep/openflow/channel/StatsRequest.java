package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.SwitchConnection.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;

/**
 * A statistics request whose reply comes in parts (OpenFlow 1.3.5 section 7.3.5). Owned by the
 * event loop.
 */
final class StatsRequest<P extends OFStatsReply, T> implements Request {
  private final Class<P> partType;
  private final BiConsumer<P, List<T>> append;
  private final int maxEntries;
  private final CompletableFuture<Answer<List<T>>> result;
  private final List<T> entries = new ArrayList<>();

  /**
   * A request.
   *
   * @param append adds one part's entries to the list
   */
  StatsRequest(
      Class<P> partType,
      BiConsumer<P, List<T>> append,
      int maxEntries,
      CompletableFuture<Answer<List<T>>> result) {
    this.partType = partType;
    this.append = append;
    this.maxEntries = maxEntries;
    this.result = result;
  }

  @Override
  public boolean onReply(OFMessage reply) {
    if (!partType.isInstance(reply)) {
      onLost("the switch answered with " + reply.getType() + " of another kind");
      return true;
    }
    P part = partType.cast(reply);
    append.accept(part, entries);
    if (entries.size() > maxEntries) {
      onLost("more than " + maxEntries + " entries");
      return true;
    }
    if (part.getFlags().contains(OFStatsReplyFlags.REPLY_MORE)) {
      return false;
    }
    result.complete(new Answer.Of<>(List.copyOf(entries)));
    return true;
  }

  @Override
  public void onError(String error) {
    onLost("the switch refused: " + error);
  }

  @Override
  public void onLost(String reason) {
    result.complete(new Answer.None<>(reason));
  }
}
