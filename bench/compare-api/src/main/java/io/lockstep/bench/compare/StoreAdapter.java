package io.lockstep.bench.compare;

/** One store; found with {@link java.util.ServiceLoader}, alone on its class path. */
public interface StoreAdapter {

  /**
   * Starts one server in this process; returns when it listens.
   *
   * @param id 0 to 2
   * @throws Exception where it cannot start; ends the process
   */
  AutoCloseable serve(Cluster cluster, int id) throws Exception;

  /**
   * A client of the cluster.
   *
   * @throws Exception where it cannot connect; ends the process
   */
  PeerStore connect(Cluster cluster) throws Exception;
}
