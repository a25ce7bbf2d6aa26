package io.lockstep.keys;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a program that asks nodes: a directory with the certificate of the cluster's
 * authority and, where the caller has one, a certificate with its private key. The list of revoked
 * certificates beside them counts where it is there. Read once: such a program does not run long.
 * Thread-safe.
 */
public final class CallerKeys {
  private static final String TLS = "TLSv1.3";

  private final X509Certificate authority;
  private final Map<BigInteger, Instant> revoked;
  private final @Nullable KeyMaterial own;
  private final InstantSource clock;

  /** By host and node. The JDK uses a connection again under the same factory only. */
  private final Map<String, SSLSocketFactory> made = new ConcurrentHashMap<>();

  private CallerKeys(
      X509Certificate authority,
      Map<BigInteger, Instant> revoked,
      @Nullable KeyMaterial own,
      InstantSource clock) {
    this.authority = authority;
    this.revoked = Map.copyOf(revoked);
    this.own = own;
    this.clock = clock;
  }

  /**
   * Reads a directory.
   *
   * @param directory as {@code ./lockstep pki issue} makes it; one with {@code authority.crt} alone
   *     is enough for a caller that shows no certificate
   * @param clock of certificates, the time of day
   * @throws KeysException where a file cannot be used, or the caller's certificate is not valid now
   */
  public static CallerKeys open(Path directory, InstantSource clock) throws KeysException {
    KeyFiles files = KeyFiles.of(directory);
    X509Certificate authority = KeyReader.certificate(files.authority());
    if (!Files.exists(files.certificate())) {
      X509CRL list =
          Files.exists(files.revoked()) ? KeyReader.list(files.revoked(), authority) : null;
      Map<BigInteger, Instant> revoked = list == null ? Map.of() : KeyReader.revoked(list);
      return new CallerKeys(authority, revoked, null, clock);
    }
    KeyMaterial own = KeyReader.read(files);
    try {
      own.requireCurrent(own.own(), clock.instant());
    } catch (RefusedPeerException e) {
      throw new KeysException(
          files.certificate() + " is of no use: " + e.getMessage(),
          "./lockstep pki renew "
              + own.own().name()
              + " where the authority is, and copy the directory here");
    }
    return new CallerKeys(authority, own.revoked(), own, clock);
  }

  /** Whom the caller's certificate names; null where there is none. */
  public @Nullable PeerIdentity own() {
    return own == null ? null : own.own();
  }

  /**
   * Makes sockets of TLS 1.3 that accept one node only.
   *
   * @param host as the caller wrote it: one of the names in the node's certificate, or the node's
   *     own
   * @param node the node's name where the caller gave it, so that the host does not matter; else
   *     null
   */
  public SSLSocketFactory sockets(String host, @Nullable String node) {
    return made.computeIfAbsent(host + " " + node, absent -> make(host, node));
  }

  private SSLSocketFactory make(String host, @Nullable String node) {
    CalledNode expected = new CalledNode(authority, revoked, host, node, clock);
    KeyManager[] shown = null;
    if (own != null) {
      KeyMaterial material = own;
      shown = new KeyManager[] {new CurrentKeys(() -> material)};
    }
    try {
      SSLContext context = SSLContext.getInstance(TLS);
      context.init(shown, new TrustManager[] {expected}, null);
      return new NewestOnly(context.getSocketFactory());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + TLS, e);
    }
  }

  /** Sockets that speak no older TLS. */
  private static final class NewestOnly extends SSLSocketFactory {
    private final SSLSocketFactory made;

    NewestOnly(SSLSocketFactory made) {
      this.made = made;
    }

    private static Socket newest(Socket socket) {
      if (socket instanceof SSLSocket secured) {
        secured.setEnabledProtocols(new String[] {TLS});
      }
      return socket;
    }

    @Override
    public String[] getDefaultCipherSuites() {
      return made.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
      return made.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket() throws IOException {
      return newest(made.createSocket());
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean closes)
        throws IOException {
      return newest(made.createSocket(socket, host, port, closes));
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return newest(made.createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort)
        throws IOException {
      return newest(made.createSocket(host, port, local, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
      return newest(made.createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
        throws IOException {
      return newest(made.createSocket(host, port, local, localPort));
    }
  }
}
