package io.lockstep.store.core;

import io.lockstep.store.engine.OrderedReply;

/**
 * Tracks the newest operation that the reply to the present request depends on: the last that wrote
 * or removed something which the request has read. Tables record it with every read.
 *
 * <p>It is no part of the state: a replica that was restored may know of older removals only, all
 * of which are durable there.
 */
final class ReplyDependency {
  private long newest;

  /** A request begins. */
  void clear() {
    newest = 0;
  }

  /** Something was read that is as the operation {@code index} left it. */
  void on(long index) {
    newest = Math.max(newest, index);
  }

  /** The request changed something, or was told its own place in the order. */
  void onItsBatch() {
    newest = OrderedReply.ITS_BATCH;
  }

  /** As {@link OrderedReply#restsOn} has it. */
  long newest() {
    return newest;
  }
}
