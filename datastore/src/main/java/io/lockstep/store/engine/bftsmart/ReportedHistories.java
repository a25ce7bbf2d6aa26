package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.PeerNote.ReportedHistory;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the history that a new regency begins with: among those that a majority reported, the one
 * with the highest place (regency of the last decision, instance).
 *
 * <p>The library's fault: it begins with the report of the highest instance. But if a replica has
 * lost what it accepted, two values can be decided for one instance, one of them never
 * acknowledged. Then the longer history may be the wrong one. Therefore every report and the new
 * leader's answer carry their {@link ReportedHistory}, so that no replica continues in a regency on
 * another history.
 *
 * <p>Owned by the replica's loop.
 */
final class ReportedHistories {
  private final DecisionLog decisions;
  private final Map<Integer, ReportedHistory> latest = new HashMap<>();
  private @Nullable ReportedHistory chosen;
  private @Nullable ReportedHistory reported;
  private int answered = -1;

  ReportedHistories(DecisionLog decisions) {
    this.decisions = decisions;
  }

  /** Stores a peer's history; its report or answer follows on the same link. */
  void heard(int peer, ReportedHistory history) {
    latest.put(peer, history);
  }

  /** Drops what peers have sent. */
  void forget() {
    latest.clear();
  }

  /** The history that a peer sent for a regency, or null. */
  @Nullable ReportedHistory of(int peer, int regency) {
    ReportedHistory history = latest.get(peer);
    return history != null && history.regency() == regency ? history : null;
  }

  /** This replica's own history. */
  ReportedHistory own(int regency) {
    Decision last = decisions.last();
    byte[] before = chainAfter(last.instance() - 1);
    return new ReportedHistory(
        regency,
        last.instance(),
        last.regency(),
        last.chain(),
        before == null ? new byte[PeerNote.CHAIN_BYTES] : before);
  }

  /** Stores the history that this replica, as the leader, has reported to itself. */
  void reported(ReportedHistory history) {
    reported = history;
  }

  /** The history that this replica, as the leader, has reported for a regency, or null. */
  @Nullable ReportedHistory reported(int regency) {
    ReportedHistory history = reported;
    return history != null && history.regency() == regency ? history : null;
  }

  /** Stores the history with which this replica's regency begins. */
  void choose(ReportedHistory history) {
    chosen = history;
  }

  /** The history that this replica, as the leader, has chosen for a regency, or null. */
  @Nullable ReportedHistory chosen(int regency) {
    ReportedHistory history = chosen;
    return history != null && history.regency() == regency ? history : null;
  }

  /** Records that this replica, as the leader, has sent its answer for a regency. */
  void answered(int regency) {
    answered = regency;
  }

  /** Whether this replica has sent its answer for a regency. */
  boolean hasAnswered(int regency) {
    return answered == regency;
  }

  /** Whether a place is higher than another. */
  static boolean higher(ReportedHistory left, ReportedHistory right) {
    return left.lastRegency() > right.lastRegency()
        || (left.lastRegency() == right.lastRegency() && left.instance() > right.instance());
  }

  /**
   * Whether this replica's history is not a beginning of the other one, as far as is known without
   * the decisions between. One instance more is allowed: it is decided again, and {@link
   * LibraryStack#contradicted} shows whether with another value.
   */
  boolean loses(ReportedHistory winner) {
    Decision last = decisions.last();
    if (winner.instance() > last.instance()) {
      return winner.instance() == last.instance() + 1
          && !Arrays.equals(winner.before(), last.chain());
    }
    byte[] ours = chainAfter(winner.instance());
    boolean differs = ours != null && !Arrays.equals(ours, winner.chain());
    return differs || last.instance() > winner.instance() + 1;
  }

  /** Whether this replica, as the leader, would have to drop decisions for a report. */
  boolean losesAsLeader(ReportedHistory report) {
    return higher(report, own(report.regency()))
        && (loses(report) || decisions.last().instance() > report.instance());
  }

  private byte @Nullable [] chainAfter(long instance) {
    try {
      return decisions.chainAfter(instance);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the log at instance " + instance, e);
    }
  }
}
