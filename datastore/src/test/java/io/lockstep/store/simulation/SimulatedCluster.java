package io.lockstep.store.simulation;

import io.lockstep.store.client.SimulatedLoop;
import io.lockstep.store.engine.bftsmart.EngineRules;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.History;
import io.lockstep.store.simulation.SimulatedReplica.Phase;
import java.io.IOException;
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

  private final SimulatedLoop loop = new SimulatedLoop();
  private final Random random;
  private final List<SimulatedReplica> replicas = new ArrayList<>();
  private final boolean[][] cut = new boolean[REPLICAS][REPLICAS];
  private final Map<Long, VotingConnection> senders = new HashMap<>();
  private final ArrayDeque<Batches.Request> arrived = new ArrayDeque<>();

  private final DecidedHistory history = new DecidedHistory();
  private final Map<String, Integer> seen = new TreeMap<>();
  private long requests;
  private long clockMillis = 1_000_000;
  private boolean faulty = true;
  private boolean lateCopies;
  private boolean quiet;

  private final boolean forgottenCounts;

  SimulatedCluster(Random random, Mutation mutation) {
    this.random = random;
    this.forgottenCounts = mutation == Mutation.FORGOTTEN_COUNTS;
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
    loop.after(millis, event);
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

  /** A copy of a request that comes late; none does once all is to settle soon. */
  void arriveLate(Batches.Request request) {
    if (faulty || lateCopies) {
      arrive(request);
    }
  }

  /**
   * Nothing fails any more.
   *
   * @param late whether copies of requests still come
   */
  void heal(boolean late) {
    faulty = false;
    lateCopies = late;
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

  /** Whether all take part with the same history, and nothing is on its way. */
  boolean calm() {
    Decision end = replicas.get(0).phase() == Phase.ACTIVE ? replicas.get(0).end() : null;
    return end != null
        && arrived.isEmpty()
        && replicas.stream()
            .allMatch(
                replica ->
                    replica.active()
                        && replica.idle()
                        && Arrays.equals(replica.end().chain(), end.chain()));
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

  void reply(int replica, Decision decision, Batches.Request request, byte[] answer) {
    long number = request.number();
    Objects.requireNonNull(senders.get(number)).reply(replica, number, decision, answer);
  }

  DecidedHistory history() {
    return history;
  }

  /** The decisions from the first on that lead to this one. */
  List<Decision> historyOf(Decision last) {
    return Objects.requireNonNull(history.between(-1, last));
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
      if (replica.phase() == Phase.ASKING && mustThinkAgain(replica)) {
        replica.stepBack();
      }
      if (replica.phase() == Phase.RECOVERING) {
        replica.alive(() -> recover(replica));
      } else if (replica.active()) {
        replica.alive(() -> keepUp(replica));
      }
    }
    SimulatedReplica leader = leader();
    boolean asked = replicas.stream().anyMatch(this::isHeardAsking);
    if (leader == null || asked || inStep(leader).size() < MAJORITY || chance(2)) {
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
    history.decided(before, next);
    List<SimulatedReplica> acceptors = new ArrayList<>(inStep(leader));
    if (acceptors.size() > MAJORITY && chance(10)) {
      SimulatedReplica missesIt = acceptors.get(random.nextInt(acceptors.size()));
      acceptors.removeIf(replica -> replica == missesIt && replica != leader);
    }
    acceptors.forEach(replica -> replica.accept(next, true));
  }

  private boolean isHeardAsking(SimulatedReplica replica) {
    return replica.phase() == Phase.ASKING
        && reachedBy(replica).stream().filter(SimulatedReplica::takesPart).count() >= MAJORITY;
  }

  /** Whoever asked for a regency and hears of another one that it may follow, or of a promise. */
  private boolean mustThinkAgain(SimulatedReplica asking) {
    int regency = asking.log().regency();
    return chance(5)
        || reachedBy(asking).stream()
            .anyMatch(
                other ->
                    other.active()
                        ? other.log().regency() >= regency
                        : other.log().regency() > regency);
  }

  /** A majority promises a higher regency; the history of the highest place among them goes on. */
  private void changeLeader() {
    List<SimulatedReplica> taking = replicas.stream().filter(SimulatedReplica::takesPart).toList();
    if (taking.isEmpty()) {
      return;
    }
    List<SimulatedReplica> group =
        reachedBy(taking.get(random.nextInt(taking.size()))).stream()
            .filter(SimulatedReplica::takesPart)
            .toList();
    if (group.size() < MAJORITY) {
      return;
    }
    SimulatedReplica best = furthest(group);
    int regency = nextRegency(group, best);
    boolean again = group.stream().noneMatch(SimulatedReplica::active);
    best.alive(() -> best.takePart(regency));
    for (SimulatedReplica replica : group) {
      if (replica != best && best.active()) {
        replica.alive(
            () -> {
              replica.takePart(regency);
              catchUp(replica, best);
            });
      }
    }
    saw(again ? "began again" : "leader change");
  }

  private static int nextRegency(List<SimulatedReplica> group, SimulatedReplica leader) {
    int highest = group.stream().mapToInt(replica -> replica.log().regency()).max().orElse(0);
    int regency = highest + 1;
    while (regency % REPLICAS != leader.id) {
      regency++;
    }
    return regency;
  }

  private static SimulatedReplica furthest(List<SimulatedReplica> group) {
    SimulatedReplica best = group.get(0);
    for (SimulatedReplica replica : group) {
      if (EngineRules.higher(replica.end(), best.end())) {
        best = replica;
      }
    }
    return best;
  }

  /** Gives an active replica what another one has more; one with another history halts. */
  private void catchUp(SimulatedReplica replica, SimulatedReplica best) throws IOException {
    Decision end = replica.end();
    List<Decision> missing = history.between(end.instance(), best.end());
    if (missing == null || !history.continues(end, missing, best.end())) {
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

  /** What an active replica does from time to time: it fetches what it lacks. */
  private void keepUp(SimulatedReplica replica) throws IOException {
    SimulatedReplica leader = leader();
    if (leader == null || leader == replica || !reach(leader, replica) || !replica.idle()) {
      return;
    }
    int regency = leader.log().regency();
    if (inStep(leader).size() < MAJORITY || regency < replica.log().regency()) {
      return;
    }
    if (regency > replica.log().regency()) {
      saw("stepped back");
      replica.stepBack();
      return;
    }
    long last = replica.log().last().instance();
    byte[] theirs = leader.log().chainAfter(last);
    boolean differs = theirs != null && !Arrays.equals(theirs, replica.log().last().chain());
    if (differs || last > leader.end().instance()) {
      saw("halt");
      replica.crash(false);
    } else if (last < leader.log().last().instance()) {
      replica.follow(leader, false);
    }
  }

  /** One step of coming back, as the engine's own rules say. */
  private void recover(SimulatedReplica replica) throws IOException {
    EngineRules.Told self = replica.told(forgottenCounts);
    List<EngineRules.Told> others =
        reachedBy(replica).stream()
            .filter(other -> other != replica)
            .map(other -> other.told(false))
            .toList();
    EngineRules.Step step =
        EngineRules.decide(
            REPLICAS, self, others, peer -> replica.related(replicas.get(peer).log()));
    boolean forgotten = !replica.log().joined();
    switch (step.action()) {
      case WAIT -> saw(forgotten ? "forgotten waits" : "waits");
      case FETCH -> replica.follow(replicas.get(step.peer()), false);
      case DROP_DECISIONS -> replica.follow(replicas.get(step.peer()), true);
      case JOIN -> {
        replica.takePart(step.regency());
        boolean first = replica.log().last().instance() < 0;
        saw(first ? "began" : forgotten ? "refilled" : "rejoined");
      }
      case ASK -> {
        replica.ask(step.regency());
        saw("asked");
      }
    }
  }
}
