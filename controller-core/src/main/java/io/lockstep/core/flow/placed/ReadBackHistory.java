package io.lockstep.core.flow.placed;

import io.lockstep.core.state.SwitchTroubles;
import io.lockstep.placer.RuleKey;
import io.lockstep.store.logging.BoundedLog;
import java.util.List;
import java.util.Set;

/**
 * What the read-backs of one switch showed so far: entries of others, repairs, rules that the
 * switch confirmed and does not have, and whether work keeps overtaking them. Control loop only.
 */
final class ReadBackHistory {
  private static final BoundedLog log = BoundedLog.of(ReadBackHistory.class);

  /** Read-backs in a row that a change overtook before changes pause for one. */
  static final int MAX_OVERTAKEN = 6;

  private final String name;
  private final FalseConfirmations falseConfirmations = new FalseConfirmations();
  private int[] foreignEntries;
  private boolean reading;
  private long revision;
  private int overtaken;
  private long repaired;
  private long removed;
  private long repairMillis;
  private String repair = "";

  /**
   * Nothing was read yet.
   *
   * @param name of the switch, for messages
   */
  ReadBackHistory(String name, int layers) {
    this.name = name;
    foreignEntries = new int[layers];
  }

  /**
   * Begins a reading; false where one is under way.
   *
   * @param revision of the placement now
   */
  boolean begin(long revision) {
    if (reading) {
      return false;
    }
    reading = true;
    this.revision = revision;
    return true;
  }

  /** The reading under way has ended, with or without an answer of the switch. */
  void ended() {
    reading = false;
  }

  /** Whether the last reading is of another revision of the placement, so that it says little. */
  boolean isOvertaken(long revisionNow) {
    return revision != revisionNow;
  }

  /** A change began or ended while the switch was read. */
  void overtaken() {
    overtaken++;
  }

  /** Whether changes have to pause, so that the next reading is not overtaken, too. */
  boolean needsPause() {
    return overtaken >= MAX_OVERTAKEN && !reading;
  }

  /** No change overtook this reading. */
  void read(FlowTableSnapshot seen) {
    overtaken = 0;
    foreign(seen);
  }

  /** Takes the entries of others from a reading. */
  void foreign(FlowTableSnapshot seen) {
    foreignEntries = seen.foreignEntries.clone();
  }

  /** The entries of others in a layer. */
  int foreignIn(int layer) {
    return foreignEntries[layer];
  }

  /**
   * Takes the rules that a reading does not show.
   *
   * @return rules that were reported as missing and are back
   */
  List<RuleKey> present(Set<RuleKey> missing) {
    return falseConfirmations.present(missing);
  }

  /**
   * Counts a repair.
   *
   * @return rules that the switch confirmed and does not show, to be reported now
   */
  List<RuleKey> repaired(ReadBackRepair needed, long nowMillis) {
    repaired += needed.vanished;
    removed += needed.strays;
    repair =
        String.format(
            "%d entries had been deleted or changed and were put back, %d that should not be there"
                + " were taken away",
            needed.vanished, needed.strays);
    repairMillis = nowMillis;
    log.warn(name, "{}: {}", name, repair);
    return falseConfirmations.missing(needed.missingRules);
  }

  /** The last repair while it is recent; empty otherwise. */
  String trouble(long nowMillis) {
    return nowMillis - repairMillis <= SwitchTroubles.SHOWN_MILLIS ? repair : "";
  }

  /** Entries that the node put back so far. */
  long entriesPutBack() {
    return repaired;
  }

  /** Entries with the node's cookies that it removed so far, since they should not be there. */
  long entriesRemoved() {
    return removed;
  }
}
