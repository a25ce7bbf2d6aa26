package io.lockstep.deploy.admin;

import io.lockstep.keys.PeerIdentity;
import org.eclipse.jetty.io.Connection;
import org.jspecify.annotations.Nullable;

/**
 * One listener of the admin HTTP, as {@link AdminGate} needs it.
 *
 * @param loopback whether only this machine reaches it, so that no request needs a user
 * @param scheme {@code http} or {@code https}, of pages of its own
 * @param names under which it is asked
 * @param connections the bounds of its connections
 * @param peers who is at the other end of each; null without TLS
 */
record Entrance(
    boolean loopback,
    String scheme,
    OwnNames names,
    AdminConnections connections,
    @Nullable TlsPeers peers) {

  /** Whom the certificate of a connection names; null where it showed none. */
  @Nullable PeerIdentity certified(Connection connection) {
    return peers == null ? null : peers.of(connection);
  }

  /** Closes the connections that took longer than they may. */
  void closeLate() {
    connections.closeLate();
    if (peers != null) {
      peers.closeLate();
    }
  }
}
