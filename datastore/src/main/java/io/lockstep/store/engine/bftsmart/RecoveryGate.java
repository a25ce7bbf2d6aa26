package io.lockstep.store.engine.bftsmart;

import bftsmart.statemanagement.SMMessage;
import bftsmart.statemanagement.StateManager;
import bftsmart.tom.core.DeliveryThread;
import bftsmart.tom.core.TOMLayer;

/**
 * Reports to the library whether this replica still recovers, and records which state a leader
 * change asked for. {@link Rejoin} replaces the library's own state transfer, which never runs. In
 * that transfer replicas wait for each other forever, and restarted empty replicas agree to start
 * over beside a survivor (hazards 4, 5 and 8).
 *
 * <p>The replica's loop writes {@code recovering}; many threads read it.
 */
final class RecoveryGate implements StateManager {

  /** No leader change waits for a state. */
  static final int NONE = -1;

  private volatile boolean recovering = true;
  private volatile int wanted = NONE;

  @Override
  public boolean isRetrievingState() {
    return recovering;
  }

  void open() {
    recovering = false;
  }

  void close() {
    recovering = true;
    wanted = NONE;
  }

  /** The instance that a suspended leader change waits for, or {@link #NONE}. */
  int wanted() {
    return wanted;
  }

  void satisfied() {
    wanted = NONE;
  }

  @Override
  public void requestAppState(int instance) {
    wanted = instance;
  }

  @Override
  public void init(TOMLayer tomLayer, DeliveryThread deliveryThread) {}

  @Override
  public void analyzeState(int instance) {}

  @Override
  public void stateTimeout() {}

  @Override
  public void SMRequestDeliver(SMMessage message, boolean byzantine) {}

  @Override
  public void SMReplyDeliver(SMMessage message, boolean byzantine) {}

  @Override
  public void askCurrentConsensusId() {}

  @Override
  public void currentConsensusIdAsked(int sender) {}

  @Override
  public void currentConsensusIdReceived(SMMessage message) {}

  @Override
  public void setLastCID(int instance) {}

  @Override
  public int getLastCID() {
    return -1;
  }
}
