package io.lockstep.history.nemesis;

import io.lockstep.bench.runs.ChildJvm;
import io.lockstep.bench.runs.LiveMemory;
import io.lockstep.deploy.launch.LaunchedNode;
import io.lockstep.history.replica.Breakage;
import io.lockstep.history.replica.ReplicaServer;
import io.lockstep.history.replica.clock.ClockAgent;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Three replicas in processes of their own on a network that can fail. Used by one thread, but for
 * {@link #close}: that is done at the end of this process, too, where it comes first.
 */
public final class Cluster implements AutoCloseable {
  /** How many replicas. */
  public static final int SIZE = 3;

  private static final String NAME = "history";
  private static final int LOOK_MILLIS = 100;
  private static final int LONGEST_FILE_BYTES = 16;
  private static final int STACKS_MILLIS = 5_000;

  private final Network network;
  private final @Nullable ReplicaProcess[] replicas = new ReplicaProcess[SIZE];
  private final Path directory;
  private final Disks disks;
  private final Breakage breakage;
  private final boolean losesPower;
  private final List<String> flags = new ArrayList<>(ChildJvm.NODE_FLAGS);
  private final Halts halts = new Halts();
  private final int[] incarnations = new int[SIZE];
  private final AtExit atExit;
  private volatile boolean closed;

  /**
   * Starts replicas.
   *
   * @param directory of what the replicas print
   * @param network between them; closed with the cluster
   * @param disks of theirs; closed with the cluster
   * @param faults that are to come
   */
  public Cluster(
      Path directory, Network network, Disks disks, Breakage breakage, Set<FaultKind> faults)
      throws IOException {
    this.directory = directory;
    this.network = network;
    this.disks = disks;
    this.breakage = breakage;
    this.losesPower = faults.contains(FaultKind.POWER);
    if (faults.contains(FaultKind.CLOCK)) {
      flags.add(ClockAgent.flag(directory.resolve("clock-agent.jar")));
    }
    this.atExit = new AtExit("cluster-release", this::release);
    try {
      for (int id = 0; id < SIZE; id++) {
        start(id);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** The cluster's id. */
  public String name() {
    return NAME;
  }

  /** Where clients connect. */
  public List<Member> members() {
    return network.members();
  }

  /** What lies between the replicas. */
  Network network() {
    return network;
  }

  /** Starts a replica that does not run. */
  private void start(int id) throws IOException {
    noteEnd(id);
    if (closed) {
      throw new IOException("the run is over");
    }
    Path kept = disks.durable() ? disks.directory(id) : Path.of(ReplicaServer.IN_MEMORY);
    String synced = losesPower ? disks.synced(id).toString() : ReplicaServer.NOTHING_BESIDE;
    replicas[id] = start(id, incarnations[id], kept, synced);
  }

  private ReplicaProcess start(int id, int incarnation, Path kept, String synced)
      throws IOException {
    List<String> command = new ArrayList<>(network.before(id));
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(LaunchedNode.compilerFlags());
    command.addAll(List.of("-cp", System.getProperty("java.class.path", "")));
    command.addAll(
        List.of(ReplicaServer.class.getName(), NAME, String.valueOf(id), breakage.name()));
    command.add(kept.toString());
    command.add(synced);
    for (int peer = 0; peer < SIZE; peer++) {
      command.add(network.address(peer, id) + (peer == id ? "#" + incarnation : ""));
    }
    return ReplicaProcess.start(command, directory, log(id));
  }

  /** Orders another machine behind the id of a replica; returns its incarnation. */
  int order(int id) throws IOException, InterruptedException {
    int next = incarnations[id] + 1;
    MachineOrders.replace(NAME, members(), id, next);
    return next;
  }

  int incarnation(int id) {
    return incarnations[id];
  }

  /** From now on the machine that starts under this id is the new one. */
  void machine(int id, int incarnation) {
    incarnations[id] = incarnation;
  }

  /** The new machine takes part: the next one may be ordered. */
  void arrived(int id) throws IOException, InterruptedException {
    MachineOrders.arrived(NAME, members(), id, incarnations[id]);
  }

  /**
   * Starts the machine before under the id of a replica that does not run, and waits for its end.
   *
   * @return whether it ended as one that is refused
   */
  boolean isRefused(int id, int incarnation, Path kept, long millis)
      throws IOException, InterruptedException {
    ReplicaProcess before = start(id, incarnation, kept, ReplicaServer.NOTHING_BESIDE);
    before.awaitEnd(millis);
    boolean refused = Objects.equals(before.exitCode(), ReplicaServer.REFUSED);
    before.kill();
    return refused;
  }

  /** Writes down how the present process of a replica ended, if it did by itself. */
  private void noteEnd(int id) {
    ReplicaProcess before = replicas[id];
    Halts.Halt halt = before == null ? null : before.halt(id);
    if (halt != null) {
      halts.add(halt);
    }
  }

  private Path log(int id) {
    return directory.resolve("replica-" + id + ".log");
  }

  private ReplicaProcess replica(int id) {
    ReplicaProcess replica = replicas[id];
    if (replica == null) {
      throw new IllegalStateException("replica " + id + " was never started");
    }
    return replica;
  }

  /** What they keep. */
  Disks disks() {
    return disks;
  }

  /** Waits until a replica has ended by itself, or the time is over. */
  void awaitEnd(int id, long millis) throws InterruptedException {
    replica(id).awaitEnd(millis);
  }

  /** Whether it has ended as one that was started from an old copy of its directory. */
  boolean wasRefused(int id) {
    return Objects.equals(replica(id).exitCode(), ReplicaServer.REFUSED);
  }

  /** From now on its syncs take so much longer. */
  void slowSyncs(int id, int millis) throws IOException {
    replica(id).order(ReplicaServer.SLOW_SYNCS + " " + millis);
  }

  /** Lets its clocks jump and drift; drifts in millionths. */
  void skewClocks(int id, int wallJumpMillis, int wallDrift, int jumpMillis, int drift)
      throws IOException {
    replica(id)
        .order(
            String.format(
                "%s %d %d %d %d",
                ReplicaServer.CLOCKS, wallJumpMillis, wallDrift, jumpMillis, drift));
  }

  /**
   * Lets its wall clock show the machine's time again, and ends the drift of the monotonic one. A
   * replica that was started since has true clocks already.
   */
  void straightenClocks(int id) throws IOException {
    replica(id).order(ReplicaServer.TRUE_CLOCKS);
  }

  /** Waits until a replica fetches what it missed, or the time is over. */
  void awaitRecovering(int id, long millis) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!replica(id).status().recovering() && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS / 10);
    }
  }

  /** SIGKILL of several at the same moment. */
  void killTogether(List<Integer> ids) throws IOException, InterruptedException {
    ids.forEach(id -> replica(id).abandon());
    for (int id : ids) {
      kill(id);
    }
  }

  /**
   * Bytes alive on the heap of each replica, after a full collection.
   *
   * @throws IOException where one does not answer
   */
  public List<Long> liveHeapBytes() throws IOException, InterruptedException {
    List<Long> bytes = new ArrayList<>();
    for (int id = 0; id < SIZE; id++) {
      bytes.add(LiveMemory.liveBytes(replica(id).handle()));
    }
    return bytes;
  }

  /** SIGKILL. */
  void kill(int id) throws IOException, InterruptedException {
    replica(id).kill();
  }

  /** An orderly stop. */
  void end(int id) throws IOException, InterruptedException {
    replica(id).end();
  }

  /** From now on it cannot write to files, but for their first bytes. */
  void forbidWrites(int id) throws IOException, InterruptedException {
    replica(id).limitFiles(String.valueOf(LONGEST_FILE_BYTES));
  }

  /** It can again; nothing where the replica does not run. */
  void permitWrites(int id) throws IOException, InterruptedException {
    if (replica(id).isAlive()) {
      replica(id).limitFiles("unlimited");
    }
  }

  /** SIGSTOP; nothing where the replica does not run. */
  void pause(int id) throws IOException, InterruptedException {
    if (replica(id).isAlive()) {
      replica(id).signal("STOP");
    }
  }

  /** SIGCONT; nothing where the replica does not run. */
  void resume(int id) throws IOException, InterruptedException {
    if (replica(id).isAlive()) {
      replica(id).signal("CONT");
    }
  }

  /** The replica that a majority takes for the leader, or -1. */
  int leader() throws InterruptedException {
    int[] votes = new int[SIZE];
    for (int id = 0; id < SIZE; id++) {
      Status status = replica(id).status();
      if (status.operational() && status.leader() >= 0 && ++votes[status.leader()] > SIZE / 2) {
        return status.leader();
      }
    }
    return -1;
  }

  /** Starts replicas that do not run, as a supervisor would. */
  void reviveEnded() throws IOException {
    for (int id = 0; id < SIZE; id++) {
      if (!replica(id).isAlive()) {
        start(id);
      }
    }
  }

  /** Replicas that ended by themselves so far. */
  public List<Halts.Halt> halts() {
    for (int id = 0; id < SIZE; id++) {
      noteEnd(id);
    }
    return halts.all();
  }

  /**
   * Waits until all replicas take part.
   *
   * @return the milliseconds that it took, or -1 where they do not within the deadline
   */
  public long awaitHealthy(long deadlineMillis) throws InterruptedException, IOException {
    long begin = System.nanoTime();
    while (!healthy()) {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      if (millis > deadlineMillis) {
        return -1;
      }
      reviveEnded();
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
  }

  private boolean healthy() throws InterruptedException {
    for (int id = 0; id < SIZE; id++) {
      if (!replica(id).status().operational()) {
        return false;
      }
    }
    return true;
  }

  /** What each replica says. */
  public List<String> describe() throws InterruptedException {
    List<String> all = new ArrayList<>();
    for (int id = 0; id < SIZE; id++) {
      ReplicaProcess replica = replica(id);
      Integer code = replica.exitCode();
      all.add(id + ": " + (code == null ? replica.status() : "ended with " + code));
    }
    return all;
  }

  /** What hangs, and how the replicas are. */
  public Hang hang(String waitedFor, String after, long deadlineMillis)
      throws InterruptedException {
    return new Hang(waitedFor, after, deadlineMillis, describe());
  }

  /**
   * Lets every replica that runs print the stacks of its threads into its log, as far as it can.
   */
  public void printStacks() throws IOException, InterruptedException {
    List<ReplicaProcess> asked = new ArrayList<>();
    for (int id = 0; id < SIZE; id++) {
      if (replica(id).isAlive()) {
        asked.add(replica(id));
        replica(id).askForStacks();
      }
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STACKS_MILLIS);
    for (ReplicaProcess one : asked) {
      one.awaitStacks(deadline);
    }
  }

  @Override
  public void close() {
    atExit.close();
  }

  private void release() {
    closed = true;
    for (ReplicaProcess replica : replicas) {
      if (replica != null) {
        replica.abandon();
      }
    }
    network.close();
    disks.close();
  }
}
