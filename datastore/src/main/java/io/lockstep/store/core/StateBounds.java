package io.lockstep.store.core;

import io.lockstep.store.engine.Rules;

/**
 * The memory bounds of the parts of the state under the rules in force, in bytes. Each part has a
 * share of the limit that no other part uses. So the changes that are kept for watchers never cause
 * the refusal of an entry, and a session with many replies never blocks another. The rest beside
 * the shares is for sessions and tables, whose number is bounded.
 *
 * @param stateMegabytes the limit that the shares are parts of; 0 where there is none
 * @param entryBytes entries with their keys and values ({@link EntryRoom})
 * @param reservedBytes how many of them only the cluster's own tables may use
 * @param changeBytes the histories of all tables ({@link ChangeHistory})
 * @param recordBytes recorded replies of all sessions ({@link RecordRoom})
 */
record StateBounds(
    int stateMegabytes, long entryBytes, long reservedBytes, long changeBytes, long recordBytes) {
  private static final long MEBIBYTE = 1 << 20;

  /** A session with one small record takes about 2 KiB, an empty table 1 KiB. */
  private static final long COUNTED_BYTES = (2L * Limits.SESSIONS + Limits.TABLES + 1024L) << 10;

  /** The most that records can use. */
  private static final long MOST_RECORD_BYTES = 256 * MEBIBYTE;

  /**
   * Room for two versions of the domains of 1 MiB each, and for 36 000 connections and delegations
   * of switches of 160 bytes each.
   */
  private static final long MOST_RESERVED_BYTES = 8 * MEBIBYTE;

  /** Without a limit, as before rules had numbers. */
  static final StateBounds NONE =
      new StateBounds(0, Long.MAX_VALUE, 0, Long.MAX_VALUE, Long.MAX_VALUE);

  static StateBounds of(Rules rules) {
    if (rules.number() == 1 || rules.stateMegabytes() == 0) {
      return NONE;
    }
    long all = rules.stateMegabytes() * MEBIBYTE;
    long changes = Math.min(all / 4, HistoryBounds.STANDARD.bytesInAll());
    long records = Math.min(all / 8, MOST_RECORD_BYTES);
    long counted = Math.min(all / 8, COUNTED_BYTES);
    long entries = all - changes - records - counted;
    long reserved = Math.min(entries / 4, MOST_RESERVED_BYTES);
    return new StateBounds(rules.stateMegabytes(), entries, reserved, changes, records);
  }
}
