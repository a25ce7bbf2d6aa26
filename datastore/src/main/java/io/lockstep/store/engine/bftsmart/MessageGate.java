package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.MessageHandler;
import bftsmart.communication.SystemMessage;
import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.tom.core.messages.ForwardedMessage;
import bftsmart.tom.leaderchange.LCMessage;
import bftsmart.tom.util.TOMUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what reaches the library: consensus and leader-change messages, nothing else. Our own
 * notes go to {@link ReplicaCore}. What goes wrong here would end the library's communication
 * thread (hazard 7), so it is counted, and a replica that fails too often halts.
 *
 * <p>Runs on the library's communication thread.
 */
final class MessageGate extends MessageHandler {
  private static final Logger log = LoggerFactory.getLogger(MessageGate.class);
  private static final int MAX_FAILURES = 50;

  private final ReplicaCore core;
  private int failures;

  MessageGate(ReplicaCore core) {
    this.core = core;
  }

  @Override
  protected void processData(SystemMessage message) {
    try {
      if (message instanceof PeerMessage peer) {
        core.note(peer.getSender(), peer.note());
      } else if (message instanceof ConsensusMessage) {
        super.processData(message);
        core.stack().stampAcceptance();
      } else if (message instanceof LCMessage change) {
        if (!core.recovering()) {
          if (change.getType() == TOMUtil.STOP && change.getReg() > core.stack().regency() + 1) {
            core.stack().skipTo(change.getReg() - 1);
          }
          super.processData(message);
        }
      } else if (message instanceof ForwardedMessage forwarded) {
        if (!core.recovering()) {
          core.stack().acceptForwarded(forwarded.getRequest());
        }
      } else {
        log.warn("dropped a message of {}", message.getClass());
      }
    } catch (RuntimeException | Error e) {
      failed(message.toString(), e);
    }
  }

  @Override
  protected void verifyPending() {
    try {
      super.verifyPending();
    } catch (RuntimeException | Error e) {
      failed("pending messages", e);
    }
  }

  private void failed(String what, Throwable cause) {
    failures++;
    log.error("failure {} on the communication thread, at {}", failures, what, cause);
    if (failures >= MAX_FAILURES || cause instanceof VirtualMachineError) {
      core.halt(failures + " failures on the communication thread, the last: " + cause);
    }
  }
}
