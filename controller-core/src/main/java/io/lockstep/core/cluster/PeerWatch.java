package io.lockstep.core.cluster;

import io.lockstep.keys.LinkFailure;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.LinkRefusal;
import io.lockstep.keys.RefusedPeerException;
import io.lockstep.store.logging.BoundedLog;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one peer's process through a connection of its own. When the connection breaks and the
 * peer's machine refuses a new one, then the machine is there and the process is not: its session
 * can end at once. Anything else (silence, no route) may be the network and is left to the lease.
 *
 * <p>The session is the one that this very process told on the connection that broke; a process
 * that was started anew has another, so a late witness does it no harm.
 */
final class PeerWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PeerWatch.class);
  private static final BoundedLog boundedLog = BoundedLog.of(PeerWatch.class);
  private static final BoundedLog strangers = BoundedLog.seldom(PeerWatch.class);
  private static final int CONNECT_MILLIS = 1_000;
  private static final long RETRY_MILLIS = 500;

  /** A dying process may still listen for a moment: ask again quickly for so long. */
  private static final long SUSPECT_MILLIS = 2_000;

  private static final long SUSPECT_RETRY_MILLIS = 10;
  private static final long TURNED_AWAY_RETRY_MILLIS = 5_000;

  /** Long enough to notice {@link #close}; a connection may be silent for ever. */
  private static final long QUIET_MILLIS = 3_600_000;

  /** Learns, on the watching thread, that a peer's process has died. */
  @FunctionalInterface
  interface DeathListener {
    void died(String node, long sessionId);
  }

  private final NodeConfig config;
  private final Member peer;
  private final UnaryOperator<Member> present;
  private final LongSupplier ownSession;
  private final DeathListener deathListener;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Socket connection;
  private volatile boolean inTouch;

  /** The session that the peer told on the present or last connection; watching thread. */
  private long peerSession;

  private enum Ending {
    /** A connection on which the peer had said hello. */
    BROKEN,
    /** The peer's machine says that nobody listens. */
    REFUSED,
    /** Not reached, or no hello. */
    NOT_REACHED,
    /** It is another node or another cluster. */
    STRANGER
  }

  /**
   * @param present where the peer is now, if its machine was replaced
   */
  PeerWatch(
      NodeConfig config,
      Member peer,
      UnaryOperator<Member> present,
      LongSupplier ownSession,
      DeathListener deathListener) {
    this.config = config;
    this.peer = peer;
    this.present = present;
    this.ownSession = ownSession;
    this.deathListener = deathListener;
  }

  void start() {
    WitnessServer.daemon("witness-" + config.nodeId() + "-" + peer.nodeId(), this::run);
  }

  @Override
  public void close() {
    closed.countDown();
    Socket socket = connection;
    if (socket != null) {
      WitnessServer.closeQuietly(socket);
    }
  }

  /** Whether the connection is open and the peer said who it is. Any thread. */
  boolean inTouch() {
    return inTouch;
  }

  String peer() {
    return peer.nodeId();
  }

  private void run() {
    long suspect = 0;
    long suspectUntilNanos = 0;
    while (!isClosed()) {
      Ending ending = hold();
      boolean suspected = suspect != 0 && System.nanoTime() - suspectUntilNanos < 0;
      if (ending == Ending.BROKEN) {
        suspect = peerSession;
        suspectUntilNanos = WitnessServer.fromNow(SUSPECT_MILLIS);
      } else if (ending == Ending.REFUSED && suspected && !isClosed()) {
        boundedLog.warn(
            peer.nodeId(),
            "{}: the process of {} (session {}) is gone: its connection broke and its port is"
                + " closed",
            config.nodeId(),
            peer.nodeId(),
            suspect);
        deathListener.died(peer.nodeId(), suspect);
        suspect = 0;
        pause(RETRY_MILLIS);
      } else if (suspected) {
        pause(SUSPECT_RETRY_MILLIS);
      } else {
        suspect = 0;
        pause(ending == Ending.STRANGER ? TURNED_AWAY_RETRY_MILLIS : RETRY_MILLIS);
      }
    }
  }

  /** Connects and stays connected for as long as it lasts. */
  private Ending hold() {
    boolean greeted = false;
    try (Socket socket = new Socket()) {
      connection = socket;
      if (isClosed()) {
        return Ending.NOT_REACHED;
      }
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      Member now = present.apply(peer);
      socket.connect(new InetSocketAddress(now.host(), now.witnessPort()), CONNECT_MILLIS);
      try (WitnessLink link = WitnessLink.over(config.keys(), socket, false)) {
        link.secure((int) WitnessServer.HANDSHAKE_MILLIS);
        link.requireNode(peer.nodeId());
        link.output().write(hello().encode());
        WitnessLines lines = new WitnessLines(link.socket());
        WitnessHello hello = lines.next(WitnessServer.fromNow(WitnessServer.HANDSHAKE_MILLIS));
        while (isPeer(hello)) {
          greeted = true;
          inTouch = true;
          peerSession = hello.sessionId();
          hello = lines.next(WitnessServer.fromNow(QUIET_MILLIS));
        }
      }
      return Ending.STRANGER;
    } catch (ConnectException e) {
      return refused(e) ? Ending.REFUSED : Ending.NOT_REACHED;
    } catch (IOException | RefusedPeerException e) {
      log.debug("{}: connection to {} ended", config.nodeId(), peer.nodeId(), e);
      if (greeted) {
        return Ending.BROKEN;
      }
      return misfits(e) ? Ending.STRANGER : Ending.NOT_REACHED;
    } finally {
      connection = null;
      inTouch = false;
    }
  }

  private WitnessHello hello() {
    return new WitnessHello(config.clusterId(), config.nodeId(), ownSession.getAsLong());
  }

  /**
   * Logs why the two ends do not understand each other. Returns whether that lasts until a person
   * changes something; an end in the middle of a handshake may also be that of the process.
   */
  private boolean misfits(Exception failure) {
    LinkFailure why =
        failure instanceof ProtocolException
            ? new LinkFailure(LinkRefusal.NO_TLS, String.valueOf(failure.getMessage()))
            : LinkFailure.of(failure).orElse(null);
    if (why == null) {
      return false;
    }
    LinkKeys keys = config.keys();
    if (keys != null) {
      keys.count(why.refusal());
    }
    strangers.warn(
        peer.nodeId() + why.text(),
        "{}: cannot watch node {} at {}:{}: {}",
        config.nodeId(),
        peer.nodeId(),
        present.apply(peer).host(),
        present.apply(peer).witnessPort(),
        why.text());
    return why.refusal() != LinkRefusal.ENDED;
  }

  private boolean isPeer(WitnessHello hello) {
    if (hello.clusterId().equals(config.clusterId()) && hello.nodeId().equals(peer.nodeId())) {
      return true;
    }
    strangers.error(
        peer.nodeId(),
        "{}: expected node {} of cluster '{}' at {}:{}, found node {} of cluster '{}': check name,"
            + " address and port; this is logged once in {} minutes",
        config.nodeId(),
        peer.nodeId(),
        config.clusterId(),
        present.apply(peer).host(),
        present.apply(peer).witnessPort(),
        hello.nodeId(),
        hello.clusterId(),
        BoundedLog.SELDOM_SECONDS / 60);
    return false;
  }

  /** A time-out of the kernel comes as the same exception. */
  private static boolean refused(ConnectException e) {
    String message = e.getMessage();
    return message != null && message.contains("refused");
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void pause(long millis) {
    try {
      closed.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // Nobody interrupts this thread to stop it; close() does that.
      Thread.interrupted();
    }
  }
}
