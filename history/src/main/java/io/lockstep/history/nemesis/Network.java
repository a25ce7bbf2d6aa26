package io.lockstep.history.nemesis;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.util.List;

/**
 * What lies between the replicas, and can fail. Clients are never cut off. Used by one thread, but
 * for {@link #close}.
 */
public interface Network extends AutoCloseable {
  /** As on the command line. */
  String label();

  /** Where clients connect. */
  List<Member> members();

  /** The address of a replica as another one is to know it: {@code HOST:PORT}. */
  String address(int replica, int knownBy);

  /** What goes before the command that runs a replica; may be empty. */
  List<String> before(int replica);

  /** Whether links can be slow. */
  boolean canDelay();

  /** Whether bytes that wait for the end of a fault and lost ones are different things. */
  boolean canHold();

  /**
   * Treats what goes from one replica to another and back, until {@link #heal}.
   *
   * @param mostMillis of a delay
   * @throws IOException where the system refuses that
   */
  void treat(int from, int to, Treatment towards, Treatment back, int mostMillis)
      throws IOException, InterruptedException;

  /** Ends whatever was done by {@link #treat}. */
  void heal() throws IOException, InterruptedException;

  /** Gives up what it holds; any thread. */
  @Override
  void close();
}
