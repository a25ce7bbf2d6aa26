package io.lockstep.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.keys.KeysException;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.PeerRole;
import io.lockstep.keys.pki.Authority;
import io.lockstep.keys.pki.IssueOrder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Witnesses with keys: they watch each other, and a process without the right keys is no witness.
 */
@Timeout(120)
class SecuredWitnessTest {
  private static final String CLUSTER = "c";

  @TempDir private Path temp;

  private final BlockingQueue<String> died = new LinkedBlockingQueue<>();
  private final List<Witness> running = new ArrayList<>();
  private List<Member> members = List.of();

  @BeforeEach
  void choosePorts() throws Exception {
    try (ServerSocket one = new ServerSocket(0);
        ServerSocket two = new ServerSocket(0)) {
      members =
          List.of(
              new Member("n1", "127.0.0.1", one.getLocalPort()),
              new Member("n2", "127.0.0.1", two.getLocalPort()));
    }
    Authority.init(temp.resolve("pki"), CLUSTER, 30, InstantSource.system(), new SecureRandom());
  }

  @AfterEach
  void close() {
    running.forEach(Witness::close);
  }

  private LinkKeys keys(PeerRole role, String name) throws KeysException {
    try (Authority authority = authority()) {
      return LinkKeys.open(
          authority.issue(new IssueOrder(role, name, List.of(), List.of(), 30)),
          InstantSource.system());
    }
  }

  private Authority authority() throws KeysException {
    return Authority.open(temp.resolve("pki"), InstantSource.system(), new SecureRandom());
  }

  private Witness start(String node, long session, @Nullable LinkKeys keys) throws IOException {
    NodeConfig config = new NodeConfig(CLUSTER, node, members, List.of(), 0);
    Witness witness =
        new Witness(
            keys == null ? config : config.withKeys(keys),
            () -> session,
            (peer, id) -> died.add(node + ": " + peer + " " + id));
    running.add(witness);
    witness.start();
    return witness;
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as(what).isNegative();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  private Socket dial(int member) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), members.get(member).witnessPort());
    socket.setSoTimeout(20_000);
    return socket;
  }

  /** What the witness answers to this hello; -1 where it ends the connection. */
  private int answer(LinkKeys keys, String hello) throws IOException {
    try (Socket socket = dial(0);
        SSLSocket tls = keys.over(socket, false)) {
      tls.getOutputStream().write(hello.getBytes(StandardCharsets.US_ASCII));
      return tls.getInputStream().read();
    } catch (SSLException | java.net.SocketException refused) {
      return -1;
    }
  }

  @Test
  void theyWatchEachOtherAndWitnessAnEnd() throws Exception {
    Witness first = start("n1", 101, keys(PeerRole.NODE, "n1"));
    Witness second = start("n2", 202, keys(PeerRole.NODE, "n2"));
    await("in touch", () -> first.inTouch().contains("n2") && second.inTouch().contains("n1"));
    second.close();
    assertThat(died.poll(20, TimeUnit.SECONDS)).isEqualTo("n1: n2 202");
  }

  @Test
  void aHelloThatNamesAnotherThanTheCertificateIsTurnedAway() throws Exception {
    LinkKeys n1 = keys(PeerRole.NODE, "n1");
    start("n1", 101, n1);
    LinkKeys n2 = keys(PeerRole.NODE, "n2");
    assertThat(answer(n2, "lockstep-witness/1 c n1 7\n")).isEqualTo(-1);
    assertThat(answer(keys(PeerRole.ADMIN, "alice"), "lockstep-witness/1 c n2 7\n")).isEqualTo(-1);
    await(
        "counted",
        () ->
            n1.refusals().getOrDefault("wrong_name", 0L) > 0
                && n1.refusals().getOrDefault("wrong_role", 0L) > 0);
    assertThat(answer(n2, "lockstep-witness/1 c n2 7\n")).isEqualTo('l');
  }

  /** A process that calls itself n2 ends its connection. That must not end the session of n2. */
  @Test
  void nobodyElseSpeaksForAPeer() throws Exception {
    LinkKeys n1 = keys(PeerRole.NODE, "n1");
    LinkKeys other = keys(PeerRole.NODE, "n3");
    try (ServerSocket listening =
        new ServerSocket(members.get(1).witnessPort(), 8, InetAddress.getLoopbackAddress())) {
      listening.setSoTimeout(20_000);
      Witness witness = start("n1", 101, n1);
      try (Socket socket = listening.accept();
          SSLSocket tls = other.over(socket, true)) {
        tls.startHandshake();
        tls.getOutputStream()
            .write("lockstep-witness/1 c n2 7\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(tls.getInputStream().read()).isEqualTo(-1);
      } catch (SSLException | java.net.SocketException refused) {
        assertThat(refused).isNotNull();
      }
      await("counted", () -> n1.refusals().getOrDefault("wrong_name", 0L) > 0);
      assertThat(witness.inTouch()).isEmpty();
    }
    assertThat(died).isEmpty();
  }

  @Test
  void oneWithoutKeysAndOneWithKeysDoNotMeet() throws Exception {
    LinkKeys n1 = keys(PeerRole.NODE, "n1");
    Witness secured = start("n1", 101, n1);
    Witness plain = start("n2", 202, null);
    await("counted", () -> n1.refusals().getOrDefault("no_tls", 0L) > 0);
    assertThat(secured.inTouch()).isEmpty();
    assertThat(plain.inTouch()).isEmpty();
    assertThat(died).isEmpty();
  }

  @Test
  void connectionsWithoutAHelloKeepNobodyOut() throws Exception {
    Witness first = start("n1", 101, keys(PeerRole.NODE, "n1"));
    Witness second = start("n2", 202, keys(PeerRole.NODE, "n2"));
    await("in touch", () -> first.inTouch().contains("n2") && second.inTouch().contains("n1"));
    LinkKeys late = keys(PeerRole.NODE, "n3");
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 1000; i++) {
        idle.add(dial(0));
      }
      assertThat(answer(late, "lockstep-witness/1 c n3 7\n")).isEqualTo('l');
      assertThat(first.inTouch()).as("the witness that was there").contains("n2");
      assertThat(died).isEmpty();
    } finally {
      for (Socket one : idle) {
        one.close();
      }
    }
  }

  @Test
  void aConnectionEndsWithItsCertificate() throws Exception {
    LinkKeys n1 = keys(PeerRole.NODE, "n1");
    Witness first = start("n1", 101, n1);
    Witness second = start("n2", 202, keys(PeerRole.NODE, "n2"));
    await("in touch", () -> first.inTouch().contains("n2") && second.inTouch().contains("n1"));
    try (Authority authority = authority()) {
      assertThat(authority.revoke("n2")).hasSize(1);
    }
    n1.look();
    await("out of touch", () -> first.inTouch().isEmpty() && second.inTouch().isEmpty());
    assertThat(died).as("its process is there").isEmpty();
  }
}
