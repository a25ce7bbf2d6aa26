package io.lockstep.store.client;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A command that was submitted: its own future and its own link in the queue. */
final class PendingOperation extends CompletableFuture<Reply> {
  private final Command command;
  private final long submittedNanos;

  /** The one submitted before it; the queue's own. */
  @Nullable PendingOperation earlier;

  PendingOperation(Command command, long submittedNanos) {
    this.command = command;
    this.submittedNanos = submittedNanos;
  }

  Command command() {
    return command;
  }

  long submittedNanos() {
    return submittedNanos;
  }

  void reject(Reply.Reason reason, String message) {
    complete(new Reply.Rejected(reason, message));
  }

  /** Dependent stages are plain futures: only the client completes this one. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
