package io.lockstep.core.state;

import io.lockstep.store.Reply;

/** Says in a log line what the store answered. Pure. */
public final class ReplyWords {
  private ReplyWords() {}

  /** What the store answered, as the end of a sentence such as "the claim failed: ". */
  public static String of(Reply reply) {
    if (reply instanceof Reply.Rejected rejected) {
      return "the store rejects it: " + rejected.message() + " (" + rejected.reason() + ")";
    } else if (reply instanceof Reply.Unknown unknown) {
      return "it may or may not have taken effect: " + unknown.message();
    } else if (reply instanceof Reply.Conflict conflict) {
      return "the entry has changed, it now has version " + conflict.version();
    } else if (reply instanceof Reply.BatchRefused refused) {
      return "part " + refused.position() + " of the batch does not hold: " + of(refused.reply());
    } else if (reply instanceof Reply.Compacted compacted) {
      return "the history begins after index " + compacted.index();
    } else if (reply instanceof Reply.Absent) {
      return "there is no such entry";
    }
    // Callers ask where the reply is not the one that they expect.
    return "the store answered otherwise than expected";
  }
}
