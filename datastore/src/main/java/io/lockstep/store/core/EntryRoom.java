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
 * <p>A reserve is kept for the cluster's own tables ({@link Limits#isOfCluster}): who takes part,
 * which domains there are, who masters them. They may always take that much, and more while all
 * entries together leave room. So a store that clients have filled still changes masters and
 * domains.
 *
 * <p>A sixteenth is kept from new entries of other tables, for those that are there and grow: so a
 * full store still takes what changes hands, such as the record of a host that moves.
 */
final class EntryRoom {
  /** What holds a key and a value, in bytes: an entry, two byte strings, a place in a block. */
  static final int OVERHEAD_BYTES = 128;

  /**
   * What entries take, in bytes.
   *
   * @param cluster those of the cluster's own tables
   * @param others those of all other tables
   */
  record Taken(long cluster, long others) {}

  private long clusterBytes;
  private long otherBytes;
  private StateBounds bounds = StateBounds.NONE;

  void bounds(StateBounds inForce) {
    bounds = inForce;
  }

  /** What all entries take now. */
  Taken taken() {
    return new Taken(clusterBytes, otherBytes);
  }

  static long bytesOf(Bytes key, Bytes value) {
    return (long) OVERHEAD_BYTES + key.length() + value.length();
  }

  private static long bytesOf(@Nullable Entry entry) {
    return entry == null ? 0 : bytesOf(entry.key(), entry.value());
  }

  /**
   * An entry took the place of another, or of none; or none that of another.
   *
   * @param ofCluster whether its table is one of the cluster's own
   */
  void changed(boolean ofCluster, @Nullable Entry before, @Nullable Entry after) {
    long growth = bytesOf(after) - bytesOf(before);
    if (ofCluster) {
      clusterBytes += growth;
    } else {
      otherBytes += growth;
    }
  }

  /** Whether an entry of this size fits, also as a new one. */
  boolean admitsAny(boolean ofCluster, Bytes key, Bytes value) {
    return fits(ofCluster, bytesOf(key, value), true);
  }

  /** Whether {@code value} may take the place of {@code before}. */
  boolean admits(boolean ofCluster, @Nullable Entry before, Bytes key, Bytes value) {
    long growth = bytesOf(key, value) - bytesOf(before);
    return growth <= 0 || fits(ofCluster, growth, before == null);
  }

  private boolean fits(boolean ofCluster, long growth, boolean added) {
    return ofCluster
        ? clusterFits(clusterBytes + growth, clusterBytes + otherBytes + growth)
        : otherBytes + growth <= mostOfOthers(added);
  }

  private boolean clusterFits(long cluster, long all) {
    return cluster <= bounds.reservedBytes() || all <= bounds.entryBytes();
  }

  /**
   * Whether all may stay as it is.
   *
   * @param before what all entries took before it was changed
   * @param added whether an entry was added to a table that is none of the cluster's own
   */
  boolean admitsSince(Taken before, boolean added) {
    return (clusterBytes <= before.cluster || clusterFits(clusterBytes, clusterBytes + otherBytes))
        && (otherBytes <= before.others || otherBytes <= mostOfOthers(added));
  }

  /** The reserve is not theirs, whether it is used or not. */
  private long mostOfOthers(boolean added) {
    long most = bounds.entryBytes() - Math.max(bounds.reservedBytes(), clusterBytes);
    return added ? most - bounds.entryBytes() / 16 : most;
  }

  /** The refusal of what finds no room. */
  Reply refusal() {
    return new Reply.Rejected(
        Reason.NO_ROOM,
        "the state is at its limit (store.stateMegabytes "
            + bounds.stateMegabytes()
            + "): entries take "
            + (clusterBytes + otherBytes)
            + " of "
            + bounds.entryBytes()
            + " bytes, of which "
            + bounds.reservedBytes()
            + " are for the cluster's own tables; remove some, or raise the limit for all"
            + " replicas");
  }
}
