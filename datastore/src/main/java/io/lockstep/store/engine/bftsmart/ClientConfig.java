package io.lockstep.store.engine.bftsmart;

import io.lockstep.keys.LinkKeys;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of one client.
 *
 * @param clusterId as in {@link ReplicaConfig}
 * @param members all replicas, as in {@link ReplicaConfig}
 * @param clientId 0 or more; unique among clients and the same after each restart, because replicas
 *     remember a bounded number of clients
 * @param window requests outstanding at most, 1 to 2048
 * @param maxRequestBytes bytes in one request, no more than the replicas accept
 * @param retryMillis how long the client waits for enough equal replies before it sends a request
 *     again; doubles up to eightfold
 * @param deadlineMillis how long the client waits before it reports the outcome as unknown
 * @param keys of this client's process, a node's or those of a person with the role admin; null
 *     where the replicas have none
 */
public record ClientConfig(
    String clusterId,
    List<Member> members,
    int clientId,
    int window,
    int maxRequestBytes,
    int retryMillis,
    int deadlineMillis,
    @Nullable LinkKeys keys) {

  /**
   * Largest window, because replicas track the last {@value OrderedWindow#SIZE} requests of a
   * session.
   */
  public static final int MAX_WINDOW = OrderedWindow.SIZE / 2;

  /**
   * The usual bound on the bytes of one request. Any command within the store's limits fits: a
   * value of 1 MiB, or a batch of 1 MiB in 2048 parts, each with its encoding.
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

  /** A client without keys. */
  public ClientConfig(
      String clusterId,
      List<Member> members,
      int clientId,
      int window,
      int maxRequestBytes,
      int retryMillis,
      int deadlineMillis) {
    this(clusterId, members, clientId, window, maxRequestBytes, retryMillis, deadlineMillis, null);
  }

  /** The same client with keys, or without. */
  public ClientConfig withKeys(@Nullable LinkKeys other) {
    return new ClientConfig(
        clusterId, members, clientId, window, maxRequestBytes, retryMillis, deadlineMillis, other);
  }

  /** The same client with another deadline. */
  public ClientConfig withDeadlineMillis(int millis) {
    return new ClientConfig(
        clusterId, members, clientId, window, maxRequestBytes, retryMillis, millis, keys);
  }

  /**
   * A client with window 1024, {@link #MAX_REQUEST_BYTES}, retry after 500 ms, and deadline 10 s.
   */
  public static ClientConfig of(String clusterId, List<Member> members, int clientId) {
    return new ClientConfig(clusterId, members, clientId, 1024, MAX_REQUEST_BYTES, 500, 10_000);
  }

  /** How many equal replies acknowledge a request: f + 1. */
  int agreement() {
    return (members.size() - 1) / 2 + 1;
  }
}
