package io.lockstep.bench.history;

import io.lockstep.bench.history.nemesis.Cluster;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** Store clients of a run, each with a session and connections of its own. Used by one thread. */
final class Sessions implements AutoCloseable {
  private static final int RETRY_MILLIS = 500;
  private static final int TIME_TO_LIVE_MILLIS = 10_000;

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
            BftSmartClient.connect(config),
            ClientOptions.of(owner).withTimeToLiveMillis(TIME_TO_LIVE_MILLIS),
            System::nanoTime,
            new SecureRandom()::nextLong);
    open.add(client);
    return client;
  }

  @Override
  public void close() {
    open.forEach(BatchingStoreClient::close);
  }
}
