package io.lockstep.bench.etcd;

import io.lockstep.bench.compare.Cluster;
import io.lockstep.bench.compare.PeerStore;
import io.lockstep.bench.compare.StoreAdapter;

/** etcd as a store under load. Each server's port for clients is its first. */
public final class EtcdAdapter implements StoreAdapter {

  @Override
  public AutoCloseable serve(Cluster cluster, int id) {
    throw new UnsupportedOperationException("etcd's servers are processes of their own");
  }

  @Override
  public PeerStore connect(Cluster cluster) {
    return EtcdStore.connect(cluster);
  }
}
