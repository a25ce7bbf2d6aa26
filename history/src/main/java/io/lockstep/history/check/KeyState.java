package io.lockstep.history.check;

import org.jspecify.annotations.Nullable;

/**
 * The entry of one key between two operations of a tried order.
 *
 * <p>A write without an answer whose version nobody saw has some version nobody knows: then {@link
 * #version} is the lowest it can be and {@link #exact} is false.
 *
 * @param value null where there is no entry
 * @param version of the last change, removes included
 * @param need what the next change must make use of; see {@link Need}
 * @param lastFresh place of the unanswered increment applied last, -1 where something else was:
 *     several in a row commute and are tried in one order only
 */
record KeyState(@Nullable String value, long version, boolean exact, Need need, int lastFresh) {

  /** A key never written. */
  static final KeyState EMPTY = new KeyState(null, 0, true, Need.NOTHING, -1);

  /** Stands for any text that an unanswered write left and nobody saw. */
  static final String UNSEEN = "(unseen)";

  /**
   * An unanswered write that nobody saw is only worth trying where the next change could not have
   * taken place without it.
   */
  enum Need {
    /** Nothing to make use of. */
    NOTHING,
    /** The entry was removed: what follows must need its absence. */
    ABSENCE,
    /** The entry was written: what follows must need its presence. */
    PRESENCE,
    /** The number was changed: what follows must build on it. */
    NUMBER,
    /** The number was made from nothing: what follows must build on it or need its presence. */
    NUMBER_OR_PRESENCE
  }

  boolean absent() {
    return value == null;
  }

  boolean isAt(long wanted) {
    return exact && value != null && version == wanted;
  }

  /** After a change whose version is known. */
  KeyState changed(@Nullable String now, long at) {
    return new KeyState(now, at, true, Need.NOTHING, -1);
  }

  /** After a change whose version nobody saw. */
  KeyState unseen(@Nullable String now, Need next, int place) {
    return new KeyState(now, version + 1, false, next, place);
  }

  /** Whether an absent entry was read, which makes use of an absence. */
  KeyState absenceSeen() {
    return need == Need.ABSENCE ? new KeyState(value, version, exact, Need.NOTHING, -1) : this;
  }
}
