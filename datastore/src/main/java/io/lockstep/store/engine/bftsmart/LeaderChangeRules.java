package io.lockstep.store.engine.bftsmart;

import bftsmart.consensus.TimestampValuePair;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.leaderchange.CertifiedDecision;
import bftsmart.tom.leaderchange.CollectData;
import bftsmart.tom.leaderchange.LCManager;
import io.lockstep.store.engine.bftsmart.PeerNote.ReportedHistory;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the proposal of a new leader, for crash faults. From the reports of n-f replicas it
 * adopts the value accepted with the highest timestamp. It chooses freely only if none of them
 * accepted anything. That is the rule of Paxos (Lamport, "Paxos Made Simple", section 2.2).
 *
 * <p>The library's faults:
 *
 * <ul>
 *   <li>Hazard 14: its predicate {@code unbound} reads timestamp 0 as "nothing accepted", but 0 is
 *       also the first epoch. It drops a value that one survivor accepted there, although that
 *       value may have been decided. Then replicas diverge.
 *   <li>It elects the successor of the replica that each replica takes for the leader. Replicas
 *       that disagree about the leader then elect different ones for the same regency. Here the
 *       regency alone decides.
 *   <li>It begins a regency with the longest reported history, see {@link ReportedHistories}.
 *   <li>A leader that lags answers more than once in a regency, each time with another value.
 *   <li>Hazard 16: a STOP message without requests causes a null pointer exception.
 * </ul>
 *
 * <p>Used only on the replica's loop.
 */
@SuppressWarnings("NonApiType") // the library's signatures
final class LeaderChangeRules extends LCManager {
  private final int self;
  private final int replicas;
  private final int enough;
  private final ReportedHistories histories;
  private final Runnable onReport;
  private final IntConsumer onInstalled;

  /**
   * @param histories the histories that come with the reports
   * @param onReport run before this replica reports to a new leader, or to itself
   * @param onInstalled called with a regency that has been installed
   */
  LeaderChangeRules(
      @Nullable TOMLayer tom,
      ServerViewController controller,
      MessageDigest digest,
      ReportedHistories histories,
      Runnable onReport,
      IntConsumer onInstalled) {
    super(tom, controller, digest);
    this.self = controller.getStaticConf().getProcessId();
    this.replicas = controller.getCurrentViewN();
    this.enough = controller.getCurrentViewN() - controller.getCurrentViewF();
    this.histories = histories;
    this.onReport = onReport;
    this.onInstalled = onInstalled;
  }

  /** The leader of a regency. */
  static int leaderOf(int regency, int replicas) {
    return regency % replicas;
  }

  /** Called between the switch to the new regency and the report. */
  @Override
  public int getNewLeader() {
    int leader = leaderOf(getLastReg(), replicas);
    setNewLeader(leader);
    onReport.run();
    return leader;
  }

  @Override
  public boolean unbound(@Nullable HashSet<CollectData> reports) {
    return reports != null && reports.size() >= enough && highestAccepted(reports) == null;
  }

  @Override
  public byte @Nullable [] getBindValue(@Nullable HashSet<CollectData> reports) {
    if (reports == null || reports.size() < enough) {
      return null;
    }
    TimestampValuePair accepted = highestAccepted(reports);
    if (accepted == null) {
      return null;
    }
    for (CollectData report : reports) {
      for (TimestampValuePair written : report.getWriteSet()) {
        if (Arrays.equals(accepted.getValue(), written.getHashedValue())) {
          return written.getValue();
        }
      }
    }
    return null;
  }

  @Override
  public boolean sound(@Nullable HashSet<CollectData> reports) {
    return reports != null
        && reports.size() >= enough
        && (highestAccepted(reports) == null || getBindValue(reports) != null);
  }

  /** Adds a report. This replica's own report is based on its present history. */
  @Override
  public void addLastCID(int regency, CertifiedDecision report) {
    if (report.getPID() == self) {
      histories.reported(histories.own(regency));
    }
    super.addLastCID(regency, report);
  }

  /**
   * Hides further reports once this replica has answered. A leader that lags begins its regency
   * only when it has caught up. Until then the library would make a new answer from each report,
   * with another value.
   */
  @Override
  public int getLastCIDsSize(int regency) {
    return histories.hasAnswered(regency) ? 0 : super.getLastCIDsSize(regency);
  }

  /** The report whose history has the highest place. */
  @Override
  public @Nullable CertifiedDecision getHighestLastCID(int regency) {
    CertifiedDecision best = null;
    ReportedHistory highest = null;
    for (CertifiedDecision report : getLastCIDs(regency)) {
      ReportedHistory history =
          report.getPID() == self
              ? histories.reported(regency)
              : histories.of(report.getPID(), regency);
      if (history != null && (highest == null || ReportedHistories.higher(history, highest))) {
        highest = history;
        best = report;
      }
    }
    if (highest != null) {
      histories.choose(highest);
    }
    return best;
  }

  @Override
  public void addRequestsFromSTOP(TOMMessage @Nullable [] requests) {
    if (requests != null) {
      super.addRequestsFromSTOP(requests);
    }
  }

  /**
   * Called by the library exactly when a leader change has settled on a value. The library itself
   * never removes the decisions that came with the reports.
   */
  @Override
  public void removeCollects(int regency) {
    super.removeCollects(regency);
    removeLastCIDs(regency);
    onInstalled.accept(regency);
  }

  private static @Nullable TimestampValuePair highestAccepted(HashSet<CollectData> reports) {
    TimestampValuePair highest = null;
    for (CollectData report : reports) {
      TimestampValuePair accepted = report.getQuorumWrites();
      if (accepted.getValue() == null || accepted.getValue().length == 0) {
        continue;
      }
      if (highest == null || isHigher(accepted, highest)) {
        highest = accepted;
      }
    }
    return highest;
  }

  /**
   * Equal timestamps cannot carry different values. Comparing bytes makes the choice repeatable.
   */
  private static boolean isHigher(TimestampValuePair left, TimestampValuePair right) {
    return left.getTimestamp() > right.getTimestamp()
        || (left.getTimestamp() == right.getTimestamp()
            && Arrays.compare(left.getValue(), right.getValue()) > 0);
  }
}
