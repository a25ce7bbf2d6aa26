package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import io.lockstep.store.engine.bftsmart.RejoinRules.AskFor;
import io.lockstep.store.engine.bftsmart.RejoinRules.DropDecisions;
import io.lockstep.store.engine.bftsmart.RejoinRules.Fetch;
import io.lockstep.store.engine.bftsmart.RejoinRules.Join;
import io.lockstep.store.engine.bftsmart.RejoinRules.Member;
import io.lockstep.store.engine.bftsmart.RejoinRules.Relation;
import io.lockstep.store.engine.bftsmart.RejoinRules.Step;
import io.lockstep.store.engine.bftsmart.RejoinRules.Wait;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.logging.BoundedLog;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Brings a replica into the cluster, step by step as {@link RejoinRules} say: at its start, and
 * after it has stepped back.
 *
 * <p>Owned by the replica's loop.
 */
final class Rejoin {
  private static final BoundedLog log = BoundedLog.of(Rejoin.class);

  private static final long LOG_AGAIN_MILLIS = 60_000;

  private final int self;
  private final int members;
  private final PeerTable peers;
  private final DecisionLog decisions;
  private final LibraryStack stack;
  private final StateTransfer transfer;
  private final StartRegister starts;

  private int differsFrom = -1;
  private int verifiedWith = -1;
  private String waits = "";
  private long loggedAtMillis;
  private boolean fetching;

  Rejoin(
      int self,
      int members,
      PeerTable peers,
      DecisionLog decisions,
      LibraryStack stack,
      StateTransfer transfer,
      StartRegister starts) {
    this.self = self;
    this.members = members;
    this.peers = peers;
    this.decisions = decisions;
    this.stack = stack;
    this.transfer = transfer;
    this.starts = starts;
  }

  /** Starts the recovery. */
  void begin() {
    transfer.begin();
    replaced();
    waits = "";
    fetching = false;
  }

  /** Drops knowledge of a log that was replaced or cut. */
  void replaced() {
    differsFrom = -1;
    verifiedWith = -1;
  }

  /** A peer's decisions followed ours. */
  void verified(int peer) {
    verifiedWith = peer;
  }

  /** A peer's history does not contain ours. */
  void differs(int peer) {
    differsFrom = peer;
    verifiedWith = -1;
  }

  /** Whether the replica has stopped waiting and fetches. */
  boolean fetching() {
    return fetching;
  }

  /**
   * One step.
   *
   * @param own the beat that this replica would send
   * @return whether the replica takes part now, possibly in no regency yet
   */
  boolean tick(Beat own, long nowMillis) throws IOException {
    if (transfer.busy() || !confirmed(nowMillis)) {
      return false;
    }
    List<Member> others =
        peers.fresh(nowMillis).stream()
            .map(heard -> new Member(heard.peer(), heard.beat()))
            .toList();
    Step step = RejoinRules.decide(members, new Member(self, own), others, this::relation);
    if (step instanceof Wait wait) {
      waits(wait.why(), nowMillis);
      return false;
    }
    fetching = true;
    if (step instanceof Fetch fetch) {
      if (fetch.mayDrop() && differsFrom == fetch.peer()) {
        transfer.dropDiffering(fetch.peer(), nowMillis);
      } else {
        transfer.fetch(fetch.peer(), nowMillis);
      }
      return false;
    }
    if (step instanceof DropDecisions drop) {
      transfer.dropDiffering(drop.peer(), nowMillis);
      return false;
    }
    if (step instanceof Join join) {
      join(join.regency());
    } else if (step instanceof AskFor ask) {
      askFor(ask.regency());
    }
    return true;
  }

  private boolean confirmed(long nowMillis) throws IOException {
    boolean confirmed = starts.confirmed(nowMillis);
    String why = confirmed ? null : starts.waitsFor(nowMillis);
    if (why != null) {
      waits(why, nowMillis);
    }
    return confirmed;
  }

  /** Logs the reason at once, and again while the wait lasts. */
  private void waits(String why, long nowMillis) {
    if (!why.equals(waits)) {
      waits = why;
      loggedAtMillis = nowMillis;
      log.info(self, "replica {} waits: {}", self, why);
    } else if (nowMillis - loggedAtMillis >= LOG_AGAIN_MILLIS) {
      loggedAtMillis = nowMillis;
      log.warn(self, "replica {} still waits: {}", self, why);
    }
  }

  private Relation relation(Member peer) {
    Beat beat = peer.beat();
    long last = decisions.last().instance();
    boolean caughtUp = beat.last() <= last || stack.holdsProposal(last + 1);
    if (beat.last() > last) {
      return new Relation(differsFrom == peer.id(), verifiedWith == peer.id(), caughtUp);
    }
    byte[] ours;
    try {
      ours = decisions.chainAfter(beat.last());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException("cannot read the log", e);
    }
    boolean differs = ours != null && !Arrays.equals(ours, beat.chain());
    return new Relation(differs, !differs, caughtUp);
  }

  private void join(int regency) throws IOException {
    takePart(regency);
    log.info(
        self,
        "replica {} takes part from instance {} in regency {} of leader {}",
        self,
        decisions.last().instance() + 1,
        regency,
        LeaderChangeRules.leaderOf(regency, members));
    stack.adopt(regency);
  }

  private void askFor(int regency) throws IOException {
    takePart(regency);
    log.info(
        self,
        "replica {} asks for regency {} from instance {} on",
        self,
        regency,
        decisions.last().instance() + 1);
    stack.askFor(regency);
  }

  private void takePart(int regency) throws IOException {
    decisions.promise(regency);
    if (!decisions.joined()) {
      decisions.markJoined();
    }
    stack.takePart(decisions.last());
  }
}
