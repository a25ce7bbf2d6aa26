package io.lockstep.deploy.admin;

import io.lockstep.keys.HalfOpen;
import io.lockstep.keys.LinkFailure;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.LinkRefusal;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.RefusedPeerException;
import io.lockstep.store.logging.LogLimit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslConnection.SslEndPoint;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is at the other end of the admin HTTP's connections of TLS. A connection in its handshake has
 * a place among {@link #MAX_HALF_OPEN} and {@link LinkKeys#HANDSHAKE_MILLIS}, and takes nothing of
 * what complete ones have: {@link AdminConnections} hears of it when the handshake is done. What is
 * refused is counted by its reason, and logged once for each machine and reason in a minute.
 *
 * <p>Thread-safe.
 */
final class TlsPeers implements Connection.Listener, SslHandshakeListener {
  /** Connections in their handshake at a time. */
  static final int MAX_HALF_OPEN = 64;

  private static final Logger log = LoggerFactory.getLogger(TlsPeers.class);

  private final LinkKeys keys;
  private final AdminConnections connections;
  private final LongSupplier nanoTime;
  private final LogLimit logLimit;
  private final HalfOpen<SslConnection> halfOpen = new HalfOpen<>(MAX_HALF_OPEN);
  private final Map<SslConnection, Long> sinceNanos = new ConcurrentHashMap<>();
  private final Map<SslConnection, Certified> certified = new ConcurrentHashMap<>();

  private record Certified(PeerIdentity peer, LinkKeys.Watch watch) {}

  /**
   * No connections yet.
   *
   * @param connections of the same listener
   * @param nanoTime a monotone clock; any thread
   * @param logLimit one line in a minute
   */
  TlsPeers(LinkKeys keys, AdminConnections connections, LongSupplier nanoTime, LogLimit logLimit) {
    this.keys = keys;
    this.connections = connections;
    this.nanoTime = nanoTime;
    this.logLimit = logLimit;
  }

  /** Whom the certificate of a connection of HTTP names; null where it showed none. */
  @Nullable PeerIdentity of(Connection connection) {
    if (connection.getEndPoint() instanceof SslEndPoint inner) {
      Certified known = certified.get(inner.getSslConnection());
      return known == null ? null : known.peer();
    }
    return null;
  }

  @Override
  public void onOpened(Connection connection) {
    // The one of HTTP within opens at the same time. It counts when the handshake is done.
    if (connection instanceof SslConnection opened) {
      sinceNanos.put(opened, nanoTime.getAsLong());
      SslConnection lost = halfOpen.enter(opened, machine(opened));
      if (lost != null) {
        endHandshake(lost, "others needed its place during the handshake of TLS");
      }
    }
  }

  @Override
  public void onClosed(Connection connection) {
    if (connection instanceof SslConnection closed) {
      sinceNanos.remove(closed);
      halfOpen.leave(closed);
      Certified known = certified.remove(closed);
      if (known != null) {
        known.watch().close();
      }
    } else {
      connections.onClosed(connection);
    }
  }

  /** Jetty reports the inner end. */
  private static SslConnection connection(Event event) {
    if (event.getEndPoint() instanceof SslEndPoint inner) {
      return inner.getSslConnection();
    }
    throw new IllegalStateException("a handshake at " + event.getEndPoint());
  }

  @Override
  public void handshakeSucceeded(Event event) throws SSLException {
    SslConnection done = connection(event);
    sinceNanos.remove(done);
    if (!halfOpen.leave(done)) {
      return; // It lost its place, or has ended.
    }
    SSLSession session = event.getSSLEngine().getSession();
    try {
      PeerIdentity peer = keys.peer(session);
      certified.put(done, new Certified(peer, keys.watch(peer, () -> done.getEndPoint().close())));
    } catch (RefusedPeerException e) {
      if (e.refusal() != LinkRefusal.NO_CERTIFICATE) {
        refused(done, e.refusal(), String.valueOf(e.getMessage()));
        throw (SSLException) new SSLHandshakeException(e.getMessage()).initCause(e);
      }
      // A token will say who it is.
    }
    Connection http = done.getSslEndPoint().getConnection();
    connections.onOpened(http);
    if (!done.getEndPoint().isOpen()) {
      // It ended meanwhile, so nobody else removes it.
      onClosed(done);
      onClosed(http);
    }
  }

  @Override
  public void handshakeFailed(Event event, Throwable failure) {
    SslConnection failed = connection(event);
    if (halfOpen.leave(failed)) {
      LinkFailure why =
          LinkFailure.of(failure)
              .orElseGet(
                  () ->
                      new LinkFailure(
                          LinkRefusal.ENDED, "it ends the connection during its handshake"));
      refused(failed, why.refusal(), why.text());
    }
  }

  /** Closes the connections whose handshake takes too long. */
  void closeLate() {
    long now = nanoTime.getAsLong();
    sinceNanos.forEach(
        (connection, since) -> {
          if (now - since >= TimeUnit.MILLISECONDS.toNanos(LinkKeys.HANDSHAKE_MILLIS)
              && halfOpen.leave(connection)) {
            endHandshake(connection, "it does not end its handshake of TLS in time");
          }
        });
  }

  private void endHandshake(SslConnection connection, String why) {
    sinceNanos.remove(connection);
    refused(connection, LinkRefusal.TOO_SLOW, why);
    connection.getEndPoint().close(new TimeoutException(why));
  }

  private void refused(SslConnection connection, LinkRefusal reason, String why) {
    keys.count(reason);
    String machine = machine(connection);
    String more = logLimit.admit(machine + " " + reason.word());
    if (more != null) {
      log.warn("admin HTTP: a connection of {} was refused: {}{}", machine, why, more);
    }
  }

  private static String machine(SslConnection connection) {
    return AdminConnections.machine(connection.getEndPoint());
  }
}
