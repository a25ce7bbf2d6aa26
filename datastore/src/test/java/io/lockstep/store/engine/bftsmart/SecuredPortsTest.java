package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.PeerRole;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is refused at the ports of a replica with keys: with its reason, and nobody else notices. */
@Timeout(120)
class SecuredPortsTest {
  private static final String CLUSTER = "a";
  private static final byte[] CLIENT_HELLO = RawClient.frame(Handshake.ofClient(CLUSTER, 0));
  private static final int READ_MILLIS = 20_000;

  @TempDir private Path temp;

  private final LogLines lines = new LogLines();
  private final List<Member> members = TestKeys.named(ReplicaPorts.members(3));
  private final List<AutoCloseable> open = new ArrayList<>();
  private TestKeys authority;
  private LinkKeys r0;
  private SoloStore store;
  private BftSmartClient good;
  private byte sent;

  SecuredPortsTest() throws IOException {}

  @BeforeEach
  void start() throws Exception {
    authority = new TestKeys(temp.resolve("pki"), CLUSTER);
    r0 = authority.replica(0);
    ReplicaConfig config = ReplicaConfig.of(CLUSTER, 0, members).withKeys(r0);
    store = new SoloStore(config);
    ReplicaLinks links =
        ReplicaLinks.open(
            config,
            new MachineView(config, () -> true),
            why -> {},
            1,
            new NioEventLoopGroup(1).next(),
            message -> {});
    good = client(authority.keys(PeerRole.NODE, "n1"), 20_000);
    open.addAll(List.of(store, links::close, good));
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
    lines.close();
  }

  /** Of the only replica that runs. */
  private BftSmartClient client(LinkKeys keys, int deadlineMillis) {
    return BftSmartClient.connect(
        new ClientConfig(CLUSTER, members.subList(0, 1), 3, 4, 1000, 100, deadlineMillis)
            .withKeys(keys));
  }

  private void othersGoOn() throws Exception {
    long before = store.requests();
    assertThat(good.submit(new byte[] {++sent}).get(20, TimeUnit.SECONDS)).isNotNull();
    assertThat(store.requests()).isGreaterThan(before);
  }

  private Socket dial(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(READ_MILLIS);
    return socket;
  }

  /** Connects with these keys, says this, and waits for the end; fails where an answer comes. */
  private void expectRefused(LinkKeys keys, int port, byte[] hello, String reason)
      throws Exception {
    try (Socket socket = dial(port);
        SSLSocket tls = keys.over(socket, false)) {
      expectEnd(tls, hello);
    }
    lines.await(reason);
  }

  private static void expectEnd(SSLSocket tls, byte[] hello) throws IOException {
    try {
      tls.startHandshake();
      tls.getOutputStream().write(hello);
      assertThat(tls.getInputStream().read()).as("an answer").isEqualTo(-1);
    } catch (SSLException | SocketException refused) {
      assertThat(refused).isNotNull();
    }
  }

  private void expectCounted(String reason) {
    Await.until(
        Duration.ofSeconds(20),
        () -> reason + " in " + r0.refusals(),
        () -> r0.refusals().getOrDefault(reason, 0L) > 0);
  }

  private int port() {
    return members.get(0).port();
  }

  private int replicaPort() {
    return members.get(0).replicaPort();
  }

  private static byte[] replicaHello(int from) {
    return RawClient.frame(
        new Handshake(Handshake.REPLICA_LINK, Handshake.VERSION, 1, CLUSTER, from, 0));
  }

  @Test
  void wrongRolesAreRefusedAtBothPorts() throws Exception {
    LinkKeys reader = authority.keys(PeerRole.READ, "bob");
    expectRefused(reader, port(), CLIENT_HELLO, "only nodes and those with the role admin");
    expectRefused(reader, replicaPort(), replicaHello(1), "but it must be of a node");
    expectRefused(
        authority.keys(PeerRole.ADMIN, "alice"), replicaPort(), replicaHello(1), "of admin alice");
    expectRefused(
        authority.keys(PeerRole.SWITCH, "s1"), port(), CLIENT_HELLO, "certificate is of switch s1");
    expectCounted("wrong_role");
    othersGoOn();
  }

  @Test
  void administratorsUseTheStore() throws Exception {
    try (BftSmartClient alice = client(authority.keys(PeerRole.ADMIN, "alice"), 20_000)) {
      assertThat(alice.submit(new byte[] {1}).get(20, TimeUnit.SECONDS)).isNotNull();
    }
  }

  @Test
  void aReplicaWithTheKeyOfAnotherIsRefused() throws Exception {
    LinkKeys r1 = authority.replica(1);
    LinkKeys r2 = authority.replica(2);
    expectRefused(r1, replicaPort(), replicaHello(2), "is of node r1, but it must be of node r2");
    expectRefused(
        authority.keys(PeerRole.NODE, "n9"), replicaPort(), replicaHello(1), "no replica here");
    expectCounted("wrong_name");
    try (Socket socket = dial(replicaPort());
        SSLSocket tls = r2.over(socket, false)) {
      tls.getOutputStream().write(replicaHello(2));
      DataInputStream in = new DataInputStream(tls.getInputStream());
      assertThat(in.readInt()).as("the answer to the right one").isPositive();
    }
    othersGoOn();
  }

  @Test
  void foreignRevokedAndExpiredCertificatesAreRefused() throws Exception {
    LinkKeys foreign = new TestKeys(temp.resolve("foreign"), CLUSTER).replica(1);
    LinkKeys other = new TestKeys(temp.resolve("other"), "b").replica(1);
    for (LinkKeys keys : List.of(foreign, other)) {
      // A foreign end refuses this replica, too, so it sends no certificate of its own.
      expectRefused(keys, port(), CLIENT_HELLO, "it refuses the certificate or TLS");
    }
    LinkKeys r1 = authority.replica(1);
    authority.revoke("r1");
    r0.look();
    expectRefused(r1, port(), CLIENT_HELLO, "(node r1) was revoked on");
    expectRefused(r1, replicaPort(), replicaHello(1), "replica link with /127.0.0.1");
    expectCounted("revoked");
    othersGoOn();
  }

  @Test
  void aConnectionEndsWhenItsCertificateIsRevoked() throws Exception {
    othersGoOn();
    authority.revoke("n1");
    r0.look();
    lines.await("a connection of node n1 is closed: its certificate (node n1) was revoked");
    // The loop of the connection may take a request yet that came before its turn to close.
    Await.until(
        Duration.ofSeconds(20), () -> "a revoked client still works", () -> !answered((byte) 99));
    lines.await("it refuses the certificate or TLS of this process (certificate_");
  }

  private boolean answered(byte request) {
    try {
      return good.submit(new byte[] {request}).orTimeout(1, TimeUnit.SECONDS).join() != null;
    } catch (CompletionException refused) {
      return false;
    }
  }

  @Test
  void noCertificateAndNoTlsAreRefused() throws Exception {
    SSLContext bare = SSLContext.getInstance("TLSv1.3");
    bare.init(null, new TrustManager[] {new TrustingAll()}, null);
    for (int port : new int[] {port(), replicaPort()}) {
      try (Socket socket = dial(port);
          SSLSocket tls =
              (SSLSocket) bare.getSocketFactory().createSocket(socket, "127.0.0.1", port, true)) {
        expectEnd(tls, CLIENT_HELLO);
      }
      try (RawClient plain = RawClient.dial(port, CLIENT_HELLO)) {
        plain.awaitEnd();
      }
    }
    Await.until(
        Duration.ofSeconds(20),
        () -> "both ports report both: " + r0.refusals(),
        () ->
            lines.containing("it shows no certificate").size() == 2
                && lines.containing("it does not use TLS").size() == 2);
    expectCounted("no_certificate");
    expectCounted("no_tls");
    othersGoOn();
  }

  @Test
  void aClientWithoutKeysLearnsThatItNeedsThem() throws Exception {
    try (BftSmartClient plain =
        BftSmartClient.connect(
            new ClientConfig(CLUSTER, members.subList(0, 1), 4, 4, 1000, 100, 20_000))) {
      assertThat(plain).isNotNull();
      lines.await("is refused: it uses TLS, this process does not");
    }
    othersGoOn();
  }

  @Test
  void bothEndsSayThatAReplicaWithoutKeysHasNone() throws Exception {
    List<Member> plain = TestKeys.named(ReplicaPorts.members(1));
    try (SoloStore bare = new SoloStore(ReplicaConfig.of(CLUSTER, 0, plain));
        BftSmartClient secured =
            BftSmartClient.connect(
                new ClientConfig(CLUSTER, plain, 5, 4, 1000, 100, 20_000)
                    .withKeys(authority.replica(1)))) {
      assertThat(secured).isNotNull();
      lines.await("replica 0 refuses client /127.0.0.1");
      lines.await("it uses TLS, this process does not");
      lines.await("is refused: it ends the connection during the handshake of TLS");
      assertThat(bare.requests()).isZero();
    }
  }

  @Test
  void truncatedAndReplayedTlsIsRefusedAndNothingIsApplied() throws Exception {
    othersGoOn();
    byte[] recorded = recorded(authority.keys(PeerRole.NODE, "n2"));
    long before = store.requests();
    try (Socket socket = dial(port())) {
      socket.getOutputStream().write(recorded);
      drain(socket.getInputStream());
    }
    lines.await("its TLS is broken");
    expectCounted("broken_tls");
    for (int part : new int[] {3, 40, recorded.length / 2}) {
      try (Socket socket = dial(port())) {
        socket.getOutputStream().write(Arrays.copyOf(recorded, part));
        socket.shutdownOutput();
        drain(socket.getInputStream());
      }
    }
    assertThat(store.requests()).as("requests of the recorded client").isEqualTo(before);
    othersGoOn();
  }

  /** What a client sends whose requests are answered. */
  private byte[] recorded(LinkKeys keys) throws Exception {
    try (ServerSocket relay = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        BftSmartClient client =
            BftSmartClient.connect(
                new ClientConfig(
                        CLUSTER,
                        List.of(new Member(0, "127.0.0.1", relay.getLocalPort(), "r0")),
                        6,
                        4,
                        1000,
                        500,
                        20_000)
                    .withKeys(keys));
        Socket from = relay.accept();
        Socket to = dial(port())) {
      ByteArrayOutputStream seen = new ByteArrayOutputStream();
      CompletableFuture<Void> back = CompletableFuture.runAsync(() -> copy(to, from, null));
      CompletableFuture<Void> forth = CompletableFuture.runAsync(() -> copy(from, to, seen));
      assertThat(client.submit(new byte[] {7}).get(20, TimeUnit.SECONDS)).isNotNull();
      client.close();
      from.close();
      to.close();
      CompletableFuture.allOf(back, forth).get(20, TimeUnit.SECONDS);
      synchronized (seen) {
        return seen.toByteArray();
      }
    }
  }

  private static void copy(Socket from, Socket to, @Nullable OutputStream also) {
    byte[] some = new byte[8192];
    try {
      for (int n = from.getInputStream().read(some); n >= 0; n = from.getInputStream().read(some)) {
        to.getOutputStream().write(some, 0, n);
        if (also != null) {
          synchronized (also) {
            also.write(some, 0, n);
          }
        }
      }
    } catch (IOException ended) {
      assertThat(ended).isNotNull();
    }
  }

  private static void drain(InputStream in) throws IOException {
    try {
      assertThat(in.readAllBytes()).isNotNull();
    } catch (SocketException reset) {
      assertThat(reset).isNotNull();
    }
  }

  /** Every second one asks for a handshake, which costs the replica's loop a signature. */
  @Test
  void halfOpenConnectionsKeepNobodyOut() throws Exception {
    byte[] seen = recorded(authority.keys(PeerRole.NODE, "n2"));
    int hello = 5 + ByteBuffer.wrap(seen).getShort(3);
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 1_000; i++) {
        for (int port : new int[] {port(), replicaPort()}) {
          idle.add(dial(port));
          idle.get(idle.size() - 1).getOutputStream().write(seen, 0, i % 2 * hello);
        }
        if (i % 100 == 0) {
          othersGoOn();
        }
      }
      lines.await("too many connections that do not introduce themselves");
      LinkKeys late = authority.keys(PeerRole.NODE, "n3");
      try (BftSmartClient client = client(late, 20_000)) {
        assertThat(client.submit(new byte[] {1}).get(20, TimeUnit.SECONDS)).isNotNull();
      }
      LinkKeys r1 = authority.replica(1);
      try (Socket socket = dial(replicaPort());
          SSLSocket tls = r1.over(socket, false)) {
        tls.getOutputStream().write(replicaHello(1));
        assertThat(new DataInputStream(tls.getInputStream()).readInt()).isPositive();
      }
      othersGoOn();
    } finally {
      for (Socket one : idle) {
        one.close();
      }
    }
  }

  /** A client that takes any server. */
  private static final class TrustingAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
