package io.lockstep.deploy.cli;

import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.KeyReader;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Shows its certificate to every server, for any authorities that it asks for, and trusts all. */
final class ForeignCaller {
  private static final String ALIAS = "own";

  private ForeignCaller() {}

  static SSLSocket over(Socket socket, KeyFiles files) throws Exception {
    X509Certificate certificate = KeyReader.certificate(files.certificate());
    PrivateKey key = KeyReader.privateKey(files.privateKey(), "EC");
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(
        new KeyManager[] {new Shown(certificate, key)}, new TrustManager[] {new All()}, null);
    return (SSLSocket)
        context.getSocketFactory().createSocket(socket, "127.0.0.1", socket.getPort(), true);
  }

  /** Has one certificate, for everyone. */
  private static final class Shown extends X509ExtendedKeyManager {
    private final X509Certificate certificate;
    private final PrivateKey key;

    Shown(X509Certificate certificate, PrivateKey key) {
      this.certificate = certificate;
      this.key = key;
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return ALIAS;
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return ALIAS;
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return new X509Certificate[] {certificate};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return key;
    }
  }

  /** Accepts every server. */
  private static final class All extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
