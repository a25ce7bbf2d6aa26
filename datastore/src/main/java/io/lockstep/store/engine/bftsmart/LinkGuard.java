package io.lockstep.store.engine.bftsmart;

import io.lockstep.keys.LinkFailure;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.LinkRefusal;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.PeerRole;
import io.lockstep.keys.RefusedPeerException;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What stands between the socket of one connection and its messages: TLS where this process has
 * keys, nothing where it has none. Owned by the event loop.
 */
final class LinkGuard {
  private static final long PLAIN_HANDSHAKE_MILLIS = 2_000;
  private static final long INTRODUCTION_MILLIS = 500;

  private final @Nullable LinkKeys keys;
  private final @Nullable SslHandler tls;
  private LinkKeys.@Nullable Watch watch;

  private LinkGuard(@Nullable LinkKeys keys, @Nullable SslHandler tls) {
    this.keys = keys;
    this.tls = tls;
  }

  /** Of an accepted connection. */
  static LinkGuard serve(@Nullable LinkKeys keys, ChannelPipeline pipeline) {
    return new LinkGuard(keys, keys == null ? null : keys.serve(pipeline));
  }

  /** Of a connection that this process dials. */
  static LinkGuard dial(@Nullable LinkKeys keys, ChannelPipeline pipeline) {
    return new LinkGuard(keys, keys == null ? null : keys.dial(pipeline));
  }

  /** Counts a connection that lost its place before it introduced itself. */
  static void displaced(@Nullable LinkKeys keys) {
    if (keys != null) {
      keys.count(LinkRefusal.TOO_SLOW);
    }
  }

  /** Whether messages wait for the end of TLS's handshake. */
  boolean secures() {
    return tls != null;
  }

  /** How long it may take until both ends have introduced themselves. */
  long handshakeMillis() {
    // TLS says why it ended, so its own deadline comes first.
    return tls == null ? PLAIN_HANDSHAKE_MILLIS : LinkKeys.HANDSHAKE_MILLIS + INTRODUCTION_MILLIS;
  }

  /**
   * Who is at the other end, once the handshake is done. From now on the connection ends with the
   * peer's certificate.
   */
  PeerIdentity identify(Channel channel) throws RefusedPeerException {
    if (keys == null || tls == null) {
      throw new IllegalStateException("no keys");
    }
    PeerIdentity peer = keys.peer(tls.engine().getSession());
    watch = keys.watch(peer, () -> LoggedFailures.close(channel));
    return peer;
  }

  /** The connection has ended. */
  void ended() {
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }

  private void count(LinkRefusal refusal) {
    if (keys != null) {
      keys.count(refusal);
    }
  }

  /**
   * Describes a failure of TLS and counts it; null where it is none, or where a connection was
   * accepted that the other end then gave up, as probes of ports do.
   *
   * @param accepted whether this process accepted the connection
   */
  @Nullable String describe(Throwable failure, boolean accepted) {
    Optional<LinkFailure> found = LinkFailure.of(failure);
    if (found.isEmpty() || (accepted && found.get().refusal() == LinkRefusal.ENDED)) {
      return null;
    }
    count(found.get().refusal());
    return found.get().text();
  }

  /** Requires the certificate of a node that has this replica inside. */
  static void requireReplica(PeerIdentity peer, Member member) throws RefusedPeerException {
    requireNode(peer);
    if (!member.name().isEmpty() && !member.name().equals(peer.name())) {
      throw new RefusedPeerException(
          LinkRefusal.WRONG_NAME,
          "its certificate is of "
              + peer
              + ", but it must be of node "
              + member.name()
              + ": check its keys and the members' addresses");
    }
  }

  /** Requires the certificate of a node that has one of the replicas inside. */
  static void requireOneOf(PeerIdentity peer, List<Member> members) throws RefusedPeerException {
    requireNode(peer);
    if (members.stream().noneMatch(member -> member.name().equals(peer.name()))) {
      throw new RefusedPeerException(
          LinkRefusal.WRONG_NAME, "its certificate is of " + peer + ", which has no replica here");
    }
  }

  /** Requires the certificate of whoever may use the store. */
  static void requireClient(PeerIdentity peer) throws RefusedPeerException {
    if (peer.role() != PeerRole.NODE && peer.role() != PeerRole.ADMIN) {
      throw new RefusedPeerException(
          LinkRefusal.WRONG_ROLE,
          "its certificate is of "
              + peer
              + ", but only nodes and those with the role admin use the store");
    }
  }

  private static void requireNode(PeerIdentity peer) throws RefusedPeerException {
    if (peer.role() != PeerRole.NODE) {
      throw new RefusedPeerException(
          LinkRefusal.WRONG_ROLE, "its certificate is of " + peer + ", but it must be of a node");
    }
  }
}
