package io.lockstep.store.core;

import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import java.util.List;

/**
 * Estimates the memory of a reply, in bytes. Every replica and every version must count the same:
 * the refusals of sessions and requests depend on it.
 */
final class ReplySize {
  private static final long OVERHEAD_BYTES = 48;
  private static final long REFERENCE_BYTES = 8;

  private ReplySize() {}

  static long of(Reply reply) {
    if (reply instanceof Reply.Applied) {
      return OVERHEAD_BYTES;
    } else if (reply instanceof Reply.Conflict r) {
      return OVERHEAD_BYTES + r.value().length();
    } else if (reply instanceof Reply.Returned r) {
      return OVERHEAD_BYTES + r.result().length();
    } else if (reply instanceof Reply.Rejected r) {
      return OVERHEAD_BYTES + r.message().length();
    } else if (reply instanceof Reply.Found r) {
      return OVERHEAD_BYTES + r.value().length();
    } else if (reply instanceof Reply.Entries r) {
      return OVERHEAD_BYTES + of(r.entries());
    } else if (reply instanceof Reply.Resolved r) {
      return OVERHEAD_BYTES + of(r.entries());
    } else if (reply instanceof Reply.Columns r) {
      long bytes = OVERHEAD_BYTES;
      for (var column : r.columns().columns().entrySet()) {
        bytes += OVERHEAD_BYTES + column.getKey().length() + column.getValue().length();
      }
      return bytes;
    } else if (reply instanceof Reply.Changes r) {
      long bytes = OVERHEAD_BYTES;
      for (Change change : r.changes()) {
        bytes += ChangeHistory.bytesOf(change);
      }
      return bytes;
    } else if (reply instanceof Reply.Batched r) {
      long bytes = OVERHEAD_BYTES;
      for (Reply part : r.replies()) {
        bytes += of(part);
      }
      return bytes;
    } else if (reply instanceof Reply.BatchRefused r) {
      return OVERHEAD_BYTES + of(r.reply());
    }
    return OVERHEAD_BYTES;
  }

  /**
   * The bytes that the reply does not share with the state: columns that were copied out of rows,
   * and results of components. No part of the state depends on this number.
   */
  static long ownBytes(Reply reply) {
    if (reply instanceof Reply.Found || reply instanceof Reply.Conflict) {
      return OVERHEAD_BYTES;
    } else if (reply instanceof Reply.Entries r) {
      return OVERHEAD_BYTES + REFERENCE_BYTES * r.entries().size();
    } else if (reply instanceof Reply.Changes r) {
      return OVERHEAD_BYTES + REFERENCE_BYTES * r.changes().size();
    } else if (reply instanceof Reply.Batched r) {
      long bytes = OVERHEAD_BYTES;
      for (Reply part : r.replies()) {
        bytes += ownBytes(part);
      }
      return bytes;
    }
    return of(reply);
  }

  private static long of(List<Entry> entries) {
    long bytes = 0;
    for (Entry entry : entries) {
      bytes += OVERHEAD_BYTES + entry.key().length() + entry.value().length();
    }
    return bytes;
  }
}
