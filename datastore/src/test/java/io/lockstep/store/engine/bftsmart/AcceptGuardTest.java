package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.consensus.Consensus;
import bftsmart.consensus.Decision;
import bftsmart.consensus.Epoch;
import bftsmart.consensus.messages.MessageFactory;
import bftsmart.consensus.roles.Acceptor;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.reconfiguration.views.MemoryBasedViewStorage;
import bftsmart.tom.core.messages.TOMMessage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Drives the library's own, rewritten {@code Acceptor.computeAccept}. */
@ExtendWith(IsolatedLibrary.class)
class AcceptGuardTest {
  private static final int INSTANCE = 4;
  private static final byte[] HASH = {1, 1};
  private static final byte[] OTHER_HASH = {2, 2};

  private final ServerViewController view =
      new ServerViewController(
          EngineViewController.configuration(LeaderChangeRulesTest.config()),
          new MemoryBasedViewStorage());
  private final Consensus consensus = new Consensus(null, new Decision(INSTANCE));
  private final Epoch epoch = new Epoch(view, consensus, 0);

  /** Two of three have accepted; returns whether this replica decides. */
  private boolean decides(byte[] accepted) throws ReflectiveOperationException {
    epoch.setAccept(1, accepted);
    epoch.setAccept(2, accepted);
    Acceptor acceptor = new Acceptor(null, new MessageFactory(0), view);
    Method computeAccept =
        Acceptor.class.getDeclaredMethod("computeAccept", int.class, Epoch.class, byte[].class);
    computeAccept.setAccessible(true);
    try {
      computeAccept.invoke(acceptor, INSTANCE, epoch, accepted);
    } catch (InvocationTargetException e) {
      // The decision goes to an execution manager that this test does not have.
      assertThat(e.getCause()).isInstanceOf(NullPointerException.class);
    }
    return consensus.isDecided();
  }

  @Test
  void hazard15NoDecisionWithoutAProposal() throws Exception {
    assertThat(decides(HASH)).isFalse();
  }

  @Test
  void hazard15NoDecisionOnAnotherProposal() throws Exception {
    epoch.propValueHash = OTHER_HASH;
    epoch.deserializedPropValue = new TOMMessage[0];
    assertThat(decides(HASH)).isFalse();
  }

  /** The instance has moved on to an epoch whose value may be another. */
  @Test
  void hazard15NoDecisionInAnEpochBeforeTheNewest() throws Exception {
    epoch.propValueHash = HASH;
    epoch.deserializedPropValue = new TOMMessage[0];
    consensus.setETS(1);
    assertThat(decides(HASH)).isFalse();
  }

  @Test
  void decisionOnTheAcceptedProposal() throws Exception {
    epoch.propValueHash = HASH;
    epoch.deserializedPropValue = new TOMMessage[0];
    assertThat(decides(HASH)).isTrue();
  }
}
