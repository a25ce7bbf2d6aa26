package io.lockstep.bench.compare;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * For the tests of adapters: three servers in this process, and some flows of every workload that
 * peers are asked, so that each operation is carried out and its answer looked at.
 */
public final class AdapterCheck {
  private static final int START_SECONDS = 90;
  private static final int FLOWS = 10;
  private static final int FIRST_PORT = 20_000;
  private static final int BLOCK = 32;
  private static final int BLOCKS = 390;
  private static final List<String> WORKLOADS =
      List.of("ls-ucast", "lb-vip", "dm-known", "dm-unknown");

  private AdapterCheck() {}

  /**
   * Runs the check.
   *
   * @param directory of the servers' files
   * @throws Exception where a server does not start, or an answer is not as it should be
   */
  public static void run(StoreAdapter adapter, Path directory) throws Exception {
    List<AutoCloseable> servers = new ArrayList<>();
    ExecutorService starters = Executors.newFixedThreadPool(Cluster.SERVERS);
    try (ServerSocket lock = takePorts()) {
      Cluster cluster = new Cluster(false, directory, lock.getLocalPort() + 1);
      List<Future<AutoCloseable>> starting = new ArrayList<>();
      for (int id = 0; id < Cluster.SERVERS; id++) {
        int server = id;
        starting.add(starters.submit(() -> adapter.serve(cluster, server)));
      }
      for (Future<AutoCloseable> server : starting) {
        servers.add(server.get(START_SECONDS, TimeUnit.SECONDS));
      }
      try (PeerStore store = adapter.connect(cluster)) {
        load(new Load(store));
      }
    } finally {
      starters.shutdownNow();
      for (AutoCloseable server : servers) {
        server.close();
      }
    }
  }

  private static void load(Load load) throws LoadException, InterruptedException {
    for (String workload : WORKLOADS) {
      for (String variant : List.of("init", "micro")) {
        load.walk(workload, variant, FLOWS);
      }
    }
  }

  /**
   * Takes a block of ports as every test here does: its first one is held open and is the lock; all
   * lie below the range of outgoing connections.
   */
  private static ServerSocket takePorts() throws IOException {
    int start = ThreadLocalRandom.current().nextInt(BLOCKS);
    for (int i = 0; i < BLOCKS; i++) {
      ServerSocket lock = bind(FIRST_PORT + (start + i) % BLOCKS * BLOCK);
      if (lock != null) {
        return lock;
      }
    }
    throw new IOException("no free block of ports from " + FIRST_PORT + " on");
  }

  private static @Nullable ServerSocket bind(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return socket;
    } catch (IOException taken) {
      socket.close();
      return null;
    }
  }
}
