package io.lockstep.keys;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.util.EnumMap;
import java.util.Map;
import javax.net.ssl.SSLException;

/**
 * The contexts of netty's handlers for one state of the files, each made when it is first needed.
 */
final class NettyContexts {
  /** What a handler is for. */
  enum Use {
    CLIENT,
    SERVER,
    /** For switches, whose TLS may be older, and whose certificates another authority's. */
    SERVER_OF_OLDER
  }

  /**
   * A server of the JDK gives no tickets to resume sessions with where these would be valid for
   * longer than a week (RFC 8446, 4.6.1). A resumed session shows the certificate of its beginning:
   * a peer whose certificate was revoked and renewed would be refused for the old one. OpenSSL's
   * server gives none, either.
   */
  static final int NO_TICKET_SECONDS = 7 * 24 * 3600 + 1;

  private static final String OLDER = "TLSv1.2";
  private static final String NEWEST = "TLSv1.3";

  private final KeyMaterial material;
  private final CurrentTrust trust;
  private final SwitchTrust switches;
  private final Map<Use, SslContext> made = new EnumMap<>(Use.class);

  NettyContexts(KeyMaterial material, CurrentTrust trust, SwitchTrust switches) {
    this.material = material;
    this.trust = trust;
    this.switches = switches;
  }

  /** Whether the OpenSSL library of netty loads on this machine. */
  static boolean openSsl() {
    return OpenSsl.isAvailable();
  }

  synchronized SslContext of(Use use) throws KeysException {
    SslContext known = made.get(use);
    if (known == null) {
      try {
        known = make(use);
      } catch (SSLException | IllegalArgumentException e) {
        throw new KeysException(
            "TLS cannot use the keys of " + material.own() + ": " + e.getMessage(),
            "make keys with ./lockstep pki issue");
      }
      made.put(use, known);
    }
    return known;
  }

  private SslContext make(Use use) throws SSLException {
    SslContextBuilder builder =
        use != Use.CLIENT
            ? SslContextBuilder.forServer(material.privateKey(), material.certificate())
                .clientAuth(ClientAuth.REQUIRE)
            : SslContextBuilder.forClient()
                .keyManager(material.privateKey(), material.certificate());
    return builder
        .sslProvider(openSsl() ? SslProvider.OPENSSL : SslProvider.JDK)
        .protocols(
            use == Use.SERVER_OF_OLDER ? new String[] {OLDER, NEWEST} : new String[] {NEWEST})
        .trustManager(use == Use.SERVER_OF_OLDER ? switches : trust)
        .sessionTimeout(openSsl() ? 0 : NO_TICKET_SECONDS)
        .build();
  }
}
