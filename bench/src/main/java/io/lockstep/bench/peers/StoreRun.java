package io.lockstep.bench.peers;

import io.lockstep.bench.compare.Cluster;
import io.lockstep.bench.compare.Measured;
import io.lockstep.bench.process.CpuMeter;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.deploy.launch.PortBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Three servers and the load of one store, in processes of their own and a directory of their own.
 * Its methods block; used by one thread.
 */
final class StoreRun implements AutoCloseable {
  private static final int READY_SECONDS = 120;
  private static final int ANSWER_SECONDS = 180;

  private final PortBlock ports = PortBlock.take();
  private final Path directory;
  private final List<StoreProcess> servers = new ArrayList<>();
  private final List<StoreProcess> all = new ArrayList<>();
  private boolean failed;

  /**
   * Starts them; returns when the servers are ready.
   *
   * @param root of the repository
   * @param parent of the directory
   * @param flags of the virtual machines
   */
  StoreRun(StoreKind kind, Path root, Path parent, boolean durable, List<String> flags)
      throws BenchException, IOException, InterruptedException {
    this(kind, root, parent, durable, flags, false);
  }

  /**
   * Starts them with keys or without.
   *
   * @param keys whether the links use TLS with keys made for this run; our store only
   */
  StoreRun(
      StoreKind kind, Path root, Path parent, boolean durable, List<String> flags, boolean keys)
      throws BenchException, IOException, InterruptedException {
    Files.createDirectories(parent);
    directory = Files.createTempDirectory(parent, "lockstep-compare-" + kind.label() + "-");
    Cluster cluster = new Cluster(durable, directory, ports.port(1));
    try {
      if (keys) {
        StoreKeys.issue(cluster);
      }
      for (int id = 0; id < Cluster.SERVERS; id++) {
        servers.add(
            StoreProcess.start(
                kind.label() + "-" + id, directory, kind.server(root, cluster, id, flags)));
      }
      all.addAll(servers);
      if (kind.isJava()) {
        for (StoreProcess server : servers) {
          server.hear(READY_SECONDS);
        }
      }
      all.add(
          StoreProcess.start(kind.label() + "-load", directory, kind.load(root, cluster, flags)));
    } catch (BenchException | IOException e) {
      failed = true;
      close();
      throw e;
    } catch (InterruptedException e) {
      close();
      throw e;
    }
  }

  /** What a point gave, and the CPU time of all processes in its window. */
  record Outcome(Measured measured, long cpuNanos) {}

  /** Runs one point. */
  Outcome run(String workload, String variant, int flows, int warmupMillis, int windowMillis)
      throws BenchException, InterruptedException {
    StoreProcess load = all.get(all.size() - 1);
    CpuMeter cpu =
        new CpuMeter(all.stream().flatMap(process -> process.measured().stream()).toList());
    load.tell(
        String.join(
            " ",
            workload,
            variant,
            String.valueOf(flows),
            String.valueOf(warmupMillis),
            String.valueOf(windowMillis)));
    long began = 0;
    long ended = 0;
    while (true) {
      String line = hear(load);
      if (line.equals("begin")) {
        began = cpu.read().serverNanos();
      } else if (line.equals("end")) {
        ended = cpu.read().serverNanos();
      } else if (line.startsWith("point ")) {
        return new Outcome(Measured.parse(line.substring("point ".length())), ended - began);
      } else {
        failed = true;
        for (StoreProcess server : servers) {
          server.checkAlive();
        }
        throw new BenchException(line + " (logs: " + directory + ")");
      }
    }
  }

  private String hear(StoreProcess load) throws BenchException, InterruptedException {
    try {
      return load.hear(ANSWER_SECONDS);
    } catch (BenchException e) {
      failed = true;
      throw e;
    }
  }

  /** Ends all processes; the directory stays where a point failed. */
  @Override
  public void close() throws IOException {
    (all.isEmpty() ? servers : all).forEach(StoreProcess::close);
    ports.close();
    if (failed) {
      removeData();
    } else {
      remove(directory);
    }
  }

  /** Leaves the logs. */
  private void removeData() throws IOException {
    try (var entries = Files.list(directory)) {
      for (Path entry : entries.filter(path -> !path.toString().endsWith(".log")).toList()) {
        remove(entry);
      }
    }
  }

  private static void remove(Path top) throws IOException {
    try (var files = Files.walk(top)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
