package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three replicas as processes, without faults. */
@Timeout(600)
class ReplicaClusterIT {

  @Test
  void startsOrdersAndStaysEqual() throws Exception {
    try (ReplicaCluster cluster = new ReplicaCluster()) {
      cluster.startAll();
      long startMillis = cluster.awaitAllOperational();
      System.out.println("three replicas operational after " + startMillis + " ms");
      try (Load load = new Load(cluster, 100)) {
        load.run(256).awaitMore(20_000);
        long from = load.count();
        long begin = System.nanoTime();
        load.awaitMore(100_000);
        long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begin);
        System.out.println((load.count() - from) * 1_000_000 / micros + " requests/s");
        load.drain();
        assertThat(load.unknown()).isZero();
        cluster.verify(load.acknowledged());
      }
    }
  }
}
