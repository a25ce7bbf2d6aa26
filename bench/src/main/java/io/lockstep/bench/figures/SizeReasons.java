package io.lockstep.bench.figures;

import io.lockstep.apps.learningswitch.LearnAndForward;
import io.lockstep.bench.compare.PaperTables.PaperOperation;
import io.lockstep.bench.variant.ReplaceByValue;
import io.lockstep.core.trace.TracedOperation;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import org.jspecify.annotations.Nullable;

/** Why an operation of a trace is smaller or larger than the paper's. */
final class SizeReasons {
  private static final String OWN_BYTES =
      "are the application's own bytes, the paper's are serialised objects of Java";

  /** Of an identifier, as the paper's applications have them. */
  private static final int NUMBER_BYTES = 8;

  /** The paper's requests to its micro components that hold no object are shorter than this. */
  private static final int SMALL_BYTES = 100;

  private SizeReasons() {}

  /**
   * The reason in one sentence; empty where nothing differs.
   *
   * @param request null where no trace has the operation
   * @param reply null where no trace has it
   * @param paper null where the paper prints nothing
   */
  static String of(
      @Nullable TracedOperation request,
      @Nullable TracedOperation reply,
      @Nullable PaperOperation paper) {
    if (request == null || reply == null) {
      return "no event of the trace had this operation";
    }
    if (paper == null) {
      return "the product's own way, which the paper does not have";
    }
    String asked = request(request, paper);
    String answered = reply(reply, paper);
    if (asked.endsWith(OWN_BYTES) && answered.endsWith(OWN_BYTES)) {
      return "keys and values " + OWN_BYTES;
    }
    return asked.isEmpty() || answered.isEmpty() ? asked + answered : asked + "; " + answered;
  }

  private static String request(TracedOperation asked, PaperOperation paper) {
    if (asked.requestBytes() == paper.requestBytes()) {
      return "";
    }
    boolean isOfComponent =
        (asked.command() instanceof Command.Call || asked.command() instanceof Command.Query)
            && !asked.target().equals(ReplaceByValue.NAME);
    if (asked.requestBytes() < paper.requestBytes()) {
      return isOfComponent && paper.requestBytes() < SMALL_BYTES
          ? "the argument has no more than the component needs"
          : "keys and values of the request " + OWN_BYTES;
    }
    if (isOfComponent) {
      return "the request names its micro component in full";
    }
    return asked.target().equals(LearnAndForward.TABLE)
        ? "the request names its table in full, and the key has the switch"
        : "the request names its table in full";
  }

  private static String reply(TracedOperation answered, PaperOperation paper) {
    Reply reply = answered.reply();
    int more = answered.replyBytes() - paper.replyBytes();
    if (more == 0) {
      return "";
    } else if (reply instanceof Reply.Absent) {
      return "the reply says that there is no such entry";
    } else if (more < 0) {
      return paper.replyBytes() == NUMBER_BYTES
          ? "the reply has a name, the paper's a number of 8 bytes"
          : "values of the reply " + OWN_BYTES;
    } else if (reply instanceof Reply.Applied) {
      return "the reply has its kind and the new version of the entry";
    } else if (reply instanceof Reply.Returned) {
      return "the reply has its kind and the length of the result";
    } else if (reply instanceof Reply.Resolved resolved && resolved.entries().isEmpty()) {
      return "the reply has its kind and says that there is no entry";
    }
    return "the reply has its kind, the version of the entry and the length of its value";
  }
}
