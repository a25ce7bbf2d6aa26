package io.lockstep.keys;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Lets TLS engines accept exactly the certificates that {@link KeyMaterial#check} accepts, by the
 * files that are current. Which role and name may connect where is for the caller to check.
 * Thread-safe.
 */
final class CurrentTrust extends X509ExtendedTrustManager {
  private final Supplier<KeyMaterial> current;
  private final InstantSource clock;

  CurrentTrust(Supplier<KeyMaterial> current, InstantSource clock) {
    this.current = current;
    this.clock = clock;
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    // A peer that passes is identified anew once its handshake is done.
    var unused = current.get().check(chain, clock.instant());
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
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
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[] {current.get().authority()};
  }
}
