package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.access.Role;
import io.lockstep.core.access.Token;
import io.lockstep.core.access.User;
import io.lockstep.deploy.access.Authentication;
import io.lockstep.deploy.admin.AdminServer;
import io.lockstep.deploy.admin.ProbeDoor;
import io.lockstep.deploy.admin.RemoteListener;
import io.lockstep.deploy.admin.RuleSource;
import io.lockstep.deploy.admin.SampleReport;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.status.AdminAddress;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.AdminCredentials;
import io.lockstep.keys.CallerKeys;
import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.KeysException;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.PeerRole;
import io.lockstep.keys.pki.Authority;
import io.lockstep.keys.pki.IssueOrder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands from another machine: TLS by real sockets, with the keys that pki makes. */
class RemoteCommandsIT {
  private static final InstantSource NOW = InstantSource.system();
  private static final Duration LONG_AGO = Duration.ofDays(30);
  private static final Charset UTF = StandardCharsets.UTF_8;
  private static final int FLOOD = 1000;

  /** For one answer on a busy machine. */
  private static final int PATIENCE_MILLIS = 60_000;

  /** Much less than it takes where each of the flood has to be waited for: over a minute. */
  private static final long STALL_MILLIS = 20_000;

  private static final Token TOKEN = Token.generate("carol", new SecureRandom());

  @TempDir private Path home;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private LinkKeys nodeKeys;
  private AdminServer server;
  private final List<String> changes = new ArrayList<>();

  @BeforeEach
  void open() throws IOException, KeysException {
    authority("pki");
    Path keys = issue("pki", PeerRole.NODE, "n1", NOW, 365, "127.0.0.1");
    nodeKeys = LinkKeys.open(KeyFiles.of(keys), NOW);
    server =
        AdminServer.open(
            new Listener("127.0.0.1", 0),
            List.of(),
            new RemoteListener(new Listener("0.0.0.0", 0), List.of("n1"), nodeKeys),
            () -> SampleReport.ready("n1"),
            RuleSource.NONE);
    server.offer(
        new Authentication(
            token ->
                token.equals(TOKEN)
                    ? Optional.of(new User("carol", Role.READ, TOKEN.digest(), 1))
                    : Optional.empty()));
    server.offer(
        new ProbeDoor() {
          @Override
          public Answer state() {
            return new Answer(200, Map.of());
          }

          @Override
          public Answer ask(Map<String, String> query) {
            changes.add(String.valueOf(query.get("switch")));
            return new Answer(202, Map.of());
          }
        });
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void authority(String name) throws KeysException {
    Authority.init(
        home.resolve(name),
        "demo",
        Authority.USUAL_DAYS,
        () -> Instant.now().minus(LONG_AGO),
        new SecureRandom());
  }

  private Path issue(
      String authority, PeerRole role, String name, InstantSource clock, int days, String... hosts)
      throws KeysException {
    try (Authority opened = Authority.open(home.resolve(authority), clock, new SecureRandom())) {
      return opened
          .issue(new IssueOrder(role, name, List.of(hosts), List.of(), days))
          .certificate()
          .resolveSibling("");
    }
  }

  private Path person(PeerRole role, String name) throws KeysException {
    return issue("pki", role, name, NOW, 365);
  }

  private String url() {
    return "https://127.0.0.1:" + server.remotePort();
  }

  private int command(String... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return LockstepCommand.line()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(words);
  }

  private int nodes(Path keys) {
    return command("nodes", "--at", url(), "--keys", keys.toString(), "--timeout", "60000");
  }

  private AdminClient client(Path keys, @Nullable String token) throws KeysException {
    AdminCredentials shown = new AdminCredentials(CallerKeys.open(keys, NOW), token);
    return new AdminClient(AdminAddress.of(url(), shown).orElseThrow(), PATIENCE_MILLIS);
  }

  @Test
  void roleOfACertificateDecidesWhatAPersonMayDo() throws Exception {
    Path reader = person(PeerRole.READ, "rita");
    assertThat(nodes(reader)).as(err.toString()).isEqualTo(ExitCode.DONE);
    assertThat(out.toString()).contains("n1");
    assertThat(client(reader, null).postProbe("?switch=1").toString())
        .contains("rita has the role read", "needs the role operate");
    assertThat(client(person(PeerRole.OPERATE, "olga"), null).postProbe("?switch=2").toString())
        .doesNotContain("error");
    assertThat(client(person(PeerRole.OPERATE, "otto"), null).resource("users").status())
        .isEqualTo(403);
    assertThat(changes).containsExactly("2");
    assertThat(server.refusals()).containsEntry("wrong_role", 2L);

    // By the name of the node, not by that of the host.
    String named = "https://n1@localhost:" + server.remotePort();
    assertThat(command("nodes", "--at", named, "--keys", reader.toString()))
        .as(err.toString())
        .isEqualTo(ExitCode.DONE);
    String other = "https://n2@127.0.0.1:" + server.remotePort();
    assertThat(command("nodes", "--at", other, "--keys", reader.toString()))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("it is node n1, not node n2");
    String unnamed = "https://localhost:" + server.remotePort();
    assertThat(command("nodes", "--at", unnamed, "--keys", reader.toString()))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("does not name localhost", "https://n1@HOST:PORT");
  }

  @Test
  void tokenIsEnoughWithTheAuthoritysCertificateAlone() throws Exception {
    Path alone = Files.createDirectory(home.resolve("alone"));
    Files.copy(home.resolve("pki/authority.crt"), alone.resolve("authority.crt"));
    assertThat(client(alone, TOKEN.text()).resource("nodes").status()).isEqualTo(200);
    assertThat(client(alone, TOKEN.text()).postProbe("?switch=1").toString())
        .contains("carol has the role read");
    assertThat(nodes(alone)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .contains("neither a certificate nor a token", "LOCKSTEP_TOKEN", "--keys");
    assertThat(client(alone, null).ready()).as("a supervisor needs none").isTrue();
    String wrong = Token.generate("carol", new SecureRandom()).text();
    assertThat(client(alone, wrong).resource("nodes").status()).isEqualTo(401);
    assertThat(server.refusals())
        .containsEntry("no_credentials", 1L)
        .containsEntry("unknown_token", 1L)
        .containsEntry("wrong_role", 1L);
  }

  @Test
  void keysThatDoNotCountAreRefusedWithTheRemedy() throws Exception {
    // Of another authority of the same name.
    authority("foreign");
    assertThat(nodes(issue("foreign", PeerRole.ADMIN, "eve", NOW, 365))).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("another authority than that of the keys in use", "--keys");
    // One that trusts the node nevertheless.
    Path mixed = issue("foreign", PeerRole.ADMIN, "mallory", NOW, 365);
    assertThat(refusedHandshake(mixed)).isTrue();
    awaitRefused("foreign", 1);

    InstantSource then = () -> Instant.now().minus(LONG_AGO);
    Path old = issue("pki", PeerRole.ADMIN, "olaf", then, 1);
    assertThat(nodes(old)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("olaf", "expired on", "./lockstep pki renew olaf");
    assertThat(refusedHandshake(old)).isTrue();
    awaitRefused("expired", 1);

    Path node = issue("pki", PeerRole.NODE, "n2", NOW, 365);
    assertThat(nodes(node)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("the keys of node n2", "--role read");
    assertThat(client(node, null).resource("nodes").status()).isEqualTo(403);
    assertThat(server.refusals()).containsEntry("wrong_role", 1L);

    // On another machine, where nobody copies the list of revoked certificates.
    Path gone = Files.createDirectory(home.resolve("gina"));
    try (var files = Files.list(person(PeerRole.ADMIN, "gina"))) {
      for (Path file : files.toList()) {
        Files.copy(file, gone.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    assertThat(nodes(gone)).isEqualTo(ExitCode.DONE);
    try (Authority opened = Authority.open(home.resolve("pki"), NOW, new SecureRandom())) {
      assertThat(opened.revoke("gina")).hasSize(1);
    }
    Files.copy(
        home.resolve("pki/revoked.crl"),
        home.resolve("pki/node-n1/revoked.crl"),
        StandardCopyOption.REPLACE_EXISTING);
    nodeKeys.look();
    assertThat(nodes(gone)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .contains("refuse", "the certificate of admin gina", "./lockstep pki renew gina");
    awaitRefused("revoked", 1);
    assertThat(nodes(person(PeerRole.READ, "rita"))).as("nobody else").isEqualTo(ExitCode.DONE);
  }

  /** A refusal may be counted a moment after the caller knows of it. */
  private void awaitRefused(String reason, long least) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    while (nodeKeys.refusals().getOrDefault(reason, 0L) < least && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(nodeKeys.refusals().get(reason)).as(reason).isGreaterThanOrEqualTo(least);
  }

  /** Shows a certificate that the JDK would not show by itself. */
  private boolean refusedHandshake(Path keys) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.remotePort());
        SSLSocket secured = ForeignCaller.over(socket, KeyFiles.of(keys))) {
      secured.setSoTimeout(PATIENCE_MILLIS);
      secured.startHandshake();
      secured.getOutputStream().write("GET / HTTP/1.1\r\nHost: n1\r\n\r\n".getBytes(UTF));
      return secured.getInputStream().read() < 0;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void pageOfAnotherSiteChangesNothingOverTls() throws Exception {
    Path admin = person(PeerRole.ADMIN, "anna");
    String post =
        "POST " + ProbeDoor.PATH + "?switch=1 HTTP/1.1\r\n" + ProbeDoor.HEADER + ": p\r\n";
    String host = "127.0.0.1:" + server.remotePort();
    assertThat(raw(admin, post, host, "Origin: https://evil.example")).startsWith("HTTP/1.1 403");
    assertThat(raw(admin, post, host, "Origin: http://" + host)).startsWith("HTTP/1.1 403");
    assertThat(raw(admin, post, host, "Sec-Fetch-Site: cross-site")).startsWith("HTTP/1.1 403");
    assertThat(raw(admin, post, "evil.example", "X: y")).startsWith("HTTP/1.1 403");
    assertThat(changes).isEmpty();
    assertThat(server.refusals())
        .containsEntry("foreign_page", 3L)
        .containsEntry("foreign_name", 1L);
    assertThat(raw(admin, post, host, "Origin: https://" + host)).startsWith("HTTP/1.1 202");
  }

  private String raw(Path keys, String begin, String host, String header) throws Exception {
    try (Socket socket =
        CallerKeys.open(keys, NOW)
            .sockets("127.0.0.1", null)
            .createSocket("127.0.0.1", server.remotePort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      String request =
          begin
              + "Host: "
              + host
              + "\r\n"
              + header
              + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(UTF));
      return new String(socket.getInputStream().readAllBytes(), UTF);
    }
  }

  @Test
  void halfOpenConnectionsStallNobodyElse() throws Exception {
    AdminClient person = client(person(PeerRole.READ, "rita"), null);
    assertThat(person.resource("nodes").status()).isEqualTo(200);
    List<Socket> flood = new ArrayList<>();
    CompletableFuture<Void> opened =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < FLOOD; i++) {
                flood.add(halfOpen(i));
              }
            });
    try {
      long slowest = 0;
      for (int i = 0; i < 20 || !opened.isDone(); i++) {
        long before = System.nanoTime();
        assertThat(person.resource("nodes").status()).isEqualTo(200);
        assertThat(new AdminClient("127.0.0.1:" + server.port(), PATIENCE_MILLIS).ready()).isTrue();
        slowest = Math.max(slowest, System.nanoTime() - before);
      }
      opened.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      assertThat(person.resource("nodes").status()).isEqualTo(200);
      assertThat(TimeUnit.NANOSECONDS.toMillis(slowest)).isLessThan(STALL_MILLIS);
      awaitRefused("too_slow", FLOOD / 2);
    } finally {
      for (Socket socket : flood) {
        socket.close();
      }
    }
  }

  /** From another address than the person's, as a machine of its own; half of them begin TLS. */
  private Socket halfOpen(int number) {
    try {
      Socket socket = new Socket();
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 2}), 0));
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.remotePort()),
          PATIENCE_MILLIS);
      if (number % 2 == 0) {
        socket.getOutputStream().write(new byte[] {22, 3, 1, 1, 0, 1});
      }
      return socket;
    } catch (IOException e) {
      throw new IllegalStateException("connection " + number, e);
    }
  }

  @Test
  void whoSpeaksNoTlsIsRefused() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.remotePort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: n1\r\n\r\n".getBytes(UTF));
      assertThat(new String(socket.getInputStream().readAllBytes(), UTF)).doesNotContain("HTTP");
    }
    awaitRefused("no_tls", 1);
    assertThat(command("nodes", "-e", "127.0.0.1:" + server.remotePort()))
        .isEqualTo(ExitCode.FAILED);
  }
}
