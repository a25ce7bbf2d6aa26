package io.lockstep.bench.replay;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.ChildJvm;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cluster that is replayed against: three replica processes on loopback, or one that runs
 * elsewhere. Its methods block; used by one thread.
 */
public final class ReplayCluster implements AutoCloseable {
  private static final int REPLICAS = 3;

  private final List<ChildJvm> processes = new ArrayList<>();
  private final String addresses;
  private final @Nullable PortBlock ports;
  private final @Nullable Path directory;

  private ReplayCluster(String addresses, @Nullable PortBlock ports, @Nullable Path directory) {
    this.addresses = addresses;
    this.ports = ports;
    this.directory = directory;
  }

  /**
   * A cluster that runs already.
   *
   * @param addresses {@code HOST:PORT,...}
   * @throws BenchException where these are no addresses
   */
  public static ReplayCluster elsewhere(String addresses) throws BenchException {
    return new ReplayCluster(Replicas.text(Replicas.parse(addresses)), null, null);
  }

  /**
   * Starts three replicas.
   *
   * @param parent of the directory of their logs and state; on a disk, if {@code durable}
   */
  public static ReplayCluster start(Path parent, boolean durable) throws IOException {
    Files.createDirectories(parent);
    Path directory = Files.createTempDirectory(parent, "lockstep-replay-");
    PortBlock ports = PortBlock.take();
    List<Member> members = new ArrayList<>();
    for (int id = 0; id < REPLICAS; id++) {
      members.add(new Member(id, "127.0.0.1", ports.port(1 + 2 * id)));
    }
    ReplayCluster cluster = new ReplayCluster(Replicas.text(members), ports, directory);
    try {
      for (int id = 0; id < REPLICAS; id++) {
        cluster.processes.add(cluster.replica(id, directory, durable));
      }
      return cluster;
    } catch (IOException e) {
      cluster.close();
      throw e;
    }
  }

  private ChildJvm replica(int id, Path below, boolean durable) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("--id", String.valueOf(id), "--replicas", addresses, "--with-parent"));
    if (durable) {
      arguments.addAll(List.of("--data", below.resolve("state-" + id).toString()));
    }
    return ChildJvm.start(
        "replica-" + id, below, ChildJvm.NODE_FLAGS, ReplicaCommand.class, arguments);
  }

  /** The processes that it started. */
  List<ProcessHandle> handles() {
    return processes.stream().map(ChildJvm::handle).toList();
  }

  /** {@code HOST:PORT,...}. */
  public String addresses() {
    return addresses;
  }

  /**
   * Why the cluster does not answer: how a process of it ended, with its last words.
   *
   * @return empty where all run, or run elsewhere
   */
  public String obituary() throws IOException {
    for (ChildJvm process : processes) {
      String obituary = process.obituary();
      if (!obituary.isEmpty()) {
        return obituary;
      }
    }
    return "";
  }

  /** Ends the processes and removes what they wrote. */
  @Override
  public void close() throws IOException {
    processes.forEach(ChildJvm::close);
    if (ports != null) {
      ports.close();
    }
    if (directory != null) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }
}
