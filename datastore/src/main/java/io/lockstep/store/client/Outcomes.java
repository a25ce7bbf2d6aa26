package io.lockstep.store.client;

import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.client.RequestWindow.Sent;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseDecoder;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Turns the answer to a request, or its failure, into the replies to its operations. Called on the
 * loop.
 */
final class Outcomes {
  private static final BoundedLog log = BoundedLog.of(Outcomes.class);

  private Outcomes() {}

  /**
   * Completes the operations of a request from its answer. The session keeper is notified first.
   *
   * @return the operations whose replies did not fit into the answer. They were not carried out,
   *     and the caller sends them again
   */
  static List<PendingOperation> deliver(Sent sent, byte[] bytes, SessionKeeper session) {
    PendingOperation[] operations = sent.operations();
    Response response;
    try {
      response = ResponseDecoder.decode(bytes);
    } catch (CodecException garbage) {
      unknown(sent, "the answer cannot be read: " + garbage.getMessage());
      return List.of();
    }
    List<Reply> replies = response.replies();
    if (response.status() == Response.Status.MALFORMED) {
      for (PendingOperation operation : operations) {
        operation.reject(
            Reason.OUT_OF_BOUNDS, "the replicas cannot read the request: " + response.message());
      }
    } else if (replies.size() != operations.length && !isCut(sent, replies)) {
      unknown(sent, replies.size() + " replies to " + operations.length + " operations");
    } else {
      if (!sent.reads() || response.status() != Response.Status.OK) {
        session.answered(sent.sessionId(), sent.sentNanos(), response.status());
      }
      return complete(operations, replies);
    }
    return List.of();
  }

  private static List<PendingOperation> complete(
      PendingOperation[] operations, List<Reply> replies) {
    List<PendingOperation> unanswered = new ArrayList<>();
    for (int i = 0; i < operations.length; i++) {
      if (i >= replies.size() || (i > 0 && isTooLong(replies.get(i)))) {
        unanswered.add(operations[i]);
      } else {
        operations[i].complete(replies.get(i));
      }
    }
    return unanswered;
  }

  private static boolean isTooLong(Reply reply) {
    return reply instanceof Reply.Rejected rejected && rejected.reason() == Reason.REPLIES_TOO_LONG;
  }

  /** Whether the answer holds replies only to the first operations of a request of reads. */
  private static boolean isCut(Sent sent, List<Reply> replies) {
    return sent.reads() && !replies.isEmpty() && replies.size() < sent.operations().length;
  }

  /**
   * Completes the operations of a request that failed; true if the engine did not accept the
   * request.
   */
  static boolean fail(Sent sent, @Nullable Throwable failure) {
    Throwable cause = cause(failure);
    if (cause instanceof RejectedExecutionException) {
      for (PendingOperation operation : sent.operations()) {
        operation.reject(Reason.NOT_SENT, "the engine did not take it: " + cause.getMessage());
      }
      return true;
    }
    if (cause instanceof TimeoutException) {
      unknown(sent, "no answer in time: " + cause.getMessage());
    } else {
      logUnexpected(cause);
      unknown(sent, "the engine failed: " + cause);
    }
    return false;
  }

  private static @Nullable Throwable cause(@Nullable Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** Logs a failure of the engine that neither refused the request nor waited in vain for it. */
  static void logUnexpected(@Nullable Throwable failure) {
    Throwable cause = cause(failure);
    if (cause != null
        && !(cause instanceof RejectedExecutionException)
        && !(cause instanceof TimeoutException)) {
      log.error("engine", "the engine failed", cause);
    }
  }

  /**
   * Rejects the operations that must not be sent under {@code session}, see {@link
   * PendingOperation#isStale}. Their sender may not know yet that another client could have taken
   * over.
   *
   * @return the other operations, to be sent now
   */
  static PendingOperation[] refuseStale(PendingOperation[] operations, long session) {
    List<PendingOperation> left = new ArrayList<>(operations.length);
    for (PendingOperation operation : operations) {
      if (operation.isStale(session)) {
        operation.reject(
            Reason.SESSION_ENDED, "the session ended before the command was sent; send it again");
      } else {
        operation.sentUnder(session);
        left.add(operation);
      }
    }
    return left.size() == operations.length ? operations : left.toArray(PendingOperation[]::new);
  }

  /** Rejects operations that were never sent. */
  static void notSent(List<PendingOperation> operations, String message) {
    answer(operations, new Reply.Rejected(Reason.NOT_SENT, message));
  }

  /** Gives each of the operations the same reply. */
  static void answer(List<PendingOperation> operations, Reply reply) {
    operations.forEach(operation -> operation.complete(reply));
  }

  /** Completes the operations of a request that may or may not have taken effect. */
  static void unknown(Sent sent, String message) {
    Reply reply = new Reply.Unknown(message);
    for (PendingOperation operation : sent.operations()) {
      operation.complete(reply);
    }
  }
}
