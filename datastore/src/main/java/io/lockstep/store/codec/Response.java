package io.lockstep.store.codec;

import io.lockstep.store.Reply;
import java.util.List;

/**
 * The answer to a {@link Request}.
 *
 * @param status of the request as a whole
 * @param message the problem of the request; empty if {@code status} is {@link Status#OK}
 * @param replies one per operation, in order; empty if the request was malformed. If the request
 *     only reads and the replies are long, only those to the first operations; the client sends the
 *     others again
 */
public record Response(Status status, String message, List<Reply> replies) {

  public Response {
    replies = List.copyOf(replies);
  }

  /** The status of a request. */
  public enum Status {
    /** It was carried out. */
    OK,
    /**
     * Its session is not open; the replies are those to the operations that were carried out before
     * the session ended.
     */
    SESSION_ENDED,
    /** It could not be read, and nothing of it was applied. */
    MALFORMED
  }
}
