package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import org.jspecify.annotations.Nullable;

/**
 * What the entries of all tables take together, and may take. Where they are at the limit, a write
 * that makes them take more is refused; removing, and writing what is no longer than before, go on.
 *
 * <p>A sixteenth is kept from new entries, for those that are there and grow: so a store that was
 * filled still takes what changes hands, such as the master of a domain, whose entry is a few bytes
 * longer each time a number gains a digit.
 */
final class EntryRoom {
  /** What holds a key and a value, in bytes: an entry, two byte strings, a place in a block. */
  static final int OVERHEAD_BYTES = 128;

  private long bytes;
  private StateBounds bounds = StateBounds.NONE;

  void bounds(StateBounds inForce) {
    bounds = inForce;
  }

  /** What all entries take, in bytes. */
  long bytes() {
    return bytes;
  }

  static long bytesOf(Bytes key, Bytes value) {
    return (long) OVERHEAD_BYTES + key.length() + value.length();
  }

  private static long bytesOf(@Nullable Entry entry) {
    return entry == null ? 0 : bytesOf(entry.key(), entry.value());
  }

  /** An entry took the place of another, or of none; or none that of another. */
  void changed(@Nullable Entry before, @Nullable Entry after) {
    bytes += bytesOf(after) - bytesOf(before);
  }

  /** Whether any entry of this size may be written, whatever is there now. */
  boolean admitsAny(Bytes key, Bytes value) {
    return bytes + bytesOf(key, value) <= most(true);
  }

  /** Whether {@code value} may take the place of {@code before}. */
  boolean admits(@Nullable Entry before, Bytes key, Bytes value) {
    long growth = bytesOf(key, value) - bytesOf(before);
    return growth <= 0 || bytes + growth <= most(before == null);
  }

  /**
   * Whether all may stay as it is.
   *
   * @param before what all entries took before it was changed
   * @param added whether an entry was added
   */
  boolean admitsSince(long before, boolean added) {
    return bytes <= before || bytes <= most(added);
  }

  private long most(boolean added) {
    return added ? bounds.entryBytes() - bounds.entryBytes() / 16 : bounds.entryBytes();
  }

  /** The refusal of what finds no room. */
  Reply refusal() {
    return new Reply.Rejected(
        Reason.NO_ROOM,
        "the state is at its limit (store.stateMegabytes "
            + bounds.stateMegabytes()
            + "): entries take "
            + bytes
            + " of "
            + bounds.entryBytes()
            + " bytes; remove some, or raise the limit for all replicas");
  }
}
