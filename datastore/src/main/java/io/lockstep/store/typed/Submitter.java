package io.lockstep.store.typed;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.cache.AnsweredQuery;
import io.lockstep.store.client.cache.CachingStore;
import io.lockstep.store.core.Limits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks and submits commands, and completes their futures at the deadline at the latest.
 * Immutable.
 *
 * @param deadlineNanos how long an operation waits; 0 for as long as the client does
 */
record Submitter(CachingStore cache, ScheduledExecutorService loop, long deadlineNanos) {
  private static final Duration LONGEST = Duration.ofHours(1);

  /** The same with another deadline. */
  Submitter within(Duration deadline) {
    if (deadline.compareTo(Duration.ofMillis(1)) < 0 || deadline.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a deadline of " + deadline + "; one of 1 ms to " + LONGEST.toHours() + " h is possible");
    }
    return new Submitter(cache, loop, deadline.toNanos());
  }

  /** Submits a command; one that is out of bounds is answered at once. */
  CompletableFuture<Reply> submit(Command command, Place place, Bytes value) {
    String tooLarge = place.tooLarge(value);
    if (tooLarge != null) {
      return CompletableFuture.completedFuture(outOfBounds(tooLarge));
    }
    return submit(command);
  }

  /** The same of a command without a key of its own. */
  CompletableFuture<Reply> submit(Command command) {
    String violation = Limits.violation(command);
    return violation != null
        ? CompletableFuture.completedFuture(outOfBounds(violation))
        : bounded(cache.submit(command));
  }

  private static Reply outOfBounds(String text) {
    return new Reply.Rejected(Reply.Reason.OUT_OF_BOUNDS, text);
  }

  /** A write whose reply, if it says that it took effect, gives {@code done}. */
  <T> CompletableFuture<WriteOutcome<T>> write(
      Command command, Place place, Bytes value, Function<Reply, T> done) {
    return submit(command, place, value).thenApply(reply -> Replies.write(place, reply, done));
  }

  /** A read that may come from the cache. */
  CompletableFuture<Reply> read(Command query, Place place, long stalenessMillis) {
    String tooLarge = place.tooLarge(Bytes.empty());
    if (tooLarge != null) {
      return submit(query, place, Bytes.empty());
    }
    return bounded(cache.read(query, stalenessMillis).thenApply(AnsweredQuery::reply));
  }

  private CompletableFuture<Reply> bounded(CompletableFuture<Reply> reply) {
    if (deadlineNanos == 0 || reply.isDone()) {
      return reply;
    }
    CompletableFuture<Reply> bounded = reply.thenApply(answer -> answer);
    Future<?> timer = atDeadline(() -> bounded.complete(late()));
    return timer == null ? bounded : bounded.whenComplete((answer, defect) -> timer.cancel(false));
  }

  private @Nullable Future<?> atDeadline(Runnable late) {
    try {
      return loop.schedule(late, deadlineNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      // The client is closed, and completes all waiting operations itself.
      return null;
    }
  }

  private Reply late() {
    return new Reply.Unknown(
        "no answer within the deadline of "
            + TimeUnit.NANOSECONDS.toMillis(deadlineNanos)
            + " ms; the client goes on, so a write may still take effect");
  }
}
