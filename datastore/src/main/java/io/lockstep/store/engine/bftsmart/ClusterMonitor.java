package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import io.lockstep.store.engine.bftsmart.PeerTable.Heard;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Timing;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.logging.BoundedLog;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Watches the cluster for an operational replica: whether the leader lives, whether requests are
 * ordered, whether this replica lags, and whether its history is still that of the others.
 *
 * <p>A leader is replaced only when f other replicas suspect it too. So neither one broken link nor
 * one starved process changes leaders. {@link FailureDetector} decides when to suspect it.
 *
 * <p>Owned by the replica's loop. Times are monotonic milliseconds.
 */
final class ClusterMonitor {

  /** The replica that the watch acts on. */
  interface Host {
    /** Promises a regency, durably. */
    void promise(int regency);

    /** Leaves the cluster and rejoins by the rules. */
    void stepBack(String why);

    /** Ends the replica. */
    void halt(String why);
  }

  private static final BoundedLog log = BoundedLog.of(ClusterMonitor.class);
  private static final long LAG_MILLIS = 150;
  private static final long FOLLOW_MILLIS = 350;

  /**
   * A replica at rest sends a beat instead of this many, and {@value #REST_LEAST} in a time-out.
   */
  private static final int REST_BEATS = 4;

  private static final int REST_LEAST = 6;

  private final ReplicaConfig config;
  private final Timing timing;
  private final PeerTable peers;
  private final OrderedState state;
  private final DecisionLog decisions;
  private final LibraryStack stack;
  private final PendingRequests pending;
  private final RecoveryGate gate;
  private final StateTransfer transfer;
  private final Host host;

  private final DifferingPeers differing;
  private final FailureDetector detector;
  private final StepDown stepDown;
  private long lastChangeMillis;
  private long suspendedSinceMillis = -1;
  private long progressInstance = -1;
  private long progressAtMillis;
  private long forwardedAtMillis;
  private int higherRegency = -1;
  private long higherRegencyAtMillis;
  private int missed = -1;
  private int leaderSeenInRegency = -1;
  private long resentAtMillis;

  ClusterMonitor(
      ReplicaConfig config,
      PeerTable peers,
      OrderedState state,
      DecisionLog decisions,
      LibraryStack stack,
      PendingRequests pending,
      RecoveryGate gate,
      StateTransfer transfer,
      FailureDetector detector,
      Host host) {
    this.config = config;
    this.timing = config.timing();
    this.peers = peers;
    this.state = state;
    this.decisions = decisions;
    this.stack = stack;
    this.pending = pending;
    this.gate = gate;
    this.transfer = transfer;
    this.detector = detector;
    this.host = host;
    this.differing = new DifferingPeers(config.faults());
    this.stepDown = new StepDown(config, peers, detector, stack, pending, host);
  }

  /** The replica has just become operational. */
  void begin(long nowMillis) {
    progressAtMillis = nowMillis;
    suspendedSinceMillis = -1;
    higherRegency = -1;
    missed = -1;
  }

  /** How this replica gives the lead away. */
  StepDown stepDown() {
    return stepDown;
  }

  /** The regency whose leader this replica suspects, or -1. */
  int missed() {
    return missed;
  }

  /** Whether this replica has seen the leader of the current regency take part. */
  boolean leaderSeen() {
    int installed = stack.installed();
    return installed != LibraryStack.NOT_BEGUN && leaderSeenInRegency == installed;
  }

  /** Makes all periodic checks. */
  void tick(long nowMillis) {
    noteProgress(nowMillis);
    watchLeader(nowMillis);
    watchSuspension(nowMillis);
    watchFirstRegency(nowMillis);
    watchRequests(nowMillis);
  }

  /**
   * After how long the next tick and the next beat are due: later where the cluster is at rest. A
   * peer that misses a beat, a request, or a peer that does not take part ends the rest.
   *
   * @param takesPart whether this replica does
   */
  int tickMillis(boolean takesPart, long nowMillis) {
    int rest =
        Math.min(REST_BEATS * timing.beatMillis(), timing.leaderTimeoutMillis() / REST_LEAST);
    boolean rests = rest > timing.beatMillis() && takesPart && isAtRest(rest, nowMillis);
    int millis = rests ? rest : timing.beatMillis();
    detector.ticksAfter(millis);
    return millis;
  }

  private boolean isAtRest(int restMillis, long nowMillis) {
    long nowNanos = TimeUnit.MILLISECONDS.toNanos(nowMillis);
    return stack.idle()
        && missed < 0
        && gate.wanted() == RecoveryGate.NONE
        && !transfer.busy()
        && pending.oldestPendingNanos(nowNanos) == 0
        && !detector.misses(config.replicaId(), 2L * restMillis)
        && peers.allOperational(nowMillis);
  }

  private void noteProgress(long nowMillis) {
    if (stack.decided() != progressInstance) {
      progressInstance = stack.decided();
      progressAtMillis = nowMillis;
    } else if (nowMillis - progressAtMillis > LAG_MILLIS
        && nowMillis - resentAtMillis > LAG_MILLIS) {
      resentAtMillis = nowMillis;
      stack.resend();
    }
  }

  /**
   * Checks whether the leader is alive.
   *
   * @return whether this replica has just begun to suspect it, so that the others should get a beat
   */
  boolean watchLeader(long nowMillis) {
    int leader = stack.leader();
    boolean suspected = leader >= 0 && leader != config.replicaId() && suspects(leader, nowMillis);
    int before = missed;
    missed = suspected ? stack.regency() : -1;
    if (suspected && witnesses(leader, nowMillis) >= config.faults()) {
      String why = detector.dead(leader) ? " has ended" : " is silent";
      change(nowMillis, "leader " + leader + why);
    }
    return suspected && before != missed;
  }

  private boolean suspects(int leader, long nowMillis) {
    Heard heard = peers.fresh(leader, nowMillis);
    if (heard != null && heard.beat().operational()) {
      leaderSeenInRegency = stack.installed();
    } else if (heard != null && leaderSeen()) {
      // It led and now recovers, so it was restarted and has lost its proposals.
      return true;
    }
    return detector.suspects(leader);
  }

  private boolean suspects(int peer) {
    return peer != config.replicaId() && detector.suspects(peer);
  }

  private long witnesses(int leader, long nowMillis) {
    return peers.fresh(nowMillis).stream()
        .filter(other -> other.peer() != leader && other.beat().missed() == stack.regency())
        .count();
  }

  /**
   * Replaces a leader change that does not complete by the next one, even one that waits for
   * decisions which no replica sends.
   */
  private void watchSuspension(long nowMillis) {
    if (!stack.suspended()) {
      suspendedSinceMillis = -1;
    } else if (suspendedSinceMillis < 0) {
      suspendedSinceMillis = nowMillis;
    } else if (nowMillis - suspendedSinceMillis > detector.patienceMillis()
        && (gate.wanted() == RecoveryGate.NONE
            || nowMillis - progressAtMillis > detector.patienceMillis())
        && peers.majority(nowMillis)) {
      suspendedSinceMillis = nowMillis;
      change(nowMillis, "regency " + stack.regency() + " has not begun in time");
    }
  }

  /**
   * Asks for another regency if a replica rejoined by asking for one whose leader is dead or
   * silent.
   */
  private void watchFirstRegency(long nowMillis) {
    int leader = LeaderChangeRules.leaderOf(stack.asked(), config.members().size());
    if (stack.installed() == LibraryStack.NOT_BEGUN && !stack.suspended() && suspects(leader)) {
      change(nowMillis, "leader " + leader + " of the first regency does not answer");
    }
  }

  private void watchRequests(long nowMillis) {
    long timeoutMillis = timing.requestTimeoutMillis();
    long nowNanos = TimeUnit.MILLISECONDS.toNanos(nowMillis);
    long ageMillis = TimeUnit.NANOSECONDS.toMillis(pending.oldestPendingNanos(nowNanos));
    if (ageMillis < timeoutMillis) {
      return;
    }
    int leader = stack.leader();
    if (leader >= 0
        && leader != config.replicaId()
        && nowMillis - forwardedAtMillis >= timeoutMillis) {
      forwardedAtMillis = nowMillis;
      stack.forward(pending.olderThan(TimeUnit.MILLISECONDS.toNanos(timeoutMillis), nowNanos));
    }
    if (ageMillis >= 2 * timeoutMillis
        && nowMillis - progressAtMillis >= timeoutMillis
        && nowMillis - lastChangeMillis >= timeoutMillis
        && leader != config.replicaId()
        && peers.quorum(true, nowMillis)) {
      change(nowMillis, "leader " + leader + " does not order requests");
    }
    pending.dropOlderThan(TimeUnit.MILLISECONDS.toNanos(3 * timeoutMillis), nowNanos);
  }

  /** Asks for the next regency of a leader that is alive and willing, unless one is under way. */
  private void change(long nowMillis, String why) {
    lastChangeMillis = nowMillis;
    int members = config.members().size();
    int asked = stack.asked();
    boolean underWay = asked != stack.regency();
    if (underWay && !suspects(LeaderChangeRules.leaderOf(asked, members))) {
      return;
    }
    int next = Succession.next(asked, members, this::suspects, id -> stepDown.of(id, nowMillis));
    log.info(
        config.replicaId(), "replica {} asks for regency {}: {}", config.replicaId(), next, why);
    host.promise(next);
    stack.askFor(next);
  }

  /**
   * Handles any beat. A peer in the next era cannot help here any more, even if it does not take
   * part there yet.
   */
  void reached(int peer, Beat beat, long nowMillis) {
    if (beat.last() > stack.decided()
        && !stack.numbers().covers(beat.last() + 1)
        && nowMillis - progressAtMillis > FOLLOW_MILLIS) {
      host.stepBack("replica " + peer + " has come to the end of the era");
    }
  }

  /**
   * Handles a beat of an operational peer: compares histories, catches up, notices a new regency.
   */
  void heard(int peer, Beat beat, long nowMillis) throws IOException {
    byte[] ours = decisions.chainAfter(beat.last());
    if (ours != null && !Arrays.equals(ours, beat.chain())) {
      differs(peer, beat.last(), beat.lastRegency(), nowMillis);
      return;
    }
    if (ours != null) {
      differing.forget(peer);
    }
    noteProgress(nowMillis);
    boolean behind = beat.last() > stack.decided();
    boolean awaited = gate.wanted() != RecoveryGate.NONE;
    if (behind
        && beat.regency() >= stack.installed()
        && stack.decided() == state.applied()
        && stack.mayLearn()
        && (awaited || nowMillis - progressAtMillis > LAG_MILLIS)) {
      transfer.fetch(peer, nowMillis);
    }
    if (!awaited) {
      noticeRegency(beat, behind, nowMillis);
    }
  }

  /** The link to a peer has changed: its process may be a new one, with another history. */
  void linkChanged(int peer, PeerNote how) {
    peers.forget(peer);
    differing.forget(peer);
    if (how instanceof PeerNote.LinkUp) {
      detector.linkUp(peer);
    } else if (how instanceof PeerNote.Refused) {
      detector.refused(peer);
    }
  }

  /** Continues to fetch after decisions of a peer were learned, if there are more. */
  void learned(int peer, long nowMillis) {
    Heard heard = peers.fresh(peer, nowMillis);
    if (heard != null && heard.beat().last() > stack.decided()) {
      transfer.fetch(peer, nowMillis);
    }
  }

  /** A replica that missed the beginning of a regency rejoins by the rules. */
  private void noticeRegency(Beat beat, boolean behind, long nowMillis) {
    boolean begun = stack.installed() != LibraryStack.NOT_BEGUN;
    int notBefore = begun ? stack.installed() + 1 : stack.asked();
    if (beat.regency() < Math.max(stack.regency(), notBefore)) {
      return;
    }
    if (beat.regency() != higherRegency) {
      higherRegency = beat.regency();
      higherRegencyAtMillis = nowMillis;
    }
    boolean settled =
        (behind && !stack.suspended()) || nowMillis - higherRegencyAtMillis > FOLLOW_MILLIS;
    if (settled) {
      host.stepBack("the others are in regency " + beat.regency());
    }
  }

  /**
   * Handles a peer's different history. If the peer's is of a later regency, this replica's
   * decision was never acknowledged. Otherwise one of the two is corrupt; with f+1 peers against
   * it, it is this one. While this replica is in no regency, the one that it has asked for will
   * decide.
   *
   * @param instance where they differ
   * @param regency in which the peer decided that instance
   */
  void differs(int peer, long instance, int regency, long nowMillis) throws IOException {
    Integer ours = decisions.regencyOf(instance);
    boolean begun = stack.installed() != LibraryStack.NOT_BEGUN;
    if (gate.wanted() != RecoveryGate.NONE || (begun && ours != null && regency > ours)) {
      host.stepBack("replica " + peer + " has another decision in instance " + instance);
      return;
    }
    if (!begun || ours == null || regency < ours) {
      return;
    }
    if (differing.isNew(peer, nowMillis)) {
      log.warn(
          config.replicaId() + " " + peer,
          "replica {} and replica {} differ at instance {} of regency {}",
          config.replicaId(),
          peer,
          instance,
          regency);
    }
    if (differing.decisive(nowMillis)) {
      host.halt("its history differs from those of replicas " + differing.peers());
    }
  }
}
