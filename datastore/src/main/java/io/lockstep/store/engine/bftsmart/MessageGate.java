package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.MessageHandler;
import bftsmart.communication.SystemMessage;
import bftsmart.consensus.messages.MessageFactory;
import bftsmart.tom.core.messages.ForwardedMessage;
import bftsmart.tom.leaderchange.LCMessage;
import io.lockstep.store.engine.LeaderClock;
import io.lockstep.store.logging.LogLimit;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes only consensus and leader-change messages to the library. Our own notes go to {@link
 * ReplicaAgent}. Failures here are counted, and a replica with too many within a minute halts.
 *
 * <p>Runs on the replica's loop, except {@link #verifyPending}.
 */
final class MessageGate extends MessageHandler {
  private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(900);
  private static final Logger log = LoggerFactory.getLogger(MessageGate.class);

  private final ReplicaAgent agent;
  private final ReportedHistories histories;
  private final LeaderClock leaderClock;
  private final LongSupplier clockMillis;
  private final FailureRate failures = new FailureRate();
  private final LogLimit logLimit = new LogLimit(System::nanoTime);

  /**
   * @param leaderClock gets proposals when they arrive
   * @param clockMillis monotonic
   */
  MessageGate(
      ReplicaAgent agent,
      ReportedHistories histories,
      LeaderClock leaderClock,
      LongSupplier clockMillis) {
    this.agent = agent;
    this.histories = histories;
    this.leaderClock = leaderClock;
    this.clockMillis = clockMillis;
  }

  @Override
  protected void processData(SystemMessage message) {
    guarded(
        message,
        () -> {
          handle(message);
          agent.handled();
        });
  }

  private void handle(SystemMessage message) throws IOException {
    if (agent.machines().deafTo(message)) {
      return;
    }
    if (message instanceof PeerMessage peer) {
      if (peer.note() instanceof PeerNote.ReportedHistory history) {
        histories.heard(peer.getSender(), history);
      } else {
        agent.note(peer.getSender(), peer.note());
      }
    } else if (message instanceof InstanceMessage consensus) {
      if (agent.mayNeed(consensus)) {
        if (consensus.type() == MessageFactory.PROPOSE) {
          leaderClock.arrived(consensus.value());
        }
        super.processData(agent.stack().numbers().numbered(consensus));
        agent.stack().stampAcceptance();
      }
    } else if (message instanceof LCMessage change) {
      if (agent.recovering() || agent.stack().exhausted()) {
        agent.changes().hold(change);
      } else {
        leaderChange(change);
      }
    } else if (message instanceof ForwardedMessage forwarded) {
      if (!agent.recovering()) {
        agent.stack().acceptForwarded(forwarded.getRequest());
      }
    } else {
      String more = logLimit.admit("dropped");
      if (more != null) {
        log.warn("dropped a message of {}{}", message.getClass(), more);
      }
    }
  }

  /** A task on the loop. */
  interface LoopTask {
    void run() throws IOException;
  }

  /** Runs a task on the loop and counts its failure. */
  void guarded(Object what, LoopTask task) {
    try {
      task.run();
    } catch (IOException | RuntimeException | Error e) {
      failed(what.toString(), e);
    }
  }

  /** Passes a message of a leader change to the library, if it may see it. */
  void leaderChange(LCMessage change) {
    if (agent.changes().admit(change)) {
      super.processData(change);
    }
  }

  /** Handles proposals that came before their turn. */
  void processPending() {
    guarded("pending messages", super::verifyPending);
  }

  /**
   * Checks that the loop still runs. The library's communication thread calls this 100 ms after it
   * returned, since its own queue is always empty. It has nothing else to do, so it sleeps here.
   */
  @Override
  protected void verifyPending() {
    agent.watchLoop();
    LockSupport.parkNanos(WATCH_NANOS);
  }

  private void failed(String what, Throwable cause) {
    boolean tooMany = failures.failed(clockMillis.getAsLong());
    String more = logLimit.admit("failure " + cause.getClass().getName());
    if (more != null || tooMany) {
      log.error(
          "failure {} on the loop, at {}{}", failures.all(), what, more == null ? "" : more, cause);
    }
    if (tooMany) {
      agent.halt(
          FailureRate.MOST
              + " failures on the loop within "
              + FailureRate.WINDOW_MILLIS / 1000
              + " s, the last: "
              + cause);
    } else if (cause instanceof VirtualMachineError) {
      agent.halt("a failure on the loop: " + cause);
    }
  }
}
