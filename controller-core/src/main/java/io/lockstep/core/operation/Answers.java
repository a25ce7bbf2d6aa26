package io.lockstep.core.operation;

import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceAnswer.Reason;
import io.lockstep.store.typed.WriteOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** Turns what the store says into what an operator is told. Pure. */
final class Answers {
  private static final String LOOK = "see ./lockstep status";

  private Answers() {}

  static CompletableFuture<ResourceAnswer> now(ResourceResult result) {
    return CompletableFuture.completedFuture(new ResourceAnswer.Changed(result));
  }

  /** The same where nothing was submitted, for any reason. */
  static ResourceAnswer notRead(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof StoredMastership.NotRead) {
      return new ResourceAnswer.Refused(
          Reason.NOT_NOW, "the store was not read: " + cause.getMessage(), LOOK);
    }
    return new ResourceAnswer.Refused(
        Reason.FAILED, "the node failed: " + cause, "see the node's log");
  }

  /** Decides on what was read, or answers that it was not read. */
  static <T> CompletableFuture<ResourceAnswer> after(
      CompletableFuture<T> read, Function<T, CompletableFuture<ResourceAnswer>> decide) {
    // Only a failure of the read is one of which nothing was submitted.
    return read.<Supplier<CompletableFuture<ResourceAnswer>>>thenApply(
            now -> () -> decide.apply(now))
        .exceptionally(failure -> () -> CompletableFuture.completedFuture(notRead(failure)))
        .thenCompose(Supplier::get);
  }

  /**
   * What became of a write.
   *
   * @param done by the version of what was written
   * @param again decides anew, since something else was there
   */
  static CompletableFuture<ResourceAnswer> of(
      WriteOutcome<Long> outcome,
      LongFunction<ResourceResult> done,
      Supplier<CompletableFuture<ResourceAnswer>> again) {
    return then(outcome, version -> now(done.apply(version)), again);
  }

  /** The same where more follows what was written. */
  static CompletableFuture<ResourceAnswer> then(
      WriteOutcome<Long> outcome,
      LongFunction<CompletableFuture<ResourceAnswer>> done,
      Supplier<CompletableFuture<ResourceAnswer>> again) {
    return outcome.fold(
        known ->
            known.fold(
                done::apply,
                conflict -> again.get(),
                failure ->
                    CompletableFuture.completedFuture(
                        new ResourceAnswer.Refused(
                            Reason.NOT_NOW, "nothing was changed: " + failure.reason(), LOOK))),
        unknown ->
            CompletableFuture.completedFuture(
                new ResourceAnswer.Refused(
                    Reason.LATE, "whether it was changed is not known: " + unknown, LOOK)));
  }
}
