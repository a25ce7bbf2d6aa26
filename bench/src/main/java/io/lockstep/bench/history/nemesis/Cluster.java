package io.lockstep.bench.history.nemesis;

import io.lockstep.bench.history.replica.Breakage;
import io.lockstep.bench.history.replica.ReplicaServer;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Three replicas in processes of their own, with a relay between each two of them. Clients connect
 * to the replicas directly. Used by one thread.
 */
public final class Cluster implements AutoCloseable {
  /** How many replicas. */
  public static final int SIZE = 3;

  private static final String NAME = "history";
  private static final String HOST = "127.0.0.1";
  private static final int FIRST_RELAY = 10;
  private static final int LOOK_MILLIS = 100;
  private static final List<String> FLAGS = List.of("-Xms64m", "-Xmx256m", "-XX:+UseSerialGC");

  private final PortBlock ports = PortBlock.take();
  private final EventLoopGroup group =
      new NioEventLoopGroup(1, new DefaultThreadFactory("relays", true));
  private final Relay[] relays = new Relay[SIZE * (SIZE - 1) / 2];
  private final @Nullable ReplicaProcess[] replicas = new ReplicaProcess[SIZE];
  private final Path directory;
  private final Disks disks;
  private final Breakage breakage;
  private long halts;

  /**
   * Starts relays and replicas.
   *
   * @param directory of what the replicas print
   * @param data of what they keep; null where they keep it in memory
   * @param fillable whether the disk of one of them is to be filled
   */
  public Cluster(
      Path directory, @Nullable Path data, boolean fillable, Breakage breakage, long seed)
      throws IOException, InterruptedException {
    this.directory = directory;
    this.disks = new Disks(data, fillable ? (int) Math.floorMod(seed, (long) SIZE) : -1);
    this.breakage = breakage;
    try {
      for (int high = 1; high < SIZE; high++) {
        for (int low = 0; low < high; low++) {
          int target = port(low) + 1;
          int place = relay(low, high);
          relays[place] = Relay.open(group, relayPort(place), target, new Random(seed + place));
        }
      }
      for (int id = 0; id < SIZE; id++) {
        start(id);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private int port(int id) {
    return ports.port(1 + 2 * id);
  }

  private int relayPort(int place) {
    return ports.port(FIRST_RELAY + 2 * place + 1);
  }

  private static int relay(int low, int high) {
    return high * (high - 1) / 2 + low;
  }

  /** The cluster's id. */
  public String name() {
    return NAME;
  }

  /** Where clients connect. */
  public List<Member> members() {
    List<Member> members = new ArrayList<>();
    for (int id = 0; id < SIZE; id++) {
      members.add(new Member(id, HOST, port(id)));
    }
    return members;
  }

  /** Starts a replica that does not run. */
  void start(int id) throws IOException {
    start(id, List.of());
  }

  /** The same, in such a way that its log cannot grow. */
  void startLimited(int id) throws IOException {
    start(id, Disks.limit());
  }

  private void start(int id, List<String> before) throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path", "")));
    command.addAll(
        List.of(ReplicaServer.class.getName(), NAME, String.valueOf(id), breakage.name()));
    command.add(disks.durable() ? disks.directory(id).toString() : ReplicaServer.IN_MEMORY);
    for (int peer = 0; peer < SIZE; peer++) {
      // A replica dials those with lower ids, so only their addresses lead to relays.
      int seen = peer < id ? relayPort(relay(peer, id)) - 1 : port(peer);
      command.add(HOST + ":" + seen);
    }
    replicas[id] = ReplicaProcess.start(command, directory, log(id));
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

  /** SIGKILL. */
  void kill(int id) throws IOException, InterruptedException {
    replica(id).kill();
  }

  /** An orderly stop. */
  void end(int id) throws IOException, InterruptedException {
    replica(id).end();
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

  /**
   * Treats what goes from one replica to another and back.
   *
   * @param mostMillis of a delay
   */
  void treat(int from, int to, Relay.Treatment towards, Relay.Treatment back, int mostMillis) {
    Relay relay = relays[relay(Math.min(from, to), Math.max(from, to))];
    boolean dials = from > to;
    relay.treat(dials ? towards : back, dials ? back : towards, mostMillis);
  }

  /** Ends whatever the relays do. */
  void healRelays() {
    for (Relay relay : relays) {
      relay.heal();
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

  /** Starts replicas that ended by themselves, as a supervisor would; says which. */
  List<Integer> reviveEnded() throws IOException {
    List<Integer> revived = new ArrayList<>();
    for (int id = 0; id < SIZE; id++) {
      if (!replica(id).isAlive()) {
        start(id);
        revived.add(id);
      }
    }
    return revived;
  }

  /** How often a replica ended by itself and was started again. */
  public long halts() {
    return halts;
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
      List<Integer> halted = reviveEnded();
      halts += halted.size();
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

  /** What each replica says, for messages. */
  public String describe() throws InterruptedException {
    StringBuilder text = new StringBuilder();
    for (int id = 0; id < SIZE; id++) {
      ReplicaProcess replica = replicas[id];
      Integer code = replica == null ? null : replica.exitCode();
      text.append(id == 0 ? "" : "; ").append(id).append(": ");
      text.append(
          replica == null
              ? "not started"
              : code == null ? replica.status().toString() : "ended with " + code);
    }
    return text.toString();
  }

  @Override
  public void close() {
    for (ReplicaProcess replica : replicas) {
      if (replica != null) {
        ProcessHandle.of(replica.pid()).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
    for (Relay relay : relays) {
      if (relay != null) {
        relay.close();
      }
    }
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    disks.close();
    ports.close();
  }
}
