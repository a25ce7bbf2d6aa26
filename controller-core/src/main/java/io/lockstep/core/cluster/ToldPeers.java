package io.lockstep.core.cluster;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The peers that hold a witness connection and know this process's session. When the session
 * changes, one thread says it to all of them: the threads of the connections only read, so a
 * process at rest wakes none of them. Thread-safe.
 */
final class ToldPeers {
  /**
   * Sessions said on one connection. They fit into the buffers of its socket, so a peer that does
   * not read holds up no other; the connection ends then, and a living peer dials again.
   */
  static final int MAX_LINES = 64;

  private final NodeConfig config;
  private final LongSupplier ownSession;
  private final Set<Told> peers = ConcurrentHashMap.newKeySet();

  /** Guarded by this. */
  private boolean changed;

  /** Guarded by this. */
  private boolean closed;

  /**
   * @param ownSession the session to say; any thread
   */
  ToldPeers(NodeConfig config, LongSupplier ownSession) {
    this.config = config;
    this.ownSession = ownSession;
  }

  /** Starts the thread. */
  void start() {
    WitnessServer.daemon("witness-announce-" + config.nodeId(), this::announce);
  }

  /** The session may have changed. Does not wait. */
  synchronized void sessionChanged() {
    changed = true;
    notifyAll();
  }

  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Says the session to a peer that has greeted, and every later one until it {@link #left}. */
  void greeted(WitnessLink link) throws IOException {
    Told told = new Told(link);
    peers.add(told);
    told.say(true);
  }

  /** A connection has ended. */
  void left(WitnessLink link) {
    peers.removeIf(told -> told.link == link);
  }

  private void announce() {
    while (awaitChange()) {
      for (Told told : peers) {
        try {
          told.say(false);
        } catch (IOException e) {
          // Its own thread finds the same and ends the connection.
          told.link.close();
        }
      }
    }
  }

  /** Waits for a new session; false once closed. */
  private synchronized boolean awaitChange() {
    while (!changed && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        // An interrupt does not stop this thread; close() does.
        Thread.interrupted();
      }
    }
    changed = false;
    return !closed;
  }

  private final class Told {
    private final WitnessLink link;

    /** Guarded by this, as the count. */
    private long session;

    private int lines;

    Told(WitnessLink link) {
      this.link = link;
    }

    /**
     * Says the session, unless the peer knows it.
     *
     * @param first whether the peer knows none
     */
    synchronized void say(boolean first) throws IOException {
      long now = ownSession.getAsLong();
      if (!first && now == session) {
        return;
      }
      if (lines == MAX_LINES) {
        throw new IOException(MAX_LINES + " sessions were said on one connection");
      }
      lines++;
      session = now;
      byte[] line = new WitnessHello(config.clusterId(), config.nodeId(), now).encode();
      link.output().write(line);
    }
  }
}
