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
 * The library's replica, of which only the building of the stack is used: decisions are applied
 * where they fall, see {@link Decisions}.
 *
 * <p>What the library does wrong (hazards 3, 8 and 9): an exception while it delivers is printed
 * and everything decided in that pass is dropped, so replicas diverge; a no-op on a checkpoint
 * throws; it keeps five replies for each client. Here an exception halts the replica.
 */
final class EngineServiceReplica extends ServiceReplica {
  /** Builds and starts the stack; the threads it starts inherit this thread's daemon status. */
  EngineServiceReplica(ServerViewController view, RecoveryGate gate) {
    super(view, new NoUnordered(), new NoTransfer(gate), null, new DefaultReplier());
  }

  /** On the library's delivery thread, which sleeps: {@link DeliveryGate}. */
  @Override
  public void receiveMessages(
      int[] instances,
      int[] regencies,
      int[] leaders,
      CertifiedDecision[] decisions,
      TOMMessage[][] requests) {
    throw new IllegalStateException("the library delivers instance " + instances[0]);
  }

  /** Reads are ordered like everything else; an unordered request gets an empty answer. */
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
