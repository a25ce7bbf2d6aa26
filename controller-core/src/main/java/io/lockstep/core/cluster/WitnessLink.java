package io.lockstep.core.cluster;

import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.LinkRefusal;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.PeerRole;
import io.lockstep.keys.RefusedPeerException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A witness connection with TLS over it, where the process has keys. Closing it closes the socket
 * below at once: the other end must not have to wait for the last words of TLS. Reading and writing
 * may be done by two threads.
 */
final class WitnessLink implements AutoCloseable {
  private final @Nullable LinkKeys keys;
  private final Socket below;
  private final Socket above;
  private @Nullable PeerIdentity peer;
  private LinkKeys.@Nullable Watch watch;

  private WitnessLink(@Nullable LinkKeys keys, Socket below, Socket above) {
    this.keys = keys;
    this.below = below;
    this.above = above;
  }

  /**
   * Over a socket that is connected.
   *
   * @param serves whether this process accepted it
   */
  static WitnessLink over(@Nullable LinkKeys keys, Socket socket, boolean serves)
      throws IOException {
    return new WitnessLink(keys, socket, keys == null ? socket : keys.over(socket, serves));
  }

  /**
   * The handshake of TLS, if there is one: whoever is at the other end is a node then.
   *
   * @param silentMillis how long the other end may say nothing
   */
  void secure(int silentMillis) throws IOException, RefusedPeerException {
    if (keys != null && above instanceof SSLSocket tls) {
      tls.setSoTimeout(silentMillis);
      tls.startHandshake();
      PeerIdentity found = keys.peer(tls.getSession());
      if (found.role() != PeerRole.NODE) {
        throw new RefusedPeerException(
            LinkRefusal.WRONG_ROLE,
            "its certificate is of " + found + ", but it must be of a node");
      }
      peer = found;
      watch = keys.watch(found, () -> WitnessServer.closeQuietly(below));
    }
  }

  /** Requires that who is at the other end has the certificate of this node. */
  void requireNode(String nodeId) throws RefusedPeerException {
    if (peer != null && !peer.name().equals(nodeId)) {
      throw new RefusedPeerException(
          LinkRefusal.WRONG_NAME, "its certificate is of " + peer + ", not of node " + nodeId);
    }
  }

  /** What is read from and waited for; has the time-outs. */
  Socket socket() {
    return above;
  }

  OutputStream output() throws IOException {
    return above.getOutputStream();
  }

  /** Counts a refusal. */
  void count(LinkRefusal refusal) {
    if (keys != null) {
      keys.count(refusal);
    }
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
    WitnessServer.closeQuietly(below);
  }
}
