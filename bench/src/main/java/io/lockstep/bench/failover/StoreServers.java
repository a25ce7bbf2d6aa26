package io.lockstep.bench.failover;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.admin.NodeReport.ReplicaReport;
import io.lockstep.deploy.launch.LaunchedNode;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Replicas of a store as {@code lockstep replica} runs them, each with a configuration file and a
 * directory of its own on loopback. Used by one thread.
 */
final class StoreServers implements AutoCloseable {
  static final String CLUSTER = "failover";
  private static final int PORTS_PER_REPLICA = 3;
  private static final int ASK_MILLIS = 2000;
  private static final int ASK_AGAIN_MILLIS = 10;

  private final PortBlock ports = PortBlock.take();
  private final Path directory;
  private final boolean durable;
  private final List<LaunchedNode> replicas = new ArrayList<>();
  private final List<AdminClient> admins = new ArrayList<>();
  private final List<SnapshotNotes> snapshots = new ArrayList<>();

  /**
   * Writes their configuration files; starts nothing.
   *
   * @param count 1 to 7, odd
   * @param durable whether they keep their state on disk, below {@code directory}
   * @param snapshotMegabytes a snapshot for every so much log
   * @param heap of each, as the virtual machine's -Xmx takes it
   */
  StoreServers(Path directory, int count, boolean durable, int snapshotMegabytes, String heap)
      throws IOException {
    this.directory = directory;
    this.durable = durable;
    // As docs/OPERATING.md has it for large heaps.
    String collector = isLarge(heap) ? "-XX:+UseG1GC" : "-XX:+UseSerialGC";
    for (int id = 0; id < count; id++) {
      Path file = directory.resolve(name(id) + ".yaml");
      Path log = directory.resolve(name(id) + ".log");
      Files.writeString(file, configuration(id, count, snapshotMegabytes));
      replicas.add(
          new LaunchedNode(
              "replica",
              file,
              log,
              LaunchedNode.productClassPath(),
              List.of("-Xms64m", "-Xmx" + heap, collector)));
      admins.add(new AdminClient("127.0.0.1:" + port(id, 2), ASK_MILLIS));
      snapshots.add(new SnapshotNotes(log));
    }
  }

  private String configuration(int id, int count, int snapshotMegabytes) {
    StringBuilder yaml = new StringBuilder("cluster: " + CLUSTER + "\nnode: " + name(id) + "\n");
    yaml.append("replica: none\nmembers: [{id: bench, host: 127.0.0.1, nodePort: 1}]\nreplicas:\n");
    for (int i = 0; i < count; i++) {
      yaml.append(
          String.format(
              Locale.ROOT, "  - {id: %s, host: 127.0.0.1, storePort: %d}%n", name(i), port(i, 0)));
    }
    yaml.append("admin: {port: ").append(port(id, 2)).append("}\n");
    if (durable) {
      yaml.append("store: {directory: data/" + name(id) + ", snapshotMegabytes: ");
      return yaml.append(snapshotMegabytes).append("}\n").toString();
    }
    return yaml.append("state: memory\n").toString();
  }

  /** Whether what -Xmx takes is 2 GB or more. */
  private static boolean isLarge(String heap) {
    Matcher written = Pattern.compile("([0-9]{1,9})([mMgG])").matcher(heap);
    if (!written.matches()) {
      return false;
    }
    int number = Integer.parseInt(written.group(1));
    return written.group(2).equalsIgnoreCase("g") ? number >= 2 : number >= 2048;
  }

  private static String name(int id) {
    return "s" + (id + 1);
  }

  private int port(int id, int offset) {
    return ports.port(1 + PORTS_PER_REPLICA * id + offset);
  }

  int count() {
    return replicas.size();
  }

  /** Where clients connect. */
  List<Member> members() {
    List<Member> members = new ArrayList<>();
    for (int id = 0; id < count(); id++) {
      members.add(new Member(id, "127.0.0.1", port(id, 0)));
    }
    return members;
  }

  void start(int id) throws IOException {
    replicas.get(id).start();
  }

  void startAll() throws IOException {
    for (int id = 0; id < count(); id++) {
      start(id);
    }
  }

  /** As {@code kill -9}. */
  void kill(int id) {
    replicas.get(id).kill();
  }

  /** As {@code kill -TERM}; returns when the process has ended. */
  void stop(int id) {
    replicas.get(id).stop();
  }

  void killAll() {
    replicas.forEach(replica -> replica.process().toHandle().destroyForcibly());
    replicas.forEach(LaunchedNode::kill);
  }

  /** Removes what a replica that does not run has on disk. */
  void wipe(int id) throws IOException {
    Path data = directory.resolve("data").resolve(name(id));
    if (Files.exists(data)) {
      try (Stream<Path> files = Files.walk(data)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Looks which snapshots were made. */
  void noteSnapshots() throws IOException {
    for (SnapshotNotes notes : snapshots) {
      notes.look();
    }
  }

  /** What the longest of a replica's noted snapshots took; 0 where none was. */
  long longestSnapshotMillis(int id) {
    return snapshots.get(id).longestMillis();
  }

  /** How many snapshots of a replica were noted. */
  long snapshots(int id) {
    return snapshots.get(id).count();
  }

  /** What a replica says of itself, or null where it does not answer. */
  @Nullable ReplicaReport report(int id) {
    try {
      NodeReport report = admins.get(id).report();
      return report.replica();
    } catch (IOException silent) {
      return null;
    }
  }

  /** The operational replica that most others take for the leader; -1 where there is none. */
  int leader() {
    int[] votes = new int[count()];
    for (int id = 0; id < count(); id++) {
      ReplicaReport report = replicas.get(id).running() ? report(id) : null;
      if (report != null && report.leader() >= 0 && report.quorum()) {
        votes[report.leader()]++;
      }
    }
    for (int id = 0; id < count(); id++) {
      if (votes[id] > count() / 2) {
        return id;
      }
    }
    return -1;
  }

  /** The highest regency that any replica tells. */
  long regency() {
    long highest = 0;
    for (int id = 0; id < count(); id++) {
      ReplicaReport report = replicas.get(id).running() ? report(id) : null;
      highest = Math.max(highest, report == null ? 0 : report.regency());
    }
    return highest;
  }

  /**
   * Waits until a replica takes part.
   *
   * @return milliseconds from {@code sinceNanos} on
   */
  double awaitOperational(int id, long sinceNanos, long deadlineMillis)
      throws BenchException, InterruptedException {
    while (true) {
      ReplicaReport report = report(id);
      long passed = System.nanoTime() - sinceNanos;
      if (report != null && report.phase().equals("operational") && report.quorum()) {
        return passed / 1e6;
      }
      if (!replicas.get(id).running()) {
        throw new BenchException(
            name(id) + " ended with " + replicas.get(id).process().exitValue() + logs());
      }
      if (passed > TimeUnit.MILLISECONDS.toNanos(deadlineMillis)) {
        throw new BenchException(
            name(id) + " does not take part after " + deadlineMillis + " ms" + logs());
      }
      Thread.sleep(ASK_AGAIN_MILLIS);
    }
  }

  void awaitAllOperational(long deadlineMillis) throws BenchException, InterruptedException {
    long now = System.nanoTime();
    for (int id = 0; id < count(); id++) {
      awaitOperational(id, now, deadlineMillis);
    }
  }

  /** The processes that run. */
  List<ProcessHandle> handles() {
    return replicas.stream()
        .filter(LaunchedNode::running)
        .map(replica -> replica.process().toHandle())
        .toList();
  }

  private String logs() {
    return " (logs: " + directory + ")";
  }

  @Override
  public void close() {
    replicas.forEach(LaunchedNode::close);
    ports.close();
  }
}
