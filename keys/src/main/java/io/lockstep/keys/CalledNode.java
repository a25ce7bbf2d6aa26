package io.lockstep.keys;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the certificate of the node that a caller asks, and no other: signed by the authority
 * that the caller knows, valid now, of a node, and with the name that the caller wrote. Immutable.
 */
final class CalledNode extends X509ExtendedTrustManager {
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private final X509Certificate authority;
  private final Map<BigInteger, Instant> revoked;
  private final String host;
  private final @Nullable String node;
  private final InstantSource clock;

  /**
   * @param host as the caller wrote it, without brackets
   * @param node null where the caller named none
   */
  CalledNode(
      X509Certificate authority,
      Map<BigInteger, Instant> revoked,
      String host,
      @Nullable String node,
      InstantSource clock) {
    this.authority = authority;
    this.revoked = revoked;
    this.host = host;
    this.node = node;
    this.clock = clock;
  }

  private void check(X509Certificate @Nullable [] chain) throws CertificateException {
    if (chain == null || chain.length == 0) {
      throw new RefusedPeerException(LinkRefusal.NO_CERTIFICATE, "it shows no certificate");
    }
    PeerIdentity peer;
    try {
      KeyMaterial.requireSigned(chain[0], authority);
      peer = PeerIdentity.of(chain[0]);
      KeyMaterial.requireCurrent(peer, clock.instant(), authority, revoked);
    } catch (RefusedPeerException e) {
      throw e.refusal() == LinkRefusal.FOREIGN
          ? new RefusedPeerException(
              LinkRefusal.FOREIGN,
              "its certificate is of another authority than that of the keys in use: take the keys"
                  + " of the node's cluster (--keys)")
          : e;
    }
    if (peer.role() != PeerRole.NODE) {
      throw new RefusedPeerException(
          LinkRefusal.WRONG_ROLE, "its certificate is of " + peer + ", which is no node");
    }
    requireNamed(peer, chain[0]);
  }

  private void requireNamed(PeerIdentity peer, X509Certificate certificate)
      throws RefusedPeerException {
    if (node != null) {
      if (!node.equals(peer.name())) {
        throw new RefusedPeerException(
            LinkRefusal.WRONG_NAME, "it is " + peer + ", not node " + node + ": check the address");
      }
      return;
    }
    if (!peer.name().equalsIgnoreCase(host) && !names(certificate, host)) {
      throw new RefusedPeerException(
          LinkRefusal.WRONG_NAME,
          "its certificate is of "
              + peer
              + " and does not name "
              + host
              + ": write https://"
              + peer.name()
              + "@HOST:PORT, or issue it with --host "
              + host);
    }
  }

  /** Whether a host name or address is among the alternative names of a certificate. */
  private static boolean names(X509Certificate certificate, String host)
      throws RefusedPeerException {
    Collection<List<?>> all;
    try {
      all = certificate.getSubjectAlternativeNames();
    } catch (CertificateParsingException e) {
      throw new RefusedPeerException(
          LinkRefusal.NO_IDENTITY, "its certificate has alternative names that cannot be read");
    }
    if (all == null) {
      return false;
    }
    String wanted = comparable(host);
    return all.stream()
        .filter(
            name -> name.get(0) instanceof Integer kind && (kind == DNS_NAME || kind == IP_ADDRESS))
        .anyMatch(name -> comparable(String.valueOf(name.get(1))).equals(wanted));
  }

  /** An address of IPv6 has several forms; its bytes have one. A text with a colon is no name. */
  private static String comparable(String name) {
    if (name.contains(":")) {
      try {
        return InetAddress.getByName(name).getHostAddress();
      } catch (UnknownHostException e) {
        return name; // none of an address, so it equals itself only
      }
    }
    return name.toLowerCase(Locale.ROOT);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    throw noServer();
  }

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    throw noServer();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw noServer();
  }

  private static CertificateException noServer() {
    return new CertificateException("a caller accepts no connections");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[] {authority};
  }
}
