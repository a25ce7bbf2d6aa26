package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.Chain;
import io.lockstep.store.log.MemoryLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Replicas with the library inside, whose messages a test brings one by one: it says which arrive,
 * which wait and which are lost. Nothing runs but what the test runs, and time is a number.
 */
final class ScriptedCluster implements AutoCloseable {
  static final int CLIENT = 7;
  private static final int BEAT_MILLIS = 50;

  /** Messages from one replica to another. */
  record Link(int from, int to) {}

  /** A message that leaves. */
  record Sent(int from, int to, SystemMessage message) {}

  private record Work(ScriptedReplica replica, Runnable run) {}

  private final int size;
  private final long perEra;
  private final List<ScriptedMemory> memories = new ArrayList<>();
  private final @Nullable ScriptedReplica[] replicas;
  private final Map<Link, ArrayDeque<ByteBuf>> links = new HashMap<>();
  private final List<Sent> delayed = new ArrayList<>();
  private final ArrayDeque<Work> work = new ArrayDeque<>();
  private final ArrayDeque<Work> disks = new ArrayDeque<>();
  final Acknowledgements acknowledgements;
  final ScriptedMachines machines;
  private Predicate<Sent> lost = sent -> false;
  private Predicate<Sent> late = sent -> false;
  private long nowMillis = 1_000_000;
  private int requests = 10;

  /** With logs on these disks, and others in memory. */
  ScriptedCluster(int size, long perEra, List<? extends ScriptedMemory> disks) {
    this.size = size;
    this.perEra = perEra;
    this.replicas = new @Nullable ScriptedReplica[size];
    this.acknowledgements = new Acknowledgements(size);
    this.machines = new ScriptedMachines(this, size);
    memories.addAll(disks);
    for (int id = memories.size(); id < size; id++) {
      memories.add(new ScriptedMemory.InMemory());
    }
  }

  /** With logs in memory, which outlive the replicas. */
  ScriptedCluster(int size, long perEra) {
    this(size, perEra, List.of());
  }

  /** With logs on disks; what these do is done when the test says so, or with all else. */
  static ScriptedCluster onDisks(int size, long perEra, Random random) {
    return new ScriptedCluster(
        size,
        perEra,
        IntStream.range(0, size).mapToObj(id -> ScriptedMemory.onDisk(id, random)).toList());
  }

  /** A cluster that has seen all regencies up to this one and waits to begin the next. */
  ScriptedCluster afterRegency(int regency) {
    for (int id = 0; id < size; id++) {
      log(id).promise(regency);
      log(id).markJoined();
    }
    return this;
  }

  private ReplicaConfig config(int id) {
    List<Member> members = IntStream.range(0, size).mapToObj(machines::member).toList();
    return ReplicaConfig.of("script", id, members).withInstancesPerEra(perEra);
  }

  long nowMillis() {
    return nowMillis;
  }

  /** Each replica's is an hour ahead of the one before. */
  long wallMillis(int id) {
    return nowMillis + id * 3_600_000L;
  }

  /** Starts all and runs until they take part. */
  ScriptedCluster start() {
    for (int id = 0; id < size; id++) {
      restart(id);
    }
    runUntilEqual();
    return this;
  }

  /** Starts a replica with what its log has. */
  void restart(int id) {
    replicas[id] = new ScriptedReplica(this, config(id), memories.get(id));
  }

  /** Puts another machine's disk under the id of a replica that does not run. */
  void put(int id, ScriptedMemory disk) {
    memories.set(id, disk);
  }

  /** Ends a replica; what is on its way from and to it is lost. */
  void crash(int id) {
    memories.get(id).kill();
    end(id);
  }

  /** The same, and what its disk had not synced is lost too, in part. */
  void losePower(int id) {
    memories.get(id).losePower();
    if (runs(id)) {
      end(id);
    }
  }

  /** Ends a replica, which forgets everything. */
  void wipe(int id) {
    if (runs(id)) {
      crash(id);
    }
    memories.get(id).wipe();
  }

  private void end(int id) {
    ScriptedReplica gone = replica(id);
    replicas[id] = null;
    machines.ended(id);
    gone.close();
    work.removeIf(waiting -> waiting.replica == gone);
    disks.removeIf(waiting -> waiting.replica == gone);
    for (int peer = 0; peer < size; peer++) {
      queue(id, peer).clear();
      queue(peer, id).clear();
      ScriptedReplica other = replicas[peer];
      if (other != null) {
        other.receive(new PeerMessage(id, new PeerNote.LinkDown()));
      }
    }
  }

  private MemoryLog log(int id) {
    return ((ScriptedMemory.InMemory) memories.get(id)).log();
  }

  /** Adds a decision to a stopped replica's log that no other has. */
  void decideAlone(int id, int regency) {
    MemoryLog log = log(id);
    log.append(new Chain().next(log.last(), regency, log.last().value()));
  }

  /** Lets a stopped replica have promised a regency. */
  void promise(int id, int regency) {
    log(id).promise(regency);
  }

  boolean runs(int id) {
    return replicas[id] != null;
  }

  ScriptedReplica replica(int id) {
    ScriptedReplica replica = replicas[id];
    if (replica == null) {
      throw new IllegalStateException("replica " + id + " does not run");
    }
    return replica;
  }

  /** A request that reaches these replicas; returns its number. */
  int request(int... ids) {
    return requestOf(4, ids);
  }

  /** The same with so many bytes. */
  int requestOf(int bytes, int... ids) {
    int number = requests++;
    for (int id : ids) {
      if (runs(id)) {
        replica(id).request(CLIENT, number, bytes);
      }
    }
    return number;
  }

  /** Messages like this are lost from now on. */
  void lose(Predicate<Sent> messages) {
    lost = messages;
  }

  /** Messages like this wait, until the network heals. */
  void delay(Predicate<Sent> messages) {
    late = messages;
  }

  /** Nothing is lost any more, and what was delayed is on its way. */
  void heal() {
    lost = sent -> false;
    late = sent -> false;
    List.copyOf(delayed).forEach(this::send);
    delayed.clear();
  }

  ArrayDeque<ByteBuf> queue(int from, int to) {
    return links.computeIfAbsent(new Link(from, to), link -> new ArrayDeque<>());
  }

  void send(int from, int[] targets, SystemMessage message) {
    for (int to : targets) {
      if (to == from) {
        ScriptedReplica self = replica(from);
        later(self, () -> self.receive(message));
      } else {
        send(new Sent(from, to, message));
      }
    }
  }

  private void send(Sent sent) {
    if (lost.test(sent) || !runs(sent.to) || machines.separated(sent.from, sent.to)) {
      return;
    }
    if (late.test(sent)) {
      delayed.add(sent);
      return;
    }
    ByteBuf bytes = Unpooled.buffer();
    LinkCodec.encode(sent.message, bytes);
    // One that is too long ends the link.
    if (bytes.readableBytes() <= config(sent.from).limits().maxFrameBytes(size)) {
      queue(sent.from, sent.to).add(bytes);
    }
  }

  void later(ScriptedReplica replica, Runnable run) {
    work.add(new Work(replica, run));
  }

  void diskWork(ScriptedReplica replica, Runnable step) {
    disks.add(new Work(replica, step));
  }

  /** What one replica's disk has to do, with all that follows from it. */
  void runDisk(int id) {
    for (int steps = disks.size(); steps > 0; steps--) {
      Work next = disks.remove();
      if (next.replica.id != id) {
        disks.add(next);
      } else if (works(next.replica)) {
        next.run.run();
      }
    }
    runWork();
  }

  private boolean works(ScriptedReplica replica) {
    return replicas[replica.id] == replica && !replica.stopped();
  }

  /** What the replicas left for themselves. */
  void runWork() {
    Work next;
    while ((next = work.poll()) != null) {
      if (works(next.replica)) {
        next.run.run();
      }
    }
  }

  /** Links with something on its way. */
  List<Link> waiting() {
    return links.entrySet().stream()
        .filter(entry -> !entry.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .sorted((a, b) -> a.from != b.from ? a.from - b.from : a.to - b.to)
        .toList();
  }

  /** Brings one message. */
  void deliver(Link link) {
    ByteBuf bytes = queue(link.from, link.to).remove();
    ScriptedReplica to = replicas[link.to];
    if (to != null && works(to)) {
      to.receive(LinkCodec.decode(link.from, bytes));
    }
    runWork();
  }

  /** Brings everything that is on its way, and what follows from it. */
  void run() {
    runWork();
    List<Link> ready = waiting();
    while (!ready.isEmpty() || !disks.isEmpty()) {
      ready.forEach(this::deliver);
      for (int id = 0; id < size; id++) {
        runDisk(id);
      }
      ready = waiting();
    }
  }

  /** One beat of time for one replica. */
  void tick(int id) {
    ScriptedReplica replica = replicas[id];
    if (replica != null && works(replica)) {
      replica.receive(new PeerMessage(id, new PeerNote.Tick()));
      replica.repeatWish();
      runWork();
    }
  }

  /** Lets time pass, without messages. */
  void pass(long millis) {
    nowMillis += millis;
  }

  /** Lets time pass for all, with all that follows from it. */
  void advance(long millis) {
    for (long end = nowMillis + millis; nowMillis < end; ) {
      pass(BEAT_MILLIS);
      for (int id = 0; id < size; id++) {
        tick(id);
      }
      run();
    }
  }

  /** Runs until all take part in one regency with one history. */
  void runUntilEqual() {
    runUntil("they do not come together", this::equal);
  }

  /** Runs until a request is acknowledged. */
  void runUntilAcknowledged(int request) {
    runUntil("request " + request + " is not acknowledged", () -> isAcknowledged(request));
  }

  private void runUntil(String otherwise, BooleanSupplier condition) {
    for (int beats = 0; beats < 600; beats++) {
      advance(BEAT_MILLIS);
      if (condition.getAsBoolean()) {
        return;
      }
    }
    throw new AssertionError(otherwise + ": " + this);
  }

  private boolean equal() {
    return IntStream.range(0, size)
            .allMatch(id -> runs(id) && replica(id).doing() == Phase.OPERATIONAL)
        && IntStream.range(0, size).mapToObj(id -> replica(id).position()).distinct().count() == 1;
  }

  boolean isAcknowledged(int request) {
    return acknowledgements.has(request);
  }

  /** Every acknowledged decision is in every history, and no replica has halted. */
  void verify() {
    for (int id = 0; id < size; id++) {
      String lacks = acknowledgements.lacking(replica(id).log);
      if (!lacks.isEmpty() || replica(id).halted() != null) {
        throw new AssertionError("replica " + id + " lacks '" + lacks + "': " + this);
      }
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (ScriptedReplica replica : replicas) {
      text.append(text.isEmpty() ? "" : "; ").append(replica == null ? "-" : replica);
    }
    return text.toString();
  }

  @Override
  public void close() {
    for (ScriptedReplica replica : replicas) {
      if (replica != null) {
        replica.close();
      }
    }
  }
}
