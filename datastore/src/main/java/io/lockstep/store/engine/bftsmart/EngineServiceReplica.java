package io.lockstep.store.engine.bftsmart;

import bftsmart.reconfiguration.ServerViewController;
import bftsmart.statemanagement.ApplicationState;
import bftsmart.statemanagement.StateManager;
import bftsmart.tom.MessageContext;
import bftsmart.tom.ReplicaContext;
import bftsmart.tom.ServiceReplica;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.leaderchange.CertifiedDecision;
import bftsmart.tom.server.Executable;
import bftsmart.tom.server.Recoverable;
import bftsmart.tom.server.defaultservices.DefaultReplier;

/**
 * The library's replica, used only to build the library's stack. {@link ReplicaMemory} applies
 * decisions.
 *
 * <p>The library's faults (hazards 3, 8 and 9): it prints an exception during delivery and drops
 * all decisions of that pass, so replicas diverge; a no-op on a checkpoint throws; it keeps five
 * replies for each client. Here an exception halts the replica.
 */
final class EngineServiceReplica extends ServiceReplica {
  /**
   * Builds and starts the stack. The threads that it starts inherit this thread's daemon status.
   */
  EngineServiceReplica(ServerViewController view, RecoveryGate gate) {
    super(view, new NoUnordered(), new NoTransfer(gate), null, new DefaultReplier());
  }

  /** Never called: the library's delivery thread sleeps, see {@link DeliveryGate}. */
  @Override
  public void receiveMessages(
      int[] instances,
      int[] regencies,
      int[] leaders,
      CertifiedDecision[] decisions,
      TOMMessage[][] requests) {
    throw new IllegalStateException("the library delivers instance " + instances[0]);
  }

  /** Answers unordered requests with no bytes: reads are ordered like writes. */
  private static final class NoUnordered implements Executable {
    @Override
    public byte[] executeUnordered(byte[] command, MessageContext context) {
      return new byte[0];
    }
  }

  private record NoTransfer(RecoveryGate gate) implements Recoverable {
    @Override
    public StateManager getStateManager() {
      return gate;
    }

    @Override
    public void setReplicaContext(ReplicaContext context) {}

    @Override
    public ApplicationState getState(int instance, boolean sendState) {
      throw new UnsupportedOperationException("state moves through our own messages");
    }

    @Override
    public int setState(ApplicationState state) {
      throw new UnsupportedOperationException("state moves through our own messages");
    }

    @Override
    public void Op(int instance, byte[] request, MessageContext context) {}

    @Override
    public void noOp(int instance, byte[][] operations, MessageContext[] contexts) {}
  }
}
