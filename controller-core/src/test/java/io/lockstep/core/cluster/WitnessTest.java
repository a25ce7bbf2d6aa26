package io.lockstep.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Witnesses over real sockets. */
class WitnessTest {
  private final BlockingQueue<String> died = new LinkedBlockingQueue<>();
  private final List<Witness> running = new ArrayList<>();
  private final AtomicLong session1 = new AtomicLong(101);
  private final AtomicLong session2 = new AtomicLong(202);
  private List<Member> members = List.of();

  @BeforeEach
  void choosePorts() throws IOException {
    try (ServerSocket one = new ServerSocket(0);
        ServerSocket two = new ServerSocket(0)) {
      members =
          List.of(
              new Member("n1", "127.0.0.1", one.getLocalPort()),
              new Member("n2", "127.0.0.1", two.getLocalPort()));
    }
  }

  @AfterEach
  void close() {
    running.forEach(Witness::close);
  }

  private Witness start(String cluster, String node, AtomicLong session) throws IOException {
    NodeConfig config = new NodeConfig(cluster, node, members, List.of(), 0);
    Witness witness =
        new Witness(config, session::get, (peer, id) -> died.add(node + ": " + peer + " " + id));
    running.add(witness);
    witness.start();
    return witness;
  }

  /** A peer that the test plays itself. */
  private Socket accept(ServerSocket listening, String hello) throws IOException {
    listening.setSoTimeout(20_000);
    Socket socket = listening.accept();
    readLine(socket);
    socket.getOutputStream().write(hello.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static String readLine(Socket socket) throws IOException {
    socket.setSoTimeout(20_000);
    InputStream in = socket.getInputStream();
    StringBuilder line = new StringBuilder();
    for (int octet = in.read(); octet >= 0 && octet != '\n'; octet = in.read()) {
      line.append((char) octet);
    }
    return line.toString();
  }

  private ServerSocket listenAs(int member) throws IOException {
    return new ServerSocket(members.get(member).witnessPort(), 8, InetAddress.getLoopbackAddress());
  }

  @Test
  void aProcessThatIsGoneIsWitnessedUnderTheSessionItToldLast() throws Exception {
    start("c", "n1", session1);
    try (ServerSocket listening = listenAs(1)) {
      Socket peer = accept(listening, "lockstep-witness/1 c n2 7\n");
      peer.getOutputStream().write("lockstep-witness/1 c n2 8\n".getBytes(StandardCharsets.UTF_8));
      listening.close();
      peer.close();
    }
    assertThat(died.poll(20, TimeUnit.SECONDS)).isEqualTo("n1: n2 8");
  }

  @Test
  void aBrokenConnectionAloneIsNoDeath() throws Exception {
    start("c", "n1", session1);
    try (ServerSocket listening = listenAs(1)) {
      accept(listening, "lockstep-witness/1 c n2 7\n").close();
      Socket again = accept(listening, "lockstep-witness/1 c n2 7\n");
      assertThat(died).isEmpty();
      listening.close();
      again.close();
    }
    assertThat(died.poll(20, TimeUnit.SECONDS)).isEqualTo("n1: n2 7");
    assertThat(died).isEmpty();
  }

  @Test
  void aPeerOfAnotherNameOrClusterIsNotWatched() throws Exception {
    start("c", "n1", session1);
    try (ServerSocket listening = listenAs(1)) {
      Socket stranger = accept(listening, "lockstep-witness/1 other n2 7\n");
      assertThat(stranger.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(died).isEmpty();
  }

  @Test
  void twoWitnessesWatchEachOther() throws Exception {
    Witness first = start("c", "n1", session1);
    Witness second = start("c", "n2", session2);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!first.inTouch().contains("n2") || !second.inTouch().contains("n1")) {
      assertThat(System.nanoTime() - deadline).as("in touch").isNegative();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    second.close();
    assertThat(died.poll(20, TimeUnit.SECONDS)).isEqualTo("n1: n2 202");
    assertThat(first.inTouch()).isEmpty();
  }

  @Test
  void aNewSessionIsToldOnTheOpenConnection() throws Exception {
    Witness witness = start("c", "n2", session2);
    try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), members.get(1).witnessPort())) {
      peer.getOutputStream().write("lockstep-witness/1 c n1 0\n".getBytes(StandardCharsets.UTF_8));
      assertThat(readLine(peer)).isEqualTo("lockstep-witness/1 c n2 202");
      session2.set(203);
      witness.sessionChanged();
      assertThat(readLine(peer)).isEqualTo("lockstep-witness/1 c n2 203");
    }
  }

  /** Its lines would fill the socket and hold up the news for the others. */
  @Test
  void aPeerThatIsToldTooMuchHasToDialAgain() throws Exception {
    Witness witness = start("c", "n2", session2);
    try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), members.get(1).witnessPort())) {
      peer.getOutputStream().write("lockstep-witness/1 c n1 0\n".getBytes(StandardCharsets.UTF_8));
      assertThat(readLine(peer)).endsWith(" 202");
      for (int said = 1; said < ToldPeers.MAX_LINES; said++) {
        session2.set(1_000 + said);
        witness.sessionChanged();
        assertThat(readLine(peer)).endsWith(" " + (1_000 + said));
      }
      session2.set(2_000);
      witness.sessionChanged();
      assertThat(readLine(peer)).as("the end").isEmpty();
    }
  }

  @Test
  void garbageAndStrangersAreTurnedAwayAndTheServerGoesOn() throws Exception {
    start("c", "n1", session1);
    int port = members.get(0).witnessPort();
    for (String garbage :
        List.of(
            "\n",
            "GET / HTTP/1.1\r\n\r\n",
            "lockstep-witness/1 other n2 1\n",
            "lockstep-witness/1 c n2 -1\n",
            "lockstep-witness/1 c n2 99999999999999999999\n",
            "x".repeat(5_000))) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(garbage.getBytes(StandardCharsets.US_ASCII));
        int answer;
        try {
          answer = socket.getInputStream().read();
        } catch (IOException reset) {
          answer = -1;
        }
        assertThat(answer).as(garbage).isEqualTo(-1);
      }
    }
    try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), port);
        Socket proper = new Socket(InetAddress.getLoopbackAddress(), port)) {
      proper
          .getOutputStream()
          .write("lockstep-witness/1 c n2 5\n".getBytes(StandardCharsets.UTF_8));
      assertThat(readLine(proper)).isEqualTo("lockstep-witness/1 c n1 101");
      silent.setSoTimeout(20_000);
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void aPortInUseIsNamed() throws Exception {
    try (ServerSocket taken = listenAs(0)) {
      assertThatThrownBy(() -> start("c", "n1", session1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("127.0.0.1:" + taken.getLocalPort());
    }
  }
}
