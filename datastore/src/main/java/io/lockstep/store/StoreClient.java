package io.lockstep.store;

import java.util.concurrent.CompletableFuture;

/**
 * An asynchronous client of the store. Thread-safe. Keeps one session alive; batches what is
 * submitted while earlier requests are on their way; retries without applying anything twice.
 *
 * <p>Futures always complete normally, with a {@link Reply}, on the client's own event loop: a
 * continuation must not block it.
 */
public interface StoreClient extends AutoCloseable {

  /**
   * Submits a command. Completes with {@link Reply.Unknown} when no quorum answered within the
   * client's request deadline, and at once with {@link Reply.Rejected} ({@link
   * Reply.Reason#NOT_SENT}) when the bounded queue is full or the client closed.
   */
  CompletableFuture<Reply> submit(Command command);

  /** The session and how long it is surely alive. */
  SessionState session();

  /**
   * Adds a listener, which the client's event loop calls at every change of the session's identity.
   */
  void onSessionChange(SessionListener listener);

  /** Ends the session if a quorum can be reached within a second, then closes all connections. */
  @Override
  void close();

  /**
   * The client's session.
   *
   * @param sessionId the session, or 0 where there is none yet or it ended
   * @param validUntilNanos on the scale of the client's nano clock: until here the replicas surely
   *     hold the session open (send time of the last acknowledged sign of life + time to live, less
   *     a margin for clock drift). Past it, act as if it had ended.
   */
  record SessionState(long sessionId, long validUntilNanos) {}

  /** Is notified of sessions. */
  interface SessionListener {
    /** A session was opened; everything that was bound to an earlier one has ended. */
    void opened(long sessionId);

    /** The session ended or expired; the client opens a new one by itself. */
    void ended(long sessionId);
  }
}
