package io.lockstep.store.engine.bftsmart;

import bftsmart.consensus.Consensus;
import bftsmart.consensus.Epoch;
import bftsmart.consensus.TimestampValuePair;
import bftsmart.consensus.messages.MessageFactory;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.tom.core.ExecutionManager;
import bftsmart.tom.core.TOMLayer;
import java.lang.reflect.Field;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The value that this replica has accepted in the running instance.
 *
 * <p>Owned by the replica's loop.
 */
final class Acceptances {
  private final TOMLayer tom;
  private final ExecutionManager executions;
  private final ServerViewController view;
  private final Field acceptedField = LibraryFields.field(Consensus.class, "quorumWrites");
  private @Nullable TimestampValuePair lastAccepted;

  Acceptances(TOMLayer tom, ExecutionManager executions, ServerViewController view) {
    this.tom = tom;
    this.executions = executions;
    this.view = view;
  }

  /**
   * Sends the acceptance again, and the proposal too if this replica leads. The library sends each
   * once. If a link or a quorum loses them, the instance would otherwise wait forever.
   */
  void resend(int regency) {
    stamp(regency);
    int instance = tom.getInExec();
    TimestampValuePair accepted = lastAccepted;
    if (instance < 0 || accepted == null) {
      return;
    }
    Consensus consensus = executions.getConsensus(instance);
    Epoch epoch = consensus.getLastEpoch();
    boolean current = sameAcceptance(consensus) && accepted.getTimestamp() == regency;
    if (epoch == null || epoch.propValue == null || !current || consensus.isDecided()) {
      return;
    }
    int[] others = view.getCurrentViewOtherAcceptors();
    MessageFactory messages = tom.acceptor.getFactory();
    boolean leader = executions.getCurrentLeader() == view.getStaticConf().getProcessId();
    if (leader && epoch.getTimestamp() == 0) {
      tom.getCommunication().send(others, messages.createPropose(instance, 0, epoch.propValue));
    }
    tom.getCommunication()
        .send(others, messages.createAccept(instance, epoch.getTimestamp(), accepted.getValue()));
  }

  /**
   * Prepares the report of this replica's acceptance to a new leader. A value that was accepted out
   * of turn gets its stamp here. Of the values seen in the instance only the accepted one stays:
   * the new leader needs no other, and with all of them the report might not fit into a frame.
   */
  void reporting(int regency) {
    stamp(regency);
    int instance = tom.getInExec();
    if (instance < 0) {
      return;
    }
    Consensus consensus = executions.getConsensus(instance);
    TimestampValuePair accepted = consensus.getQuorumWrites();
    for (TimestampValuePair seen : consensus.getWriteSet()) {
      if (accepted == null
          || !Arrays.equals(tom.computeHash(seen.getValue()), accepted.getValue())) {
        consensus.removeWritten(seen.getValue());
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same object means the same acceptance
  private boolean sameAcceptance(Consensus consensus) {
    return consensus.getQuorumWrites() == lastAccepted;
  }

  /**
   * Stamps the value that this replica has just accepted with the current regency. Called after
   * each consensus message. The library stamps every acceptance outside a leader change with 0, so
   * a new leader could not see which of two is newer.
   */
  void stamp(int regency) {
    int instance = tom.getInExec();
    if (instance < 0) {
      return;
    }
    Consensus consensus = executions.getConsensus(instance);
    TimestampValuePair accepted = consensus.getQuorumWrites();
    if (accepted == null || sameAcceptance(consensus)) {
      return;
    }
    lastAccepted = accepted;
    if (accepted.getTimestamp() < regency) {
      lastAccepted = new TimestampValuePair(regency, accepted.getValue());
      try {
        acceptedField.set(consensus, lastAccepted);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("cannot stamp an acceptance", e);
      }
    }
  }
}
