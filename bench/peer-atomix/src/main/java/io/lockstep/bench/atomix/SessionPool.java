package io.lockstep.bench.atomix;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of one primitive, each with at most one operation under way: as many as there ever were
 * operations at a time.
 *
 * <p>More than one command of a session at a time brings Atomix 3.1.12 to a halt of five seconds
 * now and then. The leader's two threads, the one that appends commands and the one that applies
 * them, both raise the number of the session's last command ({@code
 * RaftSession.setRequestSequence}), without a lock. Where one sets it back, the leader takes the
 * next command for one that came too early, and it waits with all later ones for a command that is
 * there already, until the client's time-out. It is issue 1044 of the project, closed, and in this
 * last version still. A session that sends its next command after the answer to the one before
 * gives the two threads nothing to race for.
 *
 * <p>Thread-safe.
 *
 * @param <T> a session
 */
final class SessionPool<T> {
  private final Supplier<CompletableFuture<T>> opener;
  private final int most;
  private final Deque<T> idle = new ArrayDeque<>();
  private int open;

  /**
   * A pool without sessions.
   *
   * @param opener opens one
   * @param most sessions
   */
  SessionPool(Supplier<CompletableFuture<T>> opener, int most) {
    this.opener = opener;
    this.most = most;
  }

  /** Opens the first session; does nothing where there is one. */
  CompletableFuture<?> open() {
    return use(session -> CompletableFuture.completedFuture(session));
  }

  /**
   * Carries out an operation in a session without another one, and opens one where there is none.
   * The session is idle again before the answer is there, so that who continues upon the answer
   * finds it.
   *
   * @return the answer; fails where the operation does, no session opens, or all are busy
   */
  <A> CompletableFuture<A> use(Function<T, CompletableFuture<A>> operation) {
    T session;
    synchronized (this) {
      session = idle.pollFirst();
      if (session == null && open == most) {
        return CompletableFuture.failedFuture(
            new IllegalStateException("more than " + most + " operations at a time"));
      }
      if (session == null) {
        open++;
      }
    }
    if (session != null) {
      return run(session, operation);
    }
    return opener.get().whenComplete(this::opened).thenCompose(opened -> run(opened, operation));
  }

  private <A> CompletableFuture<A> run(T session, Function<T, CompletableFuture<A>> operation) {
    return operation.apply(session).whenComplete((answer, cause) -> giveBack(session));
  }

  private synchronized void giveBack(T session) {
    idle.addFirst(session);
  }

  private synchronized void opened(@Nullable T session, @Nullable Throwable cause) {
    if (cause != null) {
      open--;
    }
  }
}
