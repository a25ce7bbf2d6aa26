package io.lockstep.store.engine.bftsmart;

import bftsmart.tom.core.messages.TOMMessage;
import io.lockstep.store.engine.StepDownOutcome;
import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import io.lockstep.store.engine.bftsmart.PeerTable.Heard;
import io.lockstep.store.engine.bftsmart.Succession.Candidate;
import io.lockstep.store.logging.BoundedLog;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives the lead away while this replica still takes part: a leader that is less willing than a
 * peer asks for that peer's regency, and forwards the requests that it did not order (docs/adr/
 * 0029). The leader change itself is the usual one.
 *
 * <p>Owned by the replica's loop. Times are monotonic milliseconds.
 */
final class StepDown {
  private static final BoundedLog log = BoundedLog.of(StepDown.class);

  /** A successor should have all instances but so many: those of two beats under full load. */
  private static final int LAG_INSTANCES = 256;

  /** How long the running instance may take before the leader asks for a regency beside it. */
  private static final long INSTANCE_MILLIS = 100;

  /** What was forwarded is ordered within this time, or was lost. */
  private static final long FORWARD_AGAIN_MILLIS = 100;

  private static final long NEVER = -1;

  private final int self;
  private final int members;
  private final long requestTimeoutMillis;
  private final PeerTable peers;
  private final FailureDetector detector;
  private final LibraryStack stack;
  private final PendingRequests pending;
  private final ClusterMonitor.Host host;

  private boolean unwilling;
  private boolean leaves;
  private Willingness reported = Willingness.WILLING;
  private @Nullable Consumer<StepDownOutcome> outcome;

  /** Since when this replica leads although it should not. */
  private long leadsSinceMillis = NEVER;

  /** When it asked for another's regency; from then on its pending requests are forwarded. */
  private long askedAtMillis = NEVER;

  /**
   * The last instance when the other's regency began; the next one may hold what is pending. The
   * highest number once requests were forwarded.
   */
  private long begunAfter = NEVER;

  private long forwardAtMillis;

  StepDown(
      ReplicaConfig config,
      PeerTable peers,
      FailureDetector detector,
      LibraryStack stack,
      PendingRequests pending,
      ClusterMonitor.Host host) {
    this.self = config.replicaId();
    this.members = config.members().size();
    this.requestTimeoutMillis = config.timing().requestTimeoutMillis();
    this.peers = peers;
    this.detector = detector;
    this.stack = stack;
    this.pending = pending;
    this.host = host;
  }

  /** How willing this replica is. */
  Willingness own() {
    return leaves ? Willingness.LEAVING : unwilling ? Willingness.UNWILLING : Willingness.WILLING;
  }

  /** How willing a replica is as far as known; also this one. */
  Willingness of(int replica, long nowMillis) {
    if (replica == self) {
      return own();
    }
    Heard heard = peers.fresh(replica, nowMillis);
    return heard == null ? Willingness.WILLING : heard.beat().willingness();
  }

  /** Sets whether this replica leads although a peer could. */
  void setWilling(boolean willing) {
    unwilling = !willing;
  }

  /** This replica's process is about to end. Reports once how stepping down ended. */
  void leave(Consumer<StepDownOutcome> report) {
    leaves = true;
    outcome = report;
  }

  /**
   * Called after each message and each tick: the next step, if this replica is to step down.
   *
   * @return whether the others should get a beat at once, since this replica's willingness changed
   */
  boolean step(boolean takesPart, long nowMillis) {
    if (own() != Willingness.WILLING || askedAtMillis != NEVER) {
      next(takesPart, nowMillis);
    }
    boolean changed = own() != reported;
    reported = own();
    return changed;
  }

  private void next(boolean takesPart, long nowMillis) {
    if (!takesPart || stack.installed() == LibraryStack.NOT_BEGUN) {
      leadsSinceMillis = NEVER;
      askedAtMillis = NEVER;
      end(StepDownOutcome.FOLLOWS);
    } else if (stack.suspended()) {
      begunAfter = NEVER;
    } else if (stack.leader() == self) {
      lead(nowMillis);
    } else {
      follow(nowMillis);
    }
  }

  private void lead(long nowMillis) {
    begunAfter = NEVER;
    if (leadsSinceMillis == NEVER) {
      leadsSinceMillis = nowMillis;
    }
    int asked = stack.asked();
    boolean underWay = asked != stack.regency();
    if (underWay && !detector.suspects(LeaderChangeRules.leaderOf(asked, members))) {
      // The library repeats the request until a peer joins.
      return;
    }
    int next =
        Succession.successor(
            asked,
            members,
            own(),
            stack.decided() - LAG_INSTANCES,
            peer -> candidate(peer, nowMillis));
    if (next == Succession.NONE) {
      end(StepDownOutcome.NO_SUCCESSOR);
    } else if (stack.idle() || nowMillis - leadsSinceMillis >= INSTANCE_MILLIS) {
      log.info(self, "replica {} steps down: it asks for regency {}", self, next);
      askedAtMillis = nowMillis;
      host.promise(next);
      stack.askFor(next);
    }
  }

  private @Nullable Candidate candidate(int peer, long nowMillis) {
    Heard heard = peer == self ? null : peers.fresh(peer, nowMillis);
    if (heard == null || detector.suspects(peer)) {
      return null;
    }
    Beat beat = heard.beat();
    boolean takesPart = beat.operational() && beat.regency() == stack.installed();
    return takesPart ? new Candidate(beat.willingness(), beat.last()) : null;
  }

  private void follow(long nowMillis) {
    leadsSinceMillis = NEVER;
    end(StepDownOutcome.FOLLOWS);
    if (askedAtMillis != NEVER) {
      forward(nowMillis);
    }
  }

  /**
   * Forwards the requests that this replica has had since before it stepped down. The new leader's
   * first batch holds those that it has too.
   */
  private void forward(long nowMillis) {
    if (begunAfter == NEVER) {
      begunAfter = stack.decided();
      forwardAtMillis = nowMillis + FORWARD_AGAIN_MILLIS;
    }
    if (nowMillis - askedAtMillis >= requestTimeoutMillis) {
      // The usual watch forwards requests that are as old.
      askedAtMillis = NEVER;
    } else if (stack.decided() > begunAfter || nowMillis >= forwardAtMillis) {
      begunAfter = Long.MAX_VALUE;
      forwardAtMillis = nowMillis + FORWARD_AGAIN_MILLIS;
      List<TOMMessage> left =
          pending.olderThan(
              TimeUnit.MILLISECONDS.toNanos(nowMillis - askedAtMillis),
              TimeUnit.MILLISECONDS.toNanos(nowMillis));
      stack.forward(left);
      if (left.isEmpty()) {
        askedAtMillis = NEVER;
      }
    }
  }

  private void end(StepDownOutcome how) {
    Consumer<StepDownOutcome> report = outcome;
    if (report != null) {
      outcome = null;
      report.accept(how);
    }
  }
}
