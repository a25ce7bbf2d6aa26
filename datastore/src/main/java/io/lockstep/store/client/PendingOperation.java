package io.lockstep.store.client;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.RequestEncoder;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A submitted command. It is the future of its reply, and an element of the list of {@link
 * WaitingOperations}.
 */
final class PendingOperation extends CompletableFuture<Reply> {
  private final Command command;
  private final long submittedNanos;
  private final int bytes;

  private final @Nullable Observer observer;

  /** The session under which it was submitted, or sent. Owned by the loop once it was taken out. */
  private long sessionId;

  /** The operation that was submitted before it. Owned by {@link WaitingOperations}. */
  @Nullable PendingOperation earlier;

  /** Hears of an operation's reply before anyone else does. */
  interface Observer {
    void completed(PendingOperation operation, Reply reply);
  }

  /**
   * @param sessionId of the client's session, 0 where there is none
   */
  PendingOperation(Command command, long submittedNanos, long sessionId) {
    this(command, submittedNanos, sessionId, null);
  }

  /** The same with an observer of its reply. */
  PendingOperation(
      Command command, long submittedNanos, long sessionId, @Nullable Observer observer) {
    this.observer = observer;
    this.command = command;
    this.submittedNanos = submittedNanos;
    this.bytes = RequestEncoder.sizeHint(command);
    this.sessionId = sessionId;
  }

  /** Notes the session under which it is sent. */
  void sentUnder(long session) {
    sessionId = session;
  }

  /**
   * Whether it must not be sent under the session {@code present}: it can change something, and was
   * submitted under another session. Another client may now hold what its sender held then, such as
   * a lease.
   */
  boolean isStale(long present) {
    return sessionId != 0 && sessionId != present && canChange(command);
  }

  /** Closing a session is safe: its number never names another session. */
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

  /** About its bytes in a request. */
  int bytes() {
    return bytes;
  }

  void reject(Reply.Reason reason, String message) {
    complete(new Reply.Rejected(reason, message));
  }

  @Override
  public boolean complete(Reply reply) {
    if (observer != null && !isDone()) {
      observer.completed(this, reply);
    }
    return super.complete(reply);
  }

  /** Returns a plain future for dependent stages: only the client creates pending operations. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
