package io.lockstep.store.simulation;

import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.core.TestMachines;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.bftsmart.EngineRules;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.SnapshotSink;
import io.lockstep.store.log.StoredSnapshot;
import io.lockstep.store.log.disk.DiskLog;
import io.lockstep.store.log.disk.DiskLogOptions;
import io.lockstep.store.log.disk.Identity;
import io.lockstep.store.log.disk.SimulatedDisk;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One replica: its disk, its log, its state. Whatever it did not sync is gone when it crashes. */
final class SimulatedReplica {

  /** How far it is. */
  enum Phase {
    DOWN,
    RECOVERING,
    /** It takes part, but in no regency: it has asked for a new one. */
    ASKING,
    ACTIVE
  }

  /** Something on the disk may fail. */
  interface DiskWork {
    void run() throws IOException;
  }

  final int id;
  private final SimulatedCluster cluster;
  private final Random random;
  private final SimulatedDisk disk;
  private final Mutation mutation;

  /** Decided, and on the way to this replica's log. */
  private final ArrayDeque<Decision> accepted = new ArrayDeque<>();

  private Phase phase = Phase.DOWN;
  private @Nullable DiskLog log;
  private StoreStateMachine machine = new StoreStateMachine(List.of());
  private final EngineRules.EarlyReplies early = new EngineRules.EarlyReplies();
  private final SimulatedSnapshots snapshots;
  private int life;

  SimulatedReplica(int id, SimulatedCluster cluster, Random random, Mutation mutation) {
    this.id = id;
    this.cluster = cluster;
    this.random = random;
    this.mutation = mutation;
    this.disk = new SimulatedDisk(random);
    this.snapshots = new SimulatedSnapshots(this, cluster, random);
  }

  Phase phase() {
    return phase;
  }

  boolean active() {
    return phase == Phase.ACTIVE;
  }

  boolean takesPart() {
    return phase == Phase.ACTIVE || phase == Phase.ASKING;
  }

  /**
   * What it says of itself.
   *
   * @param pretends to remember what it does not
   */
  EngineRules.Told told(boolean pretends) {
    int promised = log().regency();
    return new EngineRules.Told(
        id,
        active() ? promised : -1,
        active(),
        log().joined() || pretends,
        promised,
        phase == Phase.ASKING ? promised : -1,
        log().last());
  }

  /** How its history relates to another's. */
  EngineRules.Related related(DiskLog theirs) {
    Decision own = log().last();
    Decision other = theirs.last();
    try {
      boolean behind = other.instance() > own.instance();
      byte[] here = behind ? own.chain() : log().chainAfter(other.instance());
      byte[] there = behind ? theirs.chainAfter(own.instance()) : other.chain();
      boolean known = here != null && there != null;
      boolean differs = known && !Arrays.equals(here, there);
      return new EngineRules.Related(differs, behind ? known && !differs : !differs, !behind);
    } catch (IOException e) {
      throw new UncheckedIOException("a log cannot be read", e);
    }
  }

  DiskLog log() {
    return Objects.requireNonNull(log);
  }

  StoreStateMachine machine() {
    return machine;
  }

  SimulatedDisk disk() {
    return disk;
  }

  /** The last decision that it has or is about to have. */
  Decision end() {
    Decision coming = accepted.peekLast();
    return coming == null ? log().last() : coming;
  }

  boolean idle() {
    return accepted.isEmpty();
  }

  /** What a deed in this life does; nothing once it is over. A failing disk ends it. */
  void alive(DiskWork work) {
    int mine = life;
    try {
      work.run();
    } catch (IOException failed) {
      if (mine == life) {
        cluster.sawDiskFail(failed);
        crash(random.nextBoolean());
      }
    }
  }

  void later(long millis, DiskWork work) {
    int mine = life;
    cluster.after(
        millis,
        () -> {
          if (mine == life && phase != Phase.DOWN) {
            alive(work);
          }
        });
  }

  void start() {
    phase = Phase.RECOVERING;
    int mine = life;
    alive(
        () -> {
          log =
              DiskLog.openStepped(
                  disk.open(),
                  new Identity("simulated", id),
                  new DiskLogOptions(4096, 1024, 2048, 8192, 2048, 0, random::nextLong),
                  failure -> later(0, () -> crash(random.nextBoolean())),
                  step -> later(random.nextInt(random.nextInt(4) == 0 ? 80 : 6), step::run));
          rebuild();
        });
    if (mine == life && log == null) {
      throw new AssertionError("no log");
    }
  }

  /** Power or process; what was in memory is gone. */
  void crash(boolean power) {
    life++;
    phase = Phase.DOWN;
    log = null;
    snapshots.forget();
    accepted.clear();
    if (power) {
      disk.crash();
      if (mutation == Mutation.TORN_END_ACCEPTED) {
        disk.acceptTornEnds();
      }
    } else {
      disk.kill();
    }
    if (mutation == Mutation.LYING_DISK) {
      disk.lie();
    }
  }

  void wipe() {
    crash(true);
    disk.wipe();
  }

  /** The state anew from what the log has. */
  void rebuild() throws IOException {
    StoreStateMachine fresh = new StoreStateMachine(List.of());
    long at = -1;
    try (StoredSnapshot stored = log().latestSnapshot()) {
      early.begin(0);
      if (stored != null) {
        fresh.restore(new ByteArrayInputStream(stored.read(0, Integer.MAX_VALUE)));
        at = stored.at().instance();
        early.begin(fresh.index());
        if (mutation == Mutation.RECORDS_FORGOTTEN) {
          TestMachines.forgetRecords(fresh);
        }
      }
    }
    machine = fresh;
    while (at < log().last().instance()) {
      for (Decision decision : Objects.requireNonNull(log().after(at, 1000))) {
        apply(decision);
        at = decision.instance();
      }
    }
  }

  /** A decision that is in the log. */
  private List<OrderedReply> apply(Decision decision) {
    Batches batch = Batches.decode(decision.value());
    List<OrderedReply> replies =
        machine.apply(decision.instance(), batch.timeMillis(), batch.contents());
    early.applied(decision.instance(), machine.index(), log().durable());
    cluster.history().applied(this, decision, replies.stream().map(OrderedReply::bytes).toList());
    return replies;
  }

  /**
   * A decision that it took part in, or that a new leader gave it; it arrives a little later.
   *
   * @param vouches whether it took part in it, and so may answer for it
   */
  void accept(Decision decision, boolean vouches) {
    accepted.add(decision);
    later(random.nextInt(random.nextInt(8) == 0 ? 200 : 6), () -> deliver(vouches));
  }

  private void deliver(boolean vouches) throws IOException {
    Decision decision = accepted.remove();
    if (mutation == Mutation.REPLY_BEFORE_SYNC) {
      reply(decision, apply(decision), vouches, reply -> true);
      log().append(decision);
      return;
    }
    log().append(decision);
    Decision durable = log().durable();
    List<OrderedReply> all = apply(decision);
    reply(decision, all, vouches, reply -> leavesAtOnce(reply, decision, durable));
    log().whenDurable(() -> alive(() -> reply(decision, all, vouches, reply -> true)));
  }

  private boolean leavesAtOnce(OrderedReply reply, Decision decision, Decision durable) {
    if (mutation == Mutation.READ_BEFORE_SYNC) {
      return reply.restsOn() != OrderedReply.ITS_BATCH;
    }
    boolean admitted = early.admits(reply, decision.regency(), durable);
    if (admitted) {
      cluster.saw("early reply");
    }
    return admitted;
  }

  private void reply(
      Decision decision,
      List<OrderedReply> replies,
      boolean vouches,
      Predicate<OrderedReply> leaves) {
    List<Batches.Request> requests = Batches.decode(decision.value()).requests();
    for (int i = 0; vouches && i < requests.size(); i++) {
      if (leaves.test(replies.get(i))) {
        cluster.reply(id, decision, requests.get(i), replies.get(i).bytes());
      }
    }
  }

  /** Takes part by asking for a regency. */
  void ask(int regency) throws IOException {
    takePart(regency);
    phase = Phase.ASKING;
  }

  /** Takes part no more, and comes back by the rules. */
  void stepBack() {
    phase = Phase.RECOVERING;
  }

  /** Keeps to this regency from now on, and takes part. */
  void takePart(int regency) throws IOException {
    log().promise(regency);
    log().markJoined();
    phase = Phase.ACTIVE;
  }

  /**
   * Brings the log to what another replica's log has; replies are that one's business.
   *
   * @param exactly whether to take back also what is merely more
   */
  void follow(SimulatedReplica source, boolean exactly) throws IOException {
    DiskLog theirs = source.log();
    long before = log().last().instance();
    long common = Math.min(log().last().instance(), theirs.last().instance());
    while (common >= 0 && !same(log().chainAfter(common), theirs.chainAfter(common))) {
      if (log().chainAfter(common) == null || theirs.chainAfter(common) == null) {
        common = -2;
        break;
      }
      common--;
    }
    if (common == theirs.last().instance() && (!exactly || common == log().last().instance())) {
      return;
    }
    try (StoredSnapshot mine = log().latestSnapshot()) {
      if (common < (mine == null ? -1 : mine.at().instance())) {
        startOver(source);
      } else if (common < log().last().instance()) {
        cluster.saw("taken back");
        log().truncateAfter(common);
      }
    }
    boolean longer = common == log().last().instance() && common == before;
    snapshots.giveUp();
    while (log().last().instance() < theirs.last().instance()) {
      List<Decision> next = theirs.after(log().last().instance(), 700);
      if (next == null) {
        startOver(source);
        longer = false;
        continue;
      }
      for (Decision decision : next) {
        log().append(decision);
        if (longer) {
          apply(decision);
        }
      }
    }
    if (!longer) {
      rebuild();
    }
  }

  private static boolean same(byte @Nullable [] ours, byte @Nullable [] theirs) {
    return ours != null && theirs != null && Arrays.equals(ours, theirs);
  }

  private void startOver(SimulatedReplica source) throws IOException {
    cluster.saw("start over");
    try (StoredSnapshot stored = source.snapshots.forPeer()) {
      try (SnapshotSink over = log().startOver(stored.at())) {
        for (long offset = 0; offset < stored.length(); offset += 500) {
          byte[] piece = stored.read(offset, 500);
          over.write(piece, 0, piece.length);
        }
        over.commit();
      }
    }
  }

  /** Begins a snapshot of what it has applied, unless one is being written. */
  void beginSnapshot() {
    if (active()) {
      alive(snapshots::begin);
    }
  }
}
