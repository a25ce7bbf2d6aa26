package io.lockstep.keys;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * For the port of switches: accepts what {@link CurrentTrust} accepts, and certificates whose
 * fingerprint is listed, whoever signed them. TLS itself has the peer prove that it owns the
 * certificate's key. Thread-safe.
 */
final class SwitchTrust extends X509ExtendedTrustManager {
  private final CurrentTrust trust;
  private final Supplier<Set<Fingerprint>> listed;
  private final InstantSource clock;

  SwitchTrust(CurrentTrust trust, Supplier<Set<Fingerprint>> listed, InstantSource clock) {
    this.trust = trust;
    this.listed = listed;
    this.clock = clock;
  }

  /** Whether a certificate is listed. */
  static boolean isListed(X509Certificate certificate, Set<Fingerprint> listed)
      throws CertificateException {
    return !listed.isEmpty() && listed.contains(Fingerprint.of(certificate));
  }

  /** Checks the days of a listed certificate. */
  static void requireCurrent(X509Certificate certificate, Instant now) throws RefusedPeerException {
    if (now.isAfter(certificate.getNotAfter().toInstant())
        || now.isBefore(certificate.getNotBefore().toInstant())) {
      throw new RefusedPeerException(
          LinkRefusal.EXPIRED,
          "its certificate, listed by its fingerprint, is valid from "
              + certificate.getNotBefore().toInstant()
              + " to "
              + certificate.getNotAfter().toInstant()
              + ": give the switch a new one, and list that");
    }
  }

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    if (chain != null && chain.length > 0 && isListed(chain[0], listed.get())) {
      requireCurrent(chain[0], clock.instant());
    } else {
      trust.checkClientTrusted(chain, authType, engine);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, authType, (SSLEngine) null);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    checkClientTrusted(chain, authType, (SSLEngine) null);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    trust.checkServerTrusted(chain, authType, socket);
  }

  @Override
  public void checkServerTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    trust.checkServerTrusted(chain, authType, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    trust.checkServerTrusted(chain, authType);
  }

  /** A client may leave its certificate out where its authority is not among those asked for. */
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return listed.get().isEmpty() ? trust.getAcceptedIssuers() : new X509Certificate[0];
  }
}
