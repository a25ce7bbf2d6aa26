package io.lockstep.store.simulation;

import io.lockstep.store.client.SimulatedLoop;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.History;
import io.lockstep.store.simulation.SimulatedReplica.Phase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Three replicas, the network between them, and an ordering that keeps to the rules of adr/0005 and
 * to nothing else: a leader's proposal is decided once two that are equal have accepted it, in
 * memory; replicas that crash forget what they accepted, and come back by what is on the disks.
 */
final class SimulatedCluster {
  static final int REPLICAS = 3;
  private static final int MAJORITY = 2;
  private static final int MAX_ARRIVED = 100;

  private record Step(Decision decision, ByteBuffer before) {}

  private final SimulatedLoop loop = new SimulatedLoop();
  private final Random random;
  private final List<SimulatedReplica> replicas = new ArrayList<>();
  private final boolean[][] cut = new boolean[REPLICAS][REPLICAS];
  private final Map<Long, VotingConnection> senders = new HashMap<>();
  private final ArrayDeque<Batches.Request> arrived = new ArrayDeque<>();

  // Everything ever decided, by its chain hash, and what its replies were.
  private final Map<ByteBuffer, Step> decided = new HashMap<>();
  private final Map<ByteBuffer, Integer> replies = new HashMap<>();
  private final Map<String, Integer> seen = new TreeMap<>();
  private long requests;
  private long clockMillis = 1_000_000;
  private boolean faulty = true;
  private boolean quiet;
  private int handOverFrom = -1;

  SimulatedCluster(Random random, Mutation mutation) {
    this.random = random;
    for (int id = 0; id < REPLICAS; id++) {
      SimulatedReplica replica = new SimulatedReplica(id, this, random, mutation);
      if (mutation == Mutation.LYING_DISK) {
        replica.disk().lie();
      }
      replicas.add(replica);
    }
    after(10, this::tick);
  }

  SimulatedLoop loop() {
    return loop;
  }

  List<SimulatedReplica> replicas() {
    return replicas;
  }

  Map<String, Integer> seen() {
    return seen;
  }

  /** Counts what happened. */
  void saw(String what) {
    seen.merge(what, 1, Integer::sum);
  }

  void sawDiskFail(IOException failure) {
    if (!String.valueOf(failure.getMessage()).contains("injected")) {
      throw new AssertionError("a replica cannot go on", failure);
    }
    saw("disk failed");
  }

  void after(long millis, Runnable event) {
    loop.schedule(event, millis, TimeUnit.MILLISECONDS);
  }

  boolean chance(int percent) {
    return faulty && random.nextInt(100) < percent;
  }

  void setCut(int one, int other, boolean nowCut) {
    cut[one][other] = nowCut;
    cut[other][one] = nowCut;
  }

  void changeClock(long offsetMillis) {
    clockMillis = 1_000_000 + offsetMillis;
  }

  /** Nothing fails any more. */
  void heal() {
    faulty = false;
    for (boolean[] row : cut) {
      Arrays.fill(row, false);
    }
    for (SimulatedReplica replica : replicas) {
      replica.disk().setFaults((operation, file) -> {});
      if (replica.phase() == Phase.DOWN) {
        replica.start();
      }
    }
  }

  /** Nothing more is ordered. */
  void quieten() {
    quiet = true;
  }

  VotingConnection connect() {
    return new VotingConnection(this, random);
  }

  long number(VotingConnection sender) {
    senders.put(++requests, sender);
    return requests;
  }

  void arrive(Batches.Request request) {
    if (arrived.size() < MAX_ARRIVED && !quiet) {
      arrived.add(request);
    }
  }

  void reply(int replica, Decision decision, List<Batches.Request> batch, List<byte[]> answers) {
    for (int i = 0; i < batch.size(); i++) {
      long number = batch.get(i).number();
      Objects.requireNonNull(senders.get(number)).reply(replica, number, decision, answers.get(i));
    }
  }

  /** Whoever applies the same history must answer the same, now and after each recovery. */
  void applied(SimulatedReplica replica, Decision decision, List<byte[]> answers) {
    int hash = 1;
    for (byte[] answer : answers) {
      hash = 31 * hash + Arrays.hashCode(answer);
    }
    hash = 31 * hash + Long.hashCode(replica.machine().index());
    Integer before = replies.putIfAbsent(ByteBuffer.wrap(decision.chain()), hash);
    if (before != null && before != hash) {
      throw new AssertionError(
          "replica " + replica.id + " differs at instance " + decision.instance());
    }
  }

  /** The decisions from the first on that lead to this one. */
  List<Decision> historyOf(Decision last) {
    return Objects.requireNonNull(between(-1, last));
  }

  private boolean reach(SimulatedReplica one, SimulatedReplica other) {
    return one == other
        || (!cut[one.id][other.id] && one.phase() != Phase.DOWN && other.phase() != Phase.DOWN);
  }

  private List<SimulatedReplica> reachedBy(SimulatedReplica one) {
    return replicas.stream()
        .filter(other -> other.phase() != Phase.DOWN && reach(one, other))
        .toList();
  }

  private void tick() {
    for (SimulatedReplica replica : replicas) {
      if (chance(20)) {
        continue;
      }
      if (!faulty && replica.phase() == Phase.DOWN) {
        replica.start();
      }
      if (replica.phase() == Phase.RECOVERING) {
        replica.alive(() -> recover(replica));
      } else if (replica.active()) {
        replica.alive(() -> keepUp(replica));
      }
    }
    SimulatedReplica leader = leader();
    if (leader == null || inStep(leader).size() < MAJORITY || chance(2)) {
      changeLeader();
    } else {
      order(leader);
    }
    after(faulty ? 5 + random.nextInt(10) : 30, this::tick);
  }

  private @Nullable SimulatedReplica leader() {
    return replicas.stream()
        .filter(SimulatedReplica::active)
        .filter(replica -> replica.log().regency() % REPLICAS == replica.id)
        .filter(replica -> replica.id != handOverFrom)
        .max(Comparator.comparingInt(replica -> replica.log().regency()))
        .orElse(null);
  }

  /** Those that take part in the leader's regency and stand where it stands. */
  private List<SimulatedReplica> inStep(SimulatedReplica leader) {
    return replicas.stream()
        .filter(SimulatedReplica::active)
        .filter(replica -> reach(leader, replica))
        .filter(replica -> replica.log().regency() == leader.log().regency())
        .filter(replica -> Arrays.equals(replica.end().chain(), leader.end().chain()))
        .toList();
  }

  private void order(SimulatedReplica leader) {
    if (arrived.isEmpty()) {
      return;
    }
    List<Batches.Request> batch = new ArrayList<>();
    for (int left = 1 + random.nextInt(8); left > 0 && !arrived.isEmpty(); left--) {
      batch.add(arrived.remove());
    }
    long timeMillis = TimeUnit.NANOSECONDS.toMillis(loop.nowNanos()) + clockMillis;
    Decision before = leader.end();
    Decision next =
        History.next(before, leader.log().regency(), new Batches(timeMillis, batch).encode());
    decided.put(ByteBuffer.wrap(next.chain()), new Step(next, ByteBuffer.wrap(before.chain())));
    List<SimulatedReplica> acceptors = new ArrayList<>(inStep(leader));
    if (acceptors.size() > MAJORITY && chance(10)) {
      SimulatedReplica missesIt = acceptors.get(random.nextInt(acceptors.size()));
      acceptors.removeIf(replica -> replica == missesIt && replica != leader);
    }
    acceptors.forEach(replica -> replica.accept(next, true));
  }

  /** A majority promises a higher regency; the furthest history among them goes on. */
  private void changeLeader() {
    List<SimulatedReplica> taking = replicas.stream().filter(SimulatedReplica::active).toList();
    if (taking.isEmpty()) {
      return;
    }
    List<SimulatedReplica> group =
        reachedBy(taking.get(random.nextInt(taking.size()))).stream()
            .filter(SimulatedReplica::active)
            .toList();
    if (group.size() < MAJORITY) {
      return;
    }
    SimulatedReplica best = furthest(group, SimulatedReplica::end);
    int regency = nextRegency(group, best);
    handOverFrom = -1;
    best.alive(() -> best.log().promise(regency));
    for (SimulatedReplica replica : group) {
      if (replica != best && best.active()) {
        replica.alive(
            () -> {
              replica.log().promise(regency);
              catchUp(replica, best);
            });
      }
    }
    saw("leader change");
  }

  private static int nextRegency(List<SimulatedReplica> group, SimulatedReplica leader) {
    int highest = group.stream().mapToInt(replica -> replica.log().regency()).max().orElse(0);
    int regency = highest + 1;
    while (regency % REPLICAS != leader.id) {
      regency++;
    }
    return regency;
  }

  private static SimulatedReplica furthest(
      List<SimulatedReplica> group, Function<SimulatedReplica, Decision> end) {
    return group.stream()
        .max(
            Comparator.<SimulatedReplica>comparingInt(replica -> end.apply(replica).regency())
                .thenComparingLong(replica -> end.apply(replica).instance()))
        .orElseThrow();
  }

  /** Gives an active replica what another one has more; one with another history halts. */
  private void catchUp(SimulatedReplica replica, SimulatedReplica best) throws IOException {
    Decision end = replica.end();
    List<Decision> missing = between(end.instance(), best.end());
    if (missing == null || !continues(end, missing, best.end())) {
      saw("halt");
      replica.crash(false);
      return;
    }
    byte[] known = best.log().chainAfter(end.instance());
    if (known == null && end.instance() < best.log().last().instance()) {
      // Too far behind for decisions; it comes back by a snapshot, later.
      return;
    }
    missing.forEach(decision -> replica.accept(decision, false));
  }

  /** The decisions after an instance that lead to {@code last}, or null where it lies before. */
  private @Nullable List<Decision> between(long instance, Decision last) {
    ArrayDeque<Decision> found = new ArrayDeque<>();
    ByteBuffer chain = ByteBuffer.wrap(last.chain());
    for (long next = last.instance(); next > instance; next--) {
      Step step = Objects.requireNonNull(decided.get(chain));
      found.addFirst(step.decision);
      chain = step.before;
    }
    return instance > last.instance() ? null : List.copyOf(found);
  }

  private boolean continues(Decision end, List<Decision> missing, Decision last) {
    if (missing.isEmpty()) {
      return Arrays.equals(end.chain(), last.chain());
    }
    Step first = Objects.requireNonNull(decided.get(ByteBuffer.wrap(missing.get(0).chain())));
    return first.before.equals(ByteBuffer.wrap(end.chain()));
  }

  /**
   * What an active replica does from time to time: follow a higher regency, fetch what it lacks.
   */
  private void keepUp(SimulatedReplica replica) throws IOException {
    SimulatedReplica leader = leader();
    if (leader == null || leader == replica || !reach(leader, replica)) {
      return;
    }
    int regency = leader.log().regency();
    if (inStep(leader).size() < MAJORITY || regency < replica.log().regency()) {
      return;
    }
    replica.log().promise(regency);
    long last = replica.log().last().instance();
    byte[] theirs = leader.log().chainAfter(last);
    if (replica.idle() && last > leader.end().instance()) {
      saw("halt");
      replica.crash(false);
    } else if (theirs != null && !Arrays.equals(theirs, replica.log().last().chain())) {
      saw("halt");
      replica.crash(false);
    } else if (replica.idle() && last < leader.log().last().instance()) {
      replica.follow(leader, false);
    }
  }

  private void recover(SimulatedReplica replica) throws IOException {
    List<SimulatedReplica> group = reachedBy(replica);
    List<SimulatedReplica> taking = group.stream().filter(SimulatedReplica::active).toList();
    boolean forgotten = !replica.log().joined();
    if (!taking.isEmpty()) {
      if (forgotten && taking.size() < REPLICAS - 1) {
        return;
      }
      int regency = replica.log().regency();
      for (SimulatedReplica other : taking) {
        regency = Math.max(regency, other.log().regency());
      }
      replica.follow(furthest(taking, taken -> taken.log().last()), false);
      replica.takePart(regency);
      if (regency % REPLICAS == replica.id) {
        handOverFrom = replica.id;
      }
      saw(forgotten ? "refilled" : "rejoined");
      return;
    }
    List<SimulatedReplica> members =
        group.size() == REPLICAS
            ? group
            : group.stream().filter(other -> other.log().joined()).toList();
    if (members.size() < MAJORITY || !members.contains(replica)) {
      return;
    }
    SimulatedReplica best = furthest(members, SimulatedReplica::end);
    int regency = nextRegency(members, best);
    boolean empty = best.end().instance() < 0;
    best.alive(() -> best.takePart(regency));
    for (SimulatedReplica member : members) {
      if (member != best && best.active()) {
        member.alive(
            () -> {
              member.follow(best, true);
              member.takePart(regency);
            });
      }
    }
    saw(empty ? "began" : "began again");
  }
}
