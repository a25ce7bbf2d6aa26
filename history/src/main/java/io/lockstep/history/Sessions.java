package io.lockstep.history;

import io.lockstep.history.nemesis.Cluster;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.OrderingClient;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Store clients of a run, each with a session and connections of its own. Used by one thread. */
final class Sessions implements AutoCloseable {
  private static final int RETRY_MILLIS = 500;
  private static final int CLOSE_SECONDS = 20;

  /** What a session usually lives without a sign of life. */
  static final int TIME_TO_LIVE_MILLIS = 10_000;

  private final Cluster cluster;
  private final List<BatchingStoreClient> open = new ArrayList<>();

  Sessions(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Opens one more.
   *
   * @param deadlineMillis after which it gives an operation up
   */
  BatchingStoreClient open(String owner, int deadlineMillis) {
    return open(owner, deadlineMillis, TIME_TO_LIVE_MILLIS, UnaryOperator.identity());
  }

  /**
   * Opens one more.
   *
   * @param deadlineMillis after which it gives an operation up
   * @param timeToLiveMillis of its session
   * @param way what lies between the client and the network
   */
  BatchingStoreClient open(
      String owner, int deadlineMillis, int timeToLiveMillis, UnaryOperator<OrderingClient> way) {
    ClientConfig usual = ClientConfig.of(cluster.name(), cluster.members(), open.size());
    ClientConfig config =
        new ClientConfig(
            usual.clusterId(),
            usual.members(),
            usual.clientId(),
            usual.window(),
            usual.maxRequestBytes(),
            RETRY_MILLIS,
            deadlineMillis);
    BatchingStoreClient client =
        BatchingStoreClient.open(
            way.apply(BftSmartClient.connect(config)),
            ClientOptions.of(owner).withTimeToLiveMillis(timeToLiveMillis),
            System::nanoTime,
            new SecureRandom()::nextLong);
    open.add(client);
    return client;
  }

  /** Closes all at once: a client whose replicas do not answer takes a second. */
  @Override
  public void close() throws InterruptedException {
    ExecutorService closers = Executors.newCachedThreadPool();
    open.forEach(client -> closers.execute(client::close));
    closers.shutdown();
    closers.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
  }
}
