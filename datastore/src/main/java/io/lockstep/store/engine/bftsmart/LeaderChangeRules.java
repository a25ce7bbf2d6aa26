package io.lockstep.store.engine.bftsmart;

import bftsmart.consensus.TimestampValuePair;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.leaderchange.CertifiedDecision;
import bftsmart.tom.leaderchange.CollectData;
import bftsmart.tom.leaderchange.LCManager;
import io.lockstep.store.engine.bftsmart.PeerNote.Standing;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a new leader may propose, for crash faults: of the reports of n-f replicas it adopts the
 * value that was accepted with the highest timestamp, and chooses freely only where none of them
 * accepted anything. That is the rule of Paxos (Lamport, "Paxos Made Simple", section 2.2).
 *
 * <p>What the library does wrong:
 *
 * <ul>
 *   <li>Hazard 14: its predicate {@code unbound} takes timestamp 0 for "nothing accepted", but 0 is
 *       also the first epoch. A value accepted there by one survivor is dropped although it may
 *       have been decided; then replicas diverge.
 *   <li>It elects the successor of whoever a replica takes for the leader, so replicas that
 *       disagree about that elect different leaders for the same regency. Here the regency alone
 *       decides.
 *   <li>It begins a regency with the longest history reported, see {@link Standings}.
 *   <li>A leader that lags answers more than once in a regency, each time with another value.
 *   <li>Hazard 16: a STOP message without requests ends in a null pointer.
 * </ul>
 *
 * <p>Used only on the replica's loop.
 */
@SuppressWarnings("NonApiType") // the library's signatures
final class LeaderChangeRules extends LCManager {
  private final int self;
  private final int replicas;
  private final int enough;
  private final Standings standings;
  private final Runnable onReport;
  private final IntConsumer onInstalled;

  /**
   * @param standings what comes with each report
   * @param onReport run when this replica is about to report to a new leader, or to itself
   * @param onInstalled told a regency that has been installed
   */
  LeaderChangeRules(
      @Nullable TOMLayer tom,
      ServerViewController controller,
      MessageDigest digest,
      Standings standings,
      Runnable onReport,
      IntConsumer onInstalled) {
    super(tom, controller, digest);
    this.self = controller.getStaticConf().getProcessId();
    this.replicas = controller.getCurrentViewN();
    this.enough = controller.getCurrentViewN() - controller.getCurrentViewF();
    this.standings = standings;
    this.onReport = onReport;
    this.onInstalled = onInstalled;
  }

  /** The leader of a regency. */
  static int leaderOf(int regency, int replicas) {
    return regency % replicas;
  }

  /** Called when the last regency has just been set to the new one, before the report is made. */
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

  /** A report; this replica's own stands on the history that it has now. */
  @Override
  public void addLastCID(int regency, CertifiedDecision report) {
    if (report.getPID() == self) {
      standings.reported(standings.own(regency));
    }
    super.addLastCID(regency, report);
  }

  /**
   * Once this replica has answered, no further report counts. A leader that lags begins its regency
   * only when it has caught up; until then the library would make a new answer from each report,
   * with another value.
   */
  @Override
  public int getLastCIDsSize(int regency) {
    return standings.hasAnswered(regency) ? 0 : super.getLastCIDsSize(regency);
  }

  /** The report whose history has the highest place. */
  @Override
  public @Nullable CertifiedDecision getHighestLastCID(int regency) {
    CertifiedDecision best = null;
    Standing highest = null;
    for (CertifiedDecision report : getLastCIDs(regency)) {
      Standing standing =
          report.getPID() == self
              ? standings.reported(regency)
              : standings.of(report.getPID(), regency);
      if (standing != null && (highest == null || Standings.higher(standing, highest))) {
        highest = standing;
        best = report;
      }
    }
    if (highest != null) {
      standings.choose(highest);
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
   * The library calls this exactly when a leader change has settled on a value. It never forgets
   * the decisions that came with the reports.
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

  /** Equal timestamps cannot carry different values; the bytes only make the choice repeatable. */
  private static boolean isHigher(TimestampValuePair left, TimestampValuePair right) {
    return left.getTimestamp() > right.getTimestamp()
        || (left.getTimestamp() == right.getTimestamp()
            && Arrays.compare(left.getValue(), right.getValue()) > 0);
  }
}
