package io.lockstep.bench.jraft;

import io.lockstep.bench.compare.Cluster;
import io.lockstep.bench.compare.PeerStore;
import io.lockstep.bench.compare.StoreAdapter;

/**
 * SOFA-JRaft as a store under load. Its client speaks the store's own RPC (bolt) or frames on
 * netty, which cost less: the system property {@value #RPC} is {@code bolt} or {@code frames}.
 */
public final class JraftAdapter implements StoreAdapter {
  static final String RPC = "lockstep.compare.jraft-rpc";
  private static final String FRAMES = "frames";

  @Override
  public AutoCloseable serve(Cluster cluster, int id) throws Exception {
    return RaftServer.start(cluster, id);
  }

  @Override
  public PeerStore connect(Cluster cluster) throws InterruptedException {
    return FRAMES.equals(System.getProperty(RPC))
        ? LeaderClient.connect(cluster)
        : new BoltClient(cluster);
  }
}
