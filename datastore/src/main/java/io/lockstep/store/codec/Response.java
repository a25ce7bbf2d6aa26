package io.lockstep.store.codec;

import io.lockstep.store.Reply;
import java.util.List;

/**
 * The answer to a {@link Request}.
 *
 * @param status what became of the request as a whole
 * @param message what is wrong with it; empty where {@code status} is {@link Status#OK}
 * @param replies one per operation, in order; empty where the request was malformed. Where the
 *     request only reads and the replies are long, those to the first operations: the others are
 *     asked again
 */
public record Response(Status status, String message, List<Reply> replies) {

  public Response {
    replies = List.copyOf(replies);
  }

  /** What became of a request. */
  public enum Status {
    /** It was carried out. */
    OK,
    /** Its session is not open; the replies say what was done of it before the session ended. */
    SESSION_ENDED,
    /** It could not be read; nothing of it was applied. */
    MALFORMED
  }
}
