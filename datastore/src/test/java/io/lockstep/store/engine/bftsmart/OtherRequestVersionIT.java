package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replicas are exchanged one by one for such that read another version of requests. */
@Timeout(600)
class OtherRequestVersionIT {

  @Test
  void newerReplicaStaysApartUntilItsLikeAreTheMajority() throws Exception {
    try (ReplicaCluster cluster = new ReplicaCluster(3, true);
        Load load = new Load(cluster, 100)) {
      cluster.startAll();
      cluster.awaitAllOperational();
      load.run(16).awaitMore(500);

      cluster.kill(2);
      cluster.readingRequestsOf(2).start(2);
      awaitLine(cluster, 2, "it reads requests of version 1, this replica of version 2");
      awaitLine(cluster, 0, "it reads requests of version 2, this replica of version 1");
      load.awaitMore(2_000);
      assertThat(cluster.status(2).operational()).as("the newer one takes part").isFalse();

      cluster.kill(1);
      cluster.start(1);
      load.awaitMore(500);
      cluster.awaitOperational(1, 2);

      cluster.kill(0);
      cluster.start(0);
      cluster.awaitAllOperational();
      load.awaitMore(500);
      load.drain();
      cluster.verify(load.acknowledged());
    }
  }

  private static void awaitLine(ReplicaCluster cluster, int id, String text) {
    Await.until(
        Duration.ofSeconds(30),
        () -> "replica " + id + " does not say: " + text + "; " + cluster.describe(),
        () -> {
          try {
            return cluster.logged(id, text) > 0;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
