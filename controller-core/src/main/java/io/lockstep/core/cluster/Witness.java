package io.lockstep.core.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * Tells a dead process from a silent one: every node holds one TCP connection to each peer. When a
 * process ends, however it ends, its kernel resets its connections and closes its port at once,
 * long before its lease runs out; those who see both end its session through an ordered operation.
 *
 * <p>A wrong witness (something on the way that resets and refuses connections) costs a living node
 * its session, never safety: what it still does is fenced at the switches and in the store.
 */
public final class Witness implements AutoCloseable {
  private final WitnessServer server;
  private final List<PeerWatch> watches = new ArrayList<>();
  private final boolean listens;

  /**
   * A witness that does not run yet.
   *
   * @param ownSession this node's session; any thread
   * @param membership ends the sessions of dead processes
   */
  public Witness(NodeConfig config, LongSupplier ownSession, Membership membership) {
    this(config, ownSession, membership::processGone, peer -> membership.present(config, peer));
  }

  Witness(NodeConfig config, LongSupplier ownSession, PeerWatch.DeathListener deathListener) {
    this(config, ownSession, deathListener, peer -> peer);
  }

  private Witness(
      NodeConfig config,
      LongSupplier ownSession,
      PeerWatch.DeathListener deathListener,
      UnaryOperator<Member> present) {
    server = new WitnessServer(config, ownSession);
    listens = config.self().witnessPort() != 0;
    for (Member member : config.members()) {
      if (!member.nodeId().equals(config.nodeId()) && member.witnessPort() != 0) {
        watches.add(new PeerWatch(config, member, present, ownSession, deathListener));
      }
    }
  }

  /**
   * Listens on the member's witness port (not at all where that is 0) and connects to the peers.
   *
   * @throws IOException where the port cannot be bound; names it
   */
  public void start() throws IOException {
    if (listens) {
      server.start();
    }
    watches.forEach(PeerWatch::start);
  }

  /** This node's session may have changed: tells the peers. Any thread; does not wait. */
  public void sessionChanged() {
    server.sessionChanged();
  }

  /** The peers whose processes are watched over an open connection now. Thread-safe. */
  public Set<String> inTouch() {
    Set<String> peers = new TreeSet<>();
    for (PeerWatch watch : watches) {
      if (watch.inTouch()) {
        peers.add(watch.peer());
      }
    }
    return peers;
  }

  /** Closes all connections and the port: to the peers this process is gone. */
  @Override
  public void close() {
    watches.forEach(PeerWatch::close);
    server.close();
  }
}
