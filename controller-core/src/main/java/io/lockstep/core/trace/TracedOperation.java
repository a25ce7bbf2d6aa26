package io.lockstep.core.trace;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An operation of a trace, decoded. Immutable.
 *
 * @param cause of an operation of the core; empty for those of events
 * @param askedMicros when it was asked, in microseconds since the trace began
 * @param answeredMicros when it was answered
 * @param reply null for a sign of life, which has none
 * @param requestBytes of the encoded command
 * @param replyBytes of the encoded reply
 */
public record TracedOperation(
    String cause,
    long askedMicros,
    long answeredMicros,
    Command command,
    @Nullable Reply reply,
    int requestBytes,
    int replyBytes) {
  private static final int MAX_TABLES_NAMED = 3;

  /**
   * Whether it is a read of the paper: it changes no entry. A call of a micro component is a write,
   * a query of one is a read.
   */
  public boolean isRead() {
    return isRead(command);
  }

  private static boolean isRead(Command command) {
    return command instanceof Command.Batch batch
        ? batch.commands().stream().allMatch(TracedOperation::isRead)
        : command.isRead() || command instanceof Command.ReadChanges;
  }

  /** The type of its command, such as {@code put-if-absent}. */
  public String type() {
    return words(command);
  }

  /** The type of its reply, such as {@code returned}; {@code -} where there is none. */
  public String replyType() {
    Reply answer = reply;
    if (answer instanceof Reply.Rejected rejected) {
      return "rejected " + rejected.reason().name().toLowerCase(Locale.ROOT);
    }
    return answer == null ? "-" : words(answer);
  }

  private static String words(Object named) {
    return named
        .getClass()
        .getSimpleName()
        .replaceAll("(?<=.)([A-Z])", "-$1")
        .toLowerCase(Locale.ROOT);
  }

  /** The table or the micro component that it names; several in a batch; {@code -} for none. */
  public String target() {
    if (command instanceof Command.Call call) {
      return call.component();
    } else if (command instanceof Command.Query query) {
      return query.component();
    } else if (command instanceof Command.ReadChanges changes) {
      return named(changes.tables());
    } else if (command instanceof Command.Batch batch) {
      return named(
          Stream.concat(
                  batch.guards().stream().map(Command.Guard::table),
                  batch.commands().stream().map(Command::table))
              .map(String::valueOf)
              .toList());
    }
    String table = command.table();
    return table == null ? "-" : table;
  }

  private static String named(List<String> tables) {
    List<String> distinct = tables.stream().distinct().sorted().toList();
    return distinct.size() > MAX_TABLES_NAMED
        ? distinct.size() + " tables"
        : distinct.stream().collect(Collectors.joining("+"));
  }

  /** The key that it names, of a scan the first; null where it names none or several. */
  public @Nullable Bytes key() {
    if (command instanceof Command.Get c) {
      return c.key();
    } else if (command instanceof Command.Put c) {
      return c.key();
    } else if (command instanceof Command.PutIfAbsent c) {
      return c.key();
    } else if (command instanceof Command.Replace c) {
      return c.key();
    } else if (command instanceof Command.Remove c) {
      return c.key();
    } else if (command instanceof Command.RemoveVersion c) {
      return c.key();
    } else if (command instanceof Command.Increment c) {
      return c.key();
    } else if (command instanceof Command.Scan c) {
      return c.from();
    }
    return keyOfRow();
  }

  private @Nullable Bytes keyOfRow() {
    if (command instanceof Command.GetColumns c) {
      return c.key();
    } else if (command instanceof Command.PutColumns c) {
      return c.key();
    } else if (command instanceof Command.ReplaceColumns c) {
      return c.key();
    } else if (command instanceof Command.RemoveColumns c) {
      return c.key();
    }
    return command instanceof Command.GetThrough c ? c.key() : null;
  }
}
