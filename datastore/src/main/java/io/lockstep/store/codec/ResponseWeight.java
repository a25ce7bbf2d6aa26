package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import java.util.List;
import java.util.Map;

/**
 * Computes the bytes of a response without writing it: never fewer than {@link ResponseEncoder}
 * writes, and few more. Memory budgets use it.
 */
public final class ResponseWeight {
  /** The most bytes of a tag, a version and the lengths beside them. */
  private static final long OVERHEAD_BYTES = 32;

  /** The most bytes of UTF-8 for one char. */
  private static final long BYTES_PER_CHAR = 3;

  private ResponseWeight() {}

  /** The bytes of a response. */
  public static long of(Response response) {
    long bytes = OVERHEAD_BYTES + text(response.message());
    for (Reply reply : response.replies()) {
      bytes += of(reply);
    }
    return bytes;
  }

  /** The bytes of one reply in a response. */
  public static long of(Reply reply) {
    if (reply instanceof Reply.Applied) {
      return OVERHEAD_BYTES;
    } else if (reply instanceof Reply.Found r) {
      return OVERHEAD_BYTES + r.value().length();
    } else if (reply instanceof Reply.Conflict r) {
      return OVERHEAD_BYTES + r.value().length();
    } else if (reply instanceof Reply.Returned r) {
      return OVERHEAD_BYTES + r.result().length();
    } else if (reply instanceof Reply.Rejected r) {
      return OVERHEAD_BYTES + text(r.message());
    } else if (reply instanceof Reply.Unknown r) {
      return OVERHEAD_BYTES + text(r.message());
    } else if (reply instanceof Reply.Entries r) {
      return OVERHEAD_BYTES + entries(r.entries());
    } else if (reply instanceof Reply.Resolved r) {
      return OVERHEAD_BYTES + entries(r.entries());
    }
    return composed(reply);
  }

  private static long composed(Reply reply) {
    long bytes = OVERHEAD_BYTES;
    if (reply instanceof Reply.Changes r) {
      for (Change change : r.changes()) {
        Bytes value = change.value();
        bytes += OVERHEAD_BYTES + text(change.table()) + change.key().length();
        bytes += value == null ? 0 : value.length();
      }
    } else if (reply instanceof Reply.Columns r) {
      for (Map.Entry<String, Bytes> column : r.columns().columns().entrySet()) {
        bytes += OVERHEAD_BYTES + text(column.getKey()) + column.getValue().length();
      }
    } else if (reply instanceof Reply.Batched r) {
      for (Reply part : r.replies()) {
        bytes += of(part);
      }
    } else if (reply instanceof Reply.BatchRefused r) {
      bytes += of(r.reply());
    }
    return bytes;
  }

  private static long entries(List<Entry> entries) {
    long bytes = 0;
    for (Entry entry : entries) {
      bytes += OVERHEAD_BYTES + entry.key().length() + entry.value().length();
    }
    return bytes;
  }

  private static long text(String text) {
    return BYTES_PER_CHAR * text.length();
  }
}
