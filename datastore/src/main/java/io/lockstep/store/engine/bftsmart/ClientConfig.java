package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.util.List;

/**
 * Everything one client needs to know.
 *
 * @param clusterId as in {@link ReplicaConfig}
 * @param members all replicas, as in {@link ReplicaConfig}
 * @param clientId 0 or more, the same each time a process starts and different from those of other
 *     clients; replicas remember a bounded number of them
 * @param window requests outstanding at most, 1 to 2048
 * @param maxRequestBytes bytes in one request, no more than the replicas accept
 * @param retryMillis without enough equal replies before a request is sent again; doubles up to
 *     eightfold
 * @param deadlineMillis after which the outcome of a request is given up as unknown
 */
public record ClientConfig(
    String clusterId,
    List<Member> members,
    int clientId,
    int window,
    int maxRequestBytes,
    int retryMillis,
    int deadlineMillis) {

  /** Largest window: replicas tell a session's last {@value OrderedWindow#SIZE} requests apart. */
  public static final int MAX_WINDOW = OrderedWindow.SIZE / 2;

  /**
   * Bytes in one request, at most, unless configured otherwise: any command within the store's
   * limits fits, a value of 1 MiB or a batch of 1 MiB in 2048 parts, and what its encoding adds.
   */
  public static final int MAX_REQUEST_BYTES = (1 << 20) + (128 << 10);

  public ClientConfig {
    members = List.copyOf(members);
    ReplicaConfig.checkCluster(clusterId, members);
    if (clientId < 0) {
      throw new IllegalArgumentException("client id " + clientId + " is negative");
    }
    if (window < 1 || window > MAX_WINDOW) {
      throw new IllegalArgumentException("window " + window + " is not in 1 to " + MAX_WINDOW);
    }
    if (maxRequestBytes < 1 || retryMillis < 50 || deadlineMillis < retryMillis) {
      throw new IllegalArgumentException("need room, retry >= 50 ms and deadline >= retry");
    }
  }

  /** Window 1024, {@link #MAX_REQUEST_BYTES}, retry after 500 ms, deadline 10 s. */
  public static ClientConfig of(String clusterId, List<Member> members, int clientId) {
    return new ClientConfig(clusterId, members, clientId, 1024, MAX_REQUEST_BYTES, 500, 10_000);
  }

  /** How many equal replies make a request acknowledged: f + 1. */
  int agreement() {
    return (members.size() - 1) / 2 + 1;
  }
}
