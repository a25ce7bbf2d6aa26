package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.DpidRange;
import io.lockstep.keys.Fingerprint;
import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.KeyReader;
import io.lockstep.keys.KeysException;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.PeerRole;
import io.lockstep.keys.pki.Authority;
import io.lockstep.keys.pki.IssueOrder;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import io.lockstep.openflow.channel.access.SwitchAccess;
import io.lockstep.openflow.channel.access.SwitchKeys;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Switches whose own certificates are listed, beside those that the cluster's authority signed. */
class ListedCertificateIT {
  private static final InstantSource NOW = InstantSource.system();
  private static final Duration AGO = Duration.ofDays(30);

  @TempDir private Path home;

  private final RecordingObserver observer = new RecordingObserver();
  private final RecordingLog log = new RecordingLog();
  private KeyFiles own;
  private KeyFiles expired;
  private KeyFiles other;
  private KeyFiles issued;
  private LinkKeys keys;
  private OpenFlowServer server;

  private KeyFiles issue(
      String authority, PeerRole role, String name, InstantSource clock, int days)
      throws KeysException {
    List<Long> dpids = role == PeerRole.SWITCH ? List.of(0x99L) : List.of();
    try (Authority opened = Authority.open(home.resolve(authority), clock, new SecureRandom())) {
      return opened.issue(new IssueOrder(role, name, List.of(), dpids, days));
    }
  }

  private static Fingerprint fingerprint(KeyFiles files) throws Exception {
    return Fingerprint.of(KeyReader.certificate(files.certificate()));
  }

  @BeforeEach
  void start() throws Exception {
    InstantSource then = () -> Instant.now().minus(AGO);
    for (String authority : List.of("pki", "makers")) {
      Authority.init(home.resolve(authority), "lab", 3650, then, new SecureRandom());
    }
    own = issue("makers", PeerRole.SWITCH, "own", NOW, 100);
    other = issue("makers", PeerRole.SWITCH, "other", NOW, 100);
    expired = issue("makers", PeerRole.SWITCH, "expired", then, 1);
    issued = issue("pki", PeerRole.SWITCH, "issued", NOW, 100);
    keys = LinkKeys.open(issue("pki", PeerRole.NODE, "n1", NOW, 100), NOW);
    server =
        new OpenFlowServer(
            OpenFlowServerConfig.defaults()
                .withListen("127.0.0.1", 0)
                .withDeadlines(60_000, 60_000, 60_000, 60_000, 60_000),
            SwitchAccess.of(
                new SwitchKeys(
                    keys,
                    Map.of(
                        fingerprint(own),
                        List.of(new DpidRange(7, 8)),
                        fingerprint(expired),
                        List.of(new DpidRange(9, 9)))),
                List.of()),
            observer,
            log,
            new InboundBudget(InboundBudget.MAX_BYTES));
    server.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private ScriptedSwitch connect(KeyFiles shown) throws Exception {
    X509Certificate certificate = KeyReader.certificate(shown.certificate());
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    char[] nothing = {};
    store.setKeyEntry(
        "own",
        KeyReader.privateKey(shown.privateKey(), "EC"),
        nothing,
        new Certificate[] {certificate});
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(store, nothing);
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "authority", KeyReader.certificate(home.resolve("pki/authority.crt")));
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    TrustManager[] all = trust.getTrustManagers();
    context.init(managers.getKeyManagers(), all, null);
    Socket socket = context.getSocketFactory().createSocket("127.0.0.1", server.port());
    return ScriptedSwitch.over(socket);
  }

  @Test
  void listedCertificateIsForItsSwitchesOnly() throws Exception {
    try (ScriptedSwitch device = connect(own)) {
      device.handshake(8);
      assertThat(observer.await(Connected.class).connection().dpid()).isEqualTo(8);
      device.assertServed();
    }
    assertThat(server.counters().counts().refused()).isZero();
    try (ScriptedSwitch device = connect(own)) {
      device.hello();
      device.features(9);
      device.awaitClosed();
    }
    log.await("WARN", "its certificate (fingerprint " + fingerprint(own) + ") is for");
    assertThat(server.counters().counts().refused()).isEqualTo(1);
  }

  @Test
  void thoseOfTheAuthorityCountAsBefore() throws Exception {
    try (ScriptedSwitch device = connect(issued)) {
      device.handshake(0x99);
      assertThat(observer.await(Connected.class).connection().dpid()).isEqualTo(0x99);
    }
    assertThat(server.counters().counts().refused()).isZero();
  }

  @Test
  void foreignAndExpiredOnesAreRefused() throws Exception {
    try (ScriptedSwitch device = connect(other)) {
      device.awaitClosed();
    }
    log.await("WARN", "its certificate is of another authority");
    try (ScriptedSwitch device = connect(expired)) {
      device.awaitClosed();
    }
    log.await("WARN", "its certificate, listed by its fingerprint, is valid from");
    assertThat(keys.refusals()).containsEntry("foreign", 1L).containsEntry("expired", 1L);
  }
}
