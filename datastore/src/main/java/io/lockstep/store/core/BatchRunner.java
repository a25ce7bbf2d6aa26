package io.lockstep.store.core;

import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries out the guards and commands of a batch: all or none, as one operation. */
final class BatchRunner {
  private BatchRunner() {}

  /** Whether the batch can change something. */
  static boolean writes(Command.Batch batch) {
    for (Command command : batch.commands()) {
      if (!command.isRead()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Carries out {@code batch}, which is within {@link Limits}.
   *
   * @param transaction not begun yet; ended on return
   * @param room for the reply; if the reply is longer, nothing takes effect
   */
  static Reply run(
      Tables tables,
      StoreTransaction transaction,
      Command.Batch batch,
      long index,
      ReplyRoom room) {
    for (int i = 0; i < batch.guards().size(); i++) {
      Reply refusal = refusal(tables, batch.guards().get(i));
      if (refusal != null) {
        transaction.undo();
        return new Reply.BatchRefused(i, refusal);
      }
    }
    List<Reply> replies = new ArrayList<>(batch.commands().size());
    long bytes = 0;
    for (Command command : batch.commands()) {
      Reply reply;
      try {
        reply = TableOperations.apply(tables, transaction, command, index);
      } catch (StoreTransaction.OutOfBoundsException tooMuch) {
        reply = Refusals.outOfBounds(String.valueOf(tooMuch.getMessage()));
      }
      if (isFailure(command, reply)) {
        transaction.undo();
        return new Reply.BatchRefused(batch.guards().size() + replies.size(), reply);
      }
      replies.add(reply);
      bytes += ReplySize.of(reply);
      if (bytes > Limits.BATCH_REPLY_BYTES) {
        transaction.undo();
        return Refusals.outOfBounds(
            "the replies to a batch are at most "
                + Limits.BATCH_REPLY_BYTES
                + " bytes; those to its first "
                + replies.size()
                + " commands are more");
      }
    }
    return transaction.end(new Reply.Batched(replies, index), room);
  }

  private static @Nullable Reply refusal(Tables tables, Command.Guard guard) {
    Table table = tables.find(guard.table());
    if (table == null) {
      return Refusals.unknownTable(guard.table());
    }
    Entry entry = table.entry(guard.key());
    if (entry == null) {
      return guard.version() == 0 ? null : new Reply.Absent();
    }
    return entry.version() == guard.version()
        ? null
        : new Reply.Conflict(entry.value(), entry.version());
  }

  /**
   * A read that finds nothing does not fail the batch, nor does the removal of an entry that does
   * not exist.
   */
  private static boolean isFailure(Command command, Reply reply) {
    return reply instanceof Reply.Rejected
        || reply instanceof Reply.Conflict
        || (reply instanceof Reply.Absent
            && (command instanceof Command.Replace
                || command instanceof Command.RemoveVersion
                || command instanceof Command.ReplaceColumns));
  }
}
