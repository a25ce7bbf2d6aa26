package io.lockstep.core.cluster;

import io.lockstep.keys.HalfOpen;
import io.lockstep.keys.LinkFailure;
import io.lockstep.keys.LinkRefusal;
import io.lockstep.keys.RefusedPeerException;
import io.lockstep.store.logging.BoundedLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of witness connections that peers hold: as long as this process lives, its kernel keeps
 * them open and the port listening. One thread accepts; each connection has one that reads; one
 * says a new session to all ({@link ToldPeers}). Whoever does not say a proper hello of this
 * cluster in time is turned away.
 */
final class WitnessServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WitnessServer.class);
  private static final BoundedLog boundedLog = BoundedLog.of(WitnessServer.class);
  private static final BoundedLog refusals = BoundedLog.seldom(WitnessServer.class);
  private static final BoundedLog otherClusters = BoundedLog.seldom(WitnessServer.class);

  /** Connections of peers at a time; a further one is closed. */
  static final int MAX_CONNECTIONS = 64;

  /** Connections at a time that have not said hello; a further one takes the place of another. */
  static final int MAX_STRANGERS = 32;

  /** How long a hello may take. */
  static final long HANDSHAKE_MILLIS = 3_000;

  /** How long a peer may be silent after its hello. */
  private static final long QUIET_MILLIS = 3_600_000;

  /** Where it is full, a peer dials again a second later only, for the kernel drops its packet. */
  private static final int BACKLOG = 1024;

  /**
   * Between handshakes of TLS, each of which takes milliseconds of a processor: whoever reaches the
   * port can ask for them without end, and the node has other work.
   */
  private static final long HANDSHAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** So many begin at once after a rest. */
  private static final int AT_ONCE = 8;

  private final NodeConfig config;
  private final ToldPeers peers;
  private volatile @Nullable ServerSocket listening;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final HalfOpen<Socket> strangers = new HalfOpen<>(MAX_STRANGERS);
  private volatile boolean closed;

  /** When all handshakes that began would have had their time. Guarded by {@link #strangers}. */
  private long paidUntilNanos = System.nanoTime();

  /**
   * @param ownSession the session to tell peers; any thread
   */
  WitnessServer(NodeConfig config, LongSupplier ownSession) {
    this.config = config;
    this.peers = new ToldPeers(config, ownSession);
  }

  /** The session may have changed. Any thread; does not wait. */
  void sessionChanged() {
    peers.sessionChanged();
  }

  /** Binds the port and begins to accept. */
  void start() throws IOException {
    Member self = config.self();
    InetAddress address = InetAddress.getByName(self.host());
    boolean local = NetworkInterface.getByInetAddress(address) != null;
    ServerSocket socket = new ServerSocket();
    try {
      // An address that is translated on the way is not one of this machine.
      socket.bind(
          local
              ? new InetSocketAddress(address, self.witnessPort())
              : new InetSocketAddress(self.witnessPort()),
          BACKLOG);
    } catch (IOException e) {
      closeQuietly(socket);
      throw new IOException(
          "cannot listen for peers on "
              + self.host()
              + ":"
              + self.witnessPort()
              + ": "
              + e.getMessage(),
          e);
    }
    listening = socket;
    peers.start();
    daemon("witness-accept-" + config.nodeId(), () -> accept(socket));
  }

  @Override
  public void close() {
    closed = true;
    peers.close();
    ServerSocket accepting = listening;
    if (accepting != null) {
      closeQuietly(accepting);
    }
    open.forEach(WitnessServer::closeQuietly);
  }

  static void daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  static void closeQuietly(java.io.Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      log.debug("closing {}", socket, e);
    }
  }

  private void accept(ServerSocket accepting) {
    while (!closed) {
      Socket socket;
      try {
        socket = accepting.accept();
      } catch (IOException e) {
        if (!closed) {
          boundedLog.warn(
              "accept",
              "{}: cannot accept a witness connection: {}",
              config.nodeId(),
              e.getMessage());
          pause();
        }
        continue;
      }
      Socket displaced = strangers.enter(socket, socket.getInetAddress().getHostAddress());
      if (displaced != null) {
        turnedAway(displaced, "too many connections without a hello", "");
        // Its thread may be late; until then it is no peer, either.
        open.remove(displaced);
        closeQuietly(displaced);
      }
      open.add(socket);
      if (closed) {
        closeQuietly(socket);
      }
      daemon("witness-serve-" + config.nodeId(), () -> serve(socket));
    }
  }

  /** For example no file descriptor is left: ask again, but not as fast as the processor can. */
  private static void pause() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
  }

  private void serve(Socket socket) {
    try (socket;
        WitnessLink link = WitnessLink.over(config.keys(), socket, true)) {
      socket.setTcpNoDelay(true);
      closeUnlessKnown(socket);
      try {
        if (!greeted(link, socket)) {
          return;
        }
        awaitEnd(link);
      } catch (RefusedPeerException e) {
        refused(link, socket, new LinkFailure(e.refusal(), String.valueOf(e.getMessage())));
      } catch (SSLException e) {
        LinkFailure.of(e)
            .filter(why -> why.refusal() != LinkRefusal.ENDED)
            .ifPresent(why -> refused(link, socket, why));
      } finally {
        peers.left(link);
      }
    } catch (java.net.ProtocolException | SocketTimeoutException e) {
      turnedAway(socket, "no hello of a peer: ", String.valueOf(e.getMessage()));
    } catch (IOException e) {
      log.debug("witness connection of {} ended", socket.getRemoteSocketAddress(), e);
    } finally {
      leave(socket);
    }
  }

  /** However slowly bytes come. */
  private void closeUnlessKnown(Socket socket) {
    CompletableFuture.delayedExecutor(HANDSHAKE_MILLIS, TimeUnit.MILLISECONDS)
        .execute(
            () -> {
              if (strangers.leave(socket)) {
                closeQuietly(socket);
              }
            });
  }

  private void leave(Socket socket) {
    // It may have become known, or lost its place.
    var unused = strangers.leave(socket);
    open.remove(socket);
  }

  private boolean greeted(WitnessLink link, Socket socket)
      throws IOException, RefusedPeerException {
    awaitTurn(socket);
    link.secure((int) HANDSHAKE_MILLIS);
    WitnessHello peer = new WitnessLines(link.socket()).next(fromNow(HANDSHAKE_MILLIS));
    if (!peer.clusterId().equals(config.clusterId())) {
      otherCluster(socket, peer);
      return false;
    }
    link.requireNode(peer.nodeId());
    if (!strangers.leave(socket)) {
      return false;
    }
    if (open.size() - strangers.size() > MAX_CONNECTIONS) {
      turnedAway(socket, "too many connections", "");
      return false;
    }
    peers.greeted(link);
    return true;
  }

  /**
   * Without an order: those that wait are few, and one that loses its place must not hold others.
   */
  private void awaitTurn(Socket socket) throws IOException {
    while (config.keys() != null && !mayBegin()) {
      if (socket.isClosed()) {
        throw new IOException("closed before its turn");
      }
      LockSupport.parkNanos(HANDSHAKE_NANOS / 2);
    }
  }

  private boolean mayBegin() {
    synchronized (strangers) {
      long now = System.nanoTime();
      if (paidUntilNanos - now > (AT_ONCE - 1) * HANDSHAKE_NANOS) {
        return false;
      }
      paidUntilNanos = (paidUntilNanos - now > 0 ? paidUntilNanos : now) + HANDSHAKE_NANOS;
      return true;
    }
  }

  private void awaitEnd(WitnessLink link) throws IOException {
    WitnessLines lines = new WitnessLines(link.socket());
    while (!closed) {
      try {
        lines.next(fromNow(QUIET_MILLIS));
      } catch (SocketTimeoutException quiet) {
        log.debug("witness connection of {} is silent", link.socket().getRemoteSocketAddress());
      }
    }
  }

  private void refused(WitnessLink link, Socket socket, LinkFailure why) {
    link.count(why.refusal());
    refusals.warn(
        socket.getInetAddress() + why.text(),
        "{}: turned away {}: {}",
        config.nodeId(),
        socket.getRemoteSocketAddress(),
        why.text());
  }

  static long fromNow(long millis) {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** It dials again and again until a person corrects a file: one line, then a count. */
  private void otherCluster(Socket socket, WitnessHello peer) {
    otherClusters.warn(
        socket.getInetAddress(),
        "{}: turned away {}: node {} there belongs to cluster '{}', this node to '{}': check the"
            + " name of the cluster; this is logged once in {} minutes",
        config.nodeId(),
        socket.getInetAddress(),
        peer.nodeId(),
        peer.clusterId(),
        config.clusterId(),
        BoundedLog.SELDOM_SECONDS / 60);
  }

  private void turnedAway(Socket socket, String why, String detail) {
    boundedLog.warn(
        socket.getInetAddress() + why,
        "{}: turned away {}: {}{}",
        config.nodeId(),
        socket.getRemoteSocketAddress(),
        why,
        detail);
  }
}
