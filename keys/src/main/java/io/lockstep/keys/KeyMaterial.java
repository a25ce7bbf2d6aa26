package io.lockstep.keys;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the files of a process hold at one time, checked against each other. Immutable.
 *
 * @param own whom the process's certificate names
 * @param revoked serial numbers with the time of the revocation
 * @param listNumber the number of the list of revoked certificates; it grows with each list
 */
record KeyMaterial(
    X509Certificate authority,
    X509Certificate certificate,
    PrivateKey privateKey,
    PeerIdentity own,
    Map<BigInteger, Instant> revoked,
    BigInteger listNumber) {

  KeyMaterial {
    revoked = Map.copyOf(revoked);
  }

  /**
   * Checks a peer's certificate: signed by the authority itself, valid now, not revoked, and naming
   * an owner of the same cluster.
   *
   * @param chain as the peer sent it, its own certificate first; what follows does not matter
   */
  PeerIdentity check(X509Certificate @Nullable [] chain, Instant now) throws RefusedPeerException {
    if (chain == null || chain.length == 0) {
      throw new RefusedPeerException(
          LinkRefusal.NO_CERTIFICATE, "it shows no certificate: give it keys of this cluster");
    }
    X509Certificate leaf = chain[0];
    requireSigned(leaf, authority);
    PeerIdentity peer = PeerIdentity.of(leaf);
    if (!peer.cluster().equals(own.cluster())) {
      throw new RefusedPeerException(
          LinkRefusal.FOREIGN,
          "its certificate is of cluster '"
              + peer.cluster()
              + "', this process's of '"
              + own.cluster()
              + "'");
    }
    requireCurrent(peer, now);
    return peer;
  }

  /** Checks what may change while a connection lasts. */
  void requireCurrent(PeerIdentity peer, Instant now) throws RefusedPeerException {
    requireCurrent(peer, now, authority, revoked);
  }

  /** The same for whoever knows the authority, and has no certificate of its own. */
  static void requireCurrent(
      PeerIdentity peer, Instant now, X509Certificate authority, Map<BigInteger, Instant> revoked)
      throws RefusedPeerException {
    Instant revokedAt = revoked.get(peer.serial());
    if (revokedAt != null) {
      throw new RefusedPeerException(
          LinkRefusal.REVOKED,
          "its certificate (" + peer + ") was revoked on " + revokedAt + ": issue it a new one");
    }
    if (now.isAfter(peer.notAfter())) {
      throw new RefusedPeerException(
          LinkRefusal.EXPIRED,
          "its certificate (" + peer + ") expired on " + peer.notAfter() + ": renew it");
    }
    if (now.isBefore(peer.notBefore())) {
      throw new RefusedPeerException(
          LinkRefusal.EXPIRED,
          "its certificate ("
              + peer
              + ") is valid from "
              + peer.notBefore()
              + " on: check the clocks of both machines");
    }
    Instant end = authority.getNotAfter().toInstant();
    if (now.isAfter(end)) {
      throw new RefusedPeerException(
          LinkRefusal.EXPIRED, "the authority's certificate expired on " + end);
    }
  }

  /** Checks that the authority itself has signed a certificate. */
  static void requireSigned(X509Certificate leaf, X509Certificate authority)
      throws RefusedPeerException {
    try {
      if (leaf.getIssuerX500Principal().equals(authority.getSubjectX500Principal())
          && leaf.getBasicConstraints() < 0) {
        leaf.verify(authority.getPublicKey());
        return;
      }
    } catch (GeneralSecurityException e) {
      // The same as another name of the authority: the answer below says it.
    }
    throw new RefusedPeerException(
        LinkRefusal.FOREIGN,
        "its certificate is of another authority: issue it one of this cluster's");
  }
}
