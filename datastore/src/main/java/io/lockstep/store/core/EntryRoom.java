package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Counts the memory of the entries of all tables, and bounds it. At the limit a write that needs
 * more memory is refused; a removal is not, nor a write of a value that is no longer than the one
 * before.
 *
 * <p>A reserve belongs to the cluster's own tables ({@link Limits#isOfCluster}): the nodes that
 * take part, the domains and their masters. These tables may always use the reserve, and more while
 * all entries together leave room. So a store that clients have filled can still change masters and
 * domains.
 *
 * <p>New entries of other tables may not use the last sixteenth, which is left for existing entries
 * that grow. So a full store still accepts an update that changes hands, such as the record of a
 * host that moves.
 */
final class EntryRoom {
  /**
   * Memory of an entry besides its key and value, in bytes: the entry, two byte strings, its place
   * in a block.
   */
  static final int OVERHEAD_BYTES = 128;

  /**
   * Memory of entries, in bytes.
   *
   * @param cluster those of the cluster's own tables
   * @param others those of all other tables
   */
  record UsedBytes(long cluster, long others) {}

  private long clusterBytes;
  private long otherBytes;
  private StateBounds bounds = StateBounds.NONE;

  void bounds(StateBounds inForce) {
    bounds = inForce;
  }

  /** The memory of all entries. */
  UsedBytes used() {
    return new UsedBytes(clusterBytes, otherBytes);
  }

  static long bytesOf(Bytes key, Bytes value) {
    return (long) OVERHEAD_BYTES + key.length() + value.length();
  }

  private static long bytesOf(@Nullable Entry entry) {
    return entry == null ? 0 : bytesOf(entry.key(), entry.value());
  }

  /**
   * Counts a change: an entry was added, replaced or removed.
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

  /** Whether an entry of this size fits, even as a new one. */
  boolean admitsAny(boolean ofCluster, Bytes key, Bytes value) {
    return fits(ofCluster, bytesOf(key, value), true);
  }

  /** Whether {@code value} may replace {@code before}. */
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
   * Whether the entries are within their bounds after a change.
   *
   * @param before the memory of all entries before the change
   * @param added whether the change added an entry to a table other than the cluster's own
   */
  boolean admitsSince(UsedBytes before, boolean added) {
    return (clusterBytes <= before.cluster || clusterFits(clusterBytes, clusterBytes + otherBytes))
        && (otherBytes <= before.others || otherBytes <= mostOfOthers(added));
  }

  /** Other tables may not use the reserve, whether the cluster uses it or not. */
  private long mostOfOthers(boolean added) {
    long most = bounds.entryBytes() - Math.max(bounds.reservedBytes(), clusterBytes);
    return added ? most - bounds.entryBytes() / 16 : most;
  }

  /** The refusal of a command for which there is no room. */
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
