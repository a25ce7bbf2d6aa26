package io.lockstep.store.engine.bftsmart;

import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import bftsmart.tom.util.BatchReader;
import io.lockstep.store.engine.ClusterVersions;
import io.lockstep.store.engine.LeaderClock;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.engine.StateSnapshot;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.StoredSnapshot;
import io.lockstep.store.machine.ReplacedMachines;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service and how far decisions have been applied to it. A reply leaves when its decision is
 * durable. Replies that rest only on durable changes leave at once ({@link DurableIndex}).
 *
 * <p>A reply carries the regency in which this replica made its decision. An operation lasts once
 * f+1 replicas have a decision of the same regency on their disks (docs/adr/0005). An older
 * decision gains a newer regency as soon as a decision of that regency is durable on top of it. So
 * the last replies are then sent again.
 *
 * <p>Decisions arrive on the replica's loop, one by one, or from peers in runs. Another thread
 * writes snapshots. The monitor of this object lets one of them in at a time, so the service sees
 * one caller. Any thread may read {@link #applied()}.
 */
final class OrderedState implements RulesAgreement.Follower {

  /** Gets an applied decision: its requests and the service's replies, in order. */
  interface Replies {
    void send(
        Decision decision, int regency, List<TOMMessage> requests, List<OrderedReply> replies);
  }

  private record Answered(
      Decision decision, List<TOMMessage> requests, List<OrderedReply> replies) {}

  /** A snapshot that has just begun, and the last decision in it. */
  record Begun(Decision at, StateSnapshot snapshot) {}

  private static final Logger rulesLog = LoggerFactory.getLogger(OrderedState.class);
  private static final int READ_BYTES = 1 << 20;

  /**
   * Most bytes of replies that wait until their decision is durable; those of one decision may be
   * more.
   */
  static final long MOST_AWAITING_BYTES = 16 << 20;

  private final OrderedService service;
  private final DecisionLog log;
  private final LeaderClock clock;
  private final Replies replies;
  private final AtomicLong awaitingBytes = new AtomicLong();
  private final AtomicLong instances = new AtomicLong();
  private final AtomicLong requestsApplied = new AtomicLong();
  private final DurableIndex durableIndex = new DurableIndex();
  private Decision last = Decision.NONE;
  private @Nullable Answered answered;
  private volatile Rules rules = Rules.FIRST;
  private volatile boolean begun;
  private volatile int permitted;
  private volatile List<Integer> known = List.of();
  private volatile long applied = -1;

  /**
   * @param service empty
   * @param clock of an empty store; gets the time of each applied decision
   */
  OrderedState(OrderedService service, DecisionLog log, LeaderClock clock, Replies replies) {
    this.service = service;
    this.log = log;
    this.clock = clock;
    this.replies = replies;
  }

  @Override
  public Rules offered() {
    return service.offered();
  }

  @Override
  public Rules rules() {
    return rules;
  }

  /** The replaced machines by the state as it is now. Any thread. */
  ReplacedMachines machines() {
    return service.machines();
  }

  @Override
  public boolean begun() {
    return begun;
  }

  @Override
  public int permitted() {
    return permitted;
  }

  @Override
  public void known(List<Integer> newest) {
    known = newest;
  }

  /** Any thread. */
  ClusterVersions versions() {
    return new ClusterVersions(rules.number(), permitted, known);
  }

  private void serviceIs() {
    begun = service.index() > 0 || service.rules().number() > 1;
    permitted = service.permitted();
  }

  private void adopt(Rules adopted, long instance) {
    service.adopt(adopted);
    rulesAre(service.rules(), "from instance " + instance + " on");
  }

  private void rulesAre(Rules now, String since) {
    if (!now.equals(rules)) {
      try {
        log.inForce(now.number());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      rules = now;
      rulesLog.info(
          "{} the cluster is at version {}, and its state may take {} MB",
          since,
          now.number(),
          now.stateMegabytes());
    }
  }

  /** How many instances were applied, replayed ones included. Any thread. */
  long instances() {
    return instances.get();
  }

  /** How many requests were in them. Any thread. */
  long requests() {
    return requestsApplied.get();
  }

  /** The last applied instance, -1 if none. */
  long applied() {
    return applied;
  }

  /** Whether replies wait until their decision is durable. Any thread. */
  boolean repliesWait() {
    return awaitingBytes.get() > 0;
  }

  /**
   * Applies the next decision.
   *
   * @param requests the requests in its value, or null to decode them
   * @param reply whether this replica sends replies, as it does if it took part in the decision's
   *     regency when it learned of the decision
   * @throws IllegalStateException if the instance is not the next one
   */
  synchronized void apply(Decision decision, TOMMessage @Nullable [] requests, boolean reply) {
    if (decision.instance() != applied + 1) {
      throw new IllegalStateException(
          "instance " + decision.instance() + " decided after " + applied);
    }
    TOMMessage[] batch =
        requests == null
            ? new BatchReader(decision.value(), false).deserialiseRequests(null)
            : requests;
    List<TOMMessage> real = new ArrayList<>(batch.length);
    List<byte[]> contents = new ArrayList<>(batch.length);
    for (TOMMessage request : batch) {
      if (RulesRequest.is(request)) {
        adopt(RulesRequest.read(request), decision.instance());
      } else if (!PendingRequests.isNoop(request)
          && request.getReqType() == TOMMessageType.ORDERED_REQUEST) {
        real.add(request);
        contents.add(request.getContent());
      }
    }
    List<OrderedReply> answers = List.of();
    if (!real.isEmpty()) {
      answers = service.apply(decision.instance(), batch[0].timestamp, contents);
      if (answers.size() != real.size()) {
        throw new IllegalStateException(
            answers.size()
                + " replies to "
                + real.size()
                + " requests at instance "
                + decision.instance());
      }
    }
    if (batch.length > 0) {
      clock.applied(decision.value(), batch[0].timestamp);
    }
    serviceIs();
    instances.incrementAndGet();
    requestsApplied.addAndGet(real.size());
    last = decision;
    applied = decision.instance();
    Decision durable = log.durable();
    durableIndex.applied(decision.instance(), service.index(), durable);
    if (reply) {
      answer(decision, real, answers, durable);
    }
  }

  private void answer(
      Decision decision, List<TOMMessage> requests, List<OrderedReply> ordered, Decision durable) {
    Answered before = answered;
    if (before != null && before.decision.regency() < decision.regency()) {
      answered = null;
      sendWhenDurable(before.decision, decision.regency(), before.requests, before.replies);
    }
    if (requests.isEmpty()) {
      return;
    }
    answered = new Answered(decision, requests, ordered);
    if (decision.instance() > durable.instance()) {
      answerInPart(decision, requests, ordered, durable);
    } else {
      sendWhenDurable(decision, decision.regency(), requests, ordered);
    }
  }

  /**
   * Keeps unencoded replies until their decision is durable. Beyond a bound the replies are
   * dropped, and their clients send the requests again.
   */
  private void sendWhenDurable(
      Decision decision, int regency, List<TOMMessage> requests, List<OrderedReply> ordered) {
    long bytes = 0;
    for (OrderedReply reply : ordered) {
      bytes += reply.content().weight();
    }
    long before = awaitingBytes.get();
    if (before > 0 && before + bytes > MOST_AWAITING_BYTES) {
      return;
    }
    long taken = bytes;
    awaitingBytes.addAndGet(taken);
    log.whenDurable(
        () -> {
          awaitingBytes.addAndGet(-taken);
          replies.send(decision, regency, requests, ordered);
        });
  }

  /** Sends some replies at once, the others when their decision is durable. */
  private void answerInPart(
      Decision decision, List<TOMMessage> requests, List<OrderedReply> ordered, Decision durable) {
    Part early = new Part();
    Part later = new Part();
    for (int i = 0; i < requests.size(); i++) {
      boolean atOnce = durableIndex.admits(ordered.get(i), decision.regency(), durable);
      (atOnce ? early : later).add(requests.get(i), ordered.get(i));
    }
    if (!early.requests.isEmpty()) {
      replies.send(decision, decision.regency(), early.requests, early.answers);
    }
    if (!later.requests.isEmpty()) {
      sendWhenDurable(decision, decision.regency(), later.requests, later.answers);
    }
  }

  /** Some of a decision's requests and the replies to them. */
  private static final class Part {
    final List<TOMMessage> requests = new ArrayList<>();
    final List<OrderedReply> answers = new ArrayList<>();

    void add(TOMMessage request, OrderedReply reply) {
      requests.add(request);
      answers.add(reply);
    }
  }

  /**
   * Applies the decisions that the log has and the state lacks. Sends no replies.
   *
   * @return bytes of those decisions
   */
  synchronized long catchUp() throws IOException {
    long bytes = 0;
    while (applied < log.last().instance()) {
      List<Decision> decisions = log.after(applied, READ_BYTES);
      if (decisions == null || decisions.isEmpty()) {
        throw new IOException(
            "the log lacks the decision after instance "
                + applied
                + " although its last is "
                + log.last().instance());
      }
      for (Decision decision : decisions) {
        apply(decision, null, false);
        bytes += decision.value().length;
      }
    }
    return bytes;
  }

  /**
   * Rebuilds the state from the newest snapshot and the decisions after it.
   *
   * @return bytes of those decisions
   * @throws IOException if they cannot be read; the state is then unusable
   */
  synchronized long rebuild() throws IOException {
    answered = null;
    // Clear the old state first: there may be no room for it beside the new one.
    service.reset();
    last = Decision.NONE;
    applied = last.instance();
    durableIndex.begin(0);
    rules = service.rules();
    serviceIs();
    try (StoredSnapshot snapshot = log.latestSnapshot()) {
      if (snapshot != null) {
        service.restore(new SnapshotInput(snapshot));
        last = snapshot.at();
        applied = last.instance();
        durableIndex.begin(service.index());
        serviceIs();
        rulesAre(service.rules(), "since instance " + applied + " or before");
      }
    }
    clock.restored(service.lastTimeMillis());
    return catchUp();
  }

  /** Begins a snapshot of the state as it is now. */
  synchronized Begun beginSnapshot() {
    return new Begun(last, service.snapshot());
  }

  /** A stored snapshot as a stream, read a piece at a time. */
  private static final class SnapshotInput extends InputStream {
    private final StoredSnapshot snapshot;
    private byte[] piece = new byte[0];
    private int position;
    private long offset;

    SnapshotInput(StoredSnapshot snapshot) {
      this.snapshot = snapshot;
    }

    private boolean exhausted() throws IOException {
      if (position < piece.length) {
        return false;
      }
      piece = snapshot.read(offset, READ_BYTES);
      offset += piece.length;
      position = 0;
      return piece.length == 0;
    }

    @Override
    public int read() throws IOException {
      return exhausted() ? -1 : piece[position++] & 0xff;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (exhausted()) {
        return -1;
      }
      int count = Math.min(length, piece.length - position);
      System.arraycopy(piece, position, into, at, count);
      position += count;
      return count;
    }
  }
}
