package io.lockstep.store;

import java.util.List;

/** The outcome of one {@link Command}. All outcomes are values; none is an exception. */
public sealed interface Reply {

  /** The entry that was read. */
  record Found(Bytes value, long version) implements Reply {}

  /** There is no such entry (or session); nothing was changed. */
  record Absent() implements Reply {}

  /**
   * The write took effect.
   *
   * @param version the entry's new version; for a remove, the index of the remove
   */
  record Applied(long version) implements Reply {}

  /** The precondition failed and nothing was changed; carries the entry as it is. */
  record Conflict(Bytes value, long version) implements Reply {}

  /**
   * The entries of a scan, in key order.
   *
   * @param more whether the limit cut the range short; continue after the last key
   */
  record Entries(List<Entry> entries, boolean more) implements Reply {
    public Entries {
      entries = List.copyOf(entries);
    }
  }

  /** The new value of a counter. */
  record Counter(long value, long version) implements Reply {}

  /** What a micro component returned. */
  record Returned(Bytes result) implements Reply {}

  /**
   * Changes in order.
   *
   * @param upToIndex every change of the watched tables up to and including this index is in this
   *     or an earlier answer; continue from here
   */
  record Changes(List<Change> changes, long upToIndex) implements Reply {
    public Changes {
      changes = List.copyOf(changes);
    }
  }

  /**
   * The history begins after the wanted index: read the tables anew, then watch from {@code index}.
   */
  record Compacted(long index) implements Reply {}

  /** The entries that a {@link Command.GetThrough} led to, those that exist, in reference order. */
  record Resolved(List<Entry> entries) implements Reply {
    public Resolved {
      entries = List.copyOf(entries);
    }
  }

  /** The columns that were read, and the version of their row. */
  record Columns(Row columns, long version) implements Reply {}

  /**
   * A batch took effect.
   *
   * @param replies one for each command, in order
   * @param version the batch's index: the version of everything it wrote
   */
  record Batched(List<Reply> replies, long version) implements Reply {
    public Batched {
      replies = List.copyOf(replies);
    }
  }

  /**
   * A batch did not hold and nothing was changed.
   *
   * @param position of what failed: the guards from 0 on, then the commands
   * @param reply to what failed; for a guard {@link Absent} or {@link Conflict}
   */
  record BatchRefused(int position, Reply reply) implements Reply {}

  /** A session was opened. */
  record SessionOpened(long sessionId) implements Reply {}

  /**
   * Surely not applied: the command is malformed, out of bounds, fenced or its session has ended.
   */
  record Rejected(Reason reason, String message) implements Reply {}

  /** No answer came in time: the operation may or may not have taken effect. */
  record Unknown(String message) implements Reply {}

  /** Why a command was rejected. */
  enum Reason {
    /** A name, key, value, limit or argument is outside its bounds. */
    OUT_OF_BOUNDS,
    /** No table of this name was declared. */
    UNKNOWN_TABLE,
    /** The table exists, but not of this kind; or it cannot be declared like this. */
    WRONG_KIND,
    /** No micro component of this name is registered. */
    UNKNOWN_COMPONENT,
    /** A micro component refused; the message is its own. */
    COMPONENT_REFUSED,
    /** The sender's session has ended: it must open a new one. */
    SESSION_ENDED,
    /** The client has too much work queued or is closed; the command was never sent. */
    NOT_SENT,
    /** The state, or what is kept of replies for retries, is at its limit. */
    NO_ROOM,
    /**
     * The replies to the request that the command came in are too long together. The store's client
     * sends it again by itself.
     */
    REPLIES_TOO_LONG
  }
}
