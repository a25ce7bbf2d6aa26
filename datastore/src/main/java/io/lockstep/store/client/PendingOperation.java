package io.lockstep.store.client;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.RequestEncoder;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A command that was submitted: its own future and its own link in the queue. */
final class PendingOperation extends CompletableFuture<Reply> {
  private final Command command;
  private final long submittedNanos;
  private final int bytes;

  /** Under which session it was submitted, or sent; the loop's own once it was taken out. */
  private long sessionId;

  /** The one submitted before it; the queue's own. */
  @Nullable PendingOperation earlier;

  /**
   * @param sessionId of the client's session, 0 where there is none
   */
  PendingOperation(Command command, long submittedNanos, long sessionId) {
    this.command = command;
    this.submittedNanos = submittedNanos;
    this.bytes = RequestEncoder.sizeHint(command);
    this.sessionId = sessionId;
  }

  /** It goes out under this session. */
  void sentUnder(long session) {
    sessionId = session;
  }

  /**
   * Whether it must not be sent under {@code present}: it can change something, and was asked for
   * under another session. What its sender held then, such as a lease, may be another's now.
   */
  boolean isStale(long present) {
    return sessionId != 0 && sessionId != present && canChange(command);
  }

  /** A session is ended by its number, which is never another's. */
  private static boolean canChange(Command command) {
    if (command instanceof Command.Batch batch) {
      return batch.commands().stream().anyMatch(part -> !part.isRead());
    }
    return !(command.isRead()
        || command instanceof Command.ReadChanges
        || command instanceof Command.KeepAlive
        || command instanceof Command.CloseSession);
  }

  Command command() {
    return command;
  }

  long submittedNanos() {
    return submittedNanos;
  }

  /** About how many bytes it takes in a request. */
  int bytes() {
    return bytes;
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
