package io.lockstep.bench.etcd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockstep.bench.compare.AdapterCheck;
import io.lockstep.bench.compare.Cluster;
import io.lockstep.bench.compare.PeerStore;
import io.lockstep.bench.compare.StoreAdapter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three processes of etcd, and every operation. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class EtcdAdapterIT {
  private static final Path ETCD = Path.of("/usr/bin/etcd");

  @TempDir Path directory;

  @Test
  void everyWorkloadRuns() throws Exception {
    assumeTrue(
        Files.isExecutable(ETCD),
        "there is no etcd: as root, ./lockstep test --install gets all that is needed");
    AdapterCheck.run(new WithServers(), directory);
  }

  private static final class WithServers implements StoreAdapter {
    private final EtcdAdapter adapter = new EtcdAdapter();

    @Override
    public AutoCloseable serve(Cluster cluster, int id) throws IOException {
      String members =
          IntStream.range(0, Cluster.SERVERS)
              .mapToObj(member -> "server-" + member + "=" + url(cluster.port(member, 1)))
              .collect(Collectors.joining(","));
      Process server =
          new ProcessBuilder(
                  List.of(
                      ETCD.toString(),
                      "--name=server-" + id,
                      "--data-dir=" + cluster.directory(id),
                      "--listen-client-urls=" + url(cluster.port(id, 0)),
                      "--advertise-client-urls=" + url(cluster.port(id, 0)),
                      "--listen-peer-urls=" + url(cluster.port(id, 1)),
                      "--initial-advertise-peer-urls=" + url(cluster.port(id, 1)),
                      "--initial-cluster=" + members,
                      "--log-level=error"))
              .inheritIO()
              .start();
      return () -> server.destroyForcibly().waitFor();
    }

    @Override
    public PeerStore connect(Cluster cluster) {
      return adapter.connect(cluster);
    }

    private static String url(int port) {
      return "http://" + Cluster.HOST + ":" + port;
    }
  }
}
