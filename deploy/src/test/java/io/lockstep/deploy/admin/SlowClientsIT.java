package io.lockstep.deploy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.deploy.testbed.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that send or read slowly do not silence the admin HTTP for the others. */
@Tag("alone")
class SlowClientsIT {
  private static final int SLOW = 80;

  /** Half of what a slow client may take for its header: an answer that waits for one is late. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String HOST = "Host: localhost\r\n";

  private final List<Socket> slow = new ArrayList<>();
  private @Nullable AdminServer server;
  private int port;

  @AfterEach
  void close() throws IOException {
    for (Socket socket : slow) {
      socket.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private void start(AdminConnections.Limits limits) throws IOException {
    NodeReport small = SampleReport.ready("n1");
    // More than the buffers of a connection hold that is not read.
    NodeReport report = withHosts(small, Collections.nCopies(100_000, small.hosts().get(0)));
    server =
        AdminServer.open(
            new Listener("127.0.0.1", 0), List.of(), null, () -> report, RuleSource.NONE, limits);
    port = server.port();
  }

  private static NodeReport withHosts(NodeReport of, List<NodeReport.HostReport> hosts) {
    return new NodeReport(
        of.cluster(),
        of.node(),
        of.version(),
        of.uptimeMillis(),
        of.state(),
        of.ready(),
        of.notReadyBecause(),
        of.quorum(),
        of.replica(),
        of.nodes(),
        of.domains(),
        of.switches(),
        of.links(),
        hosts,
        of.domainVersions(),
        of.differences(),
        of.applicationFailures());
  }

  private Socket open(String begin) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout(20);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
    slow.add(socket);
    return socket;
  }

  /** Asks as another client does, and gives the milliseconds until the whole answer was there. */
  private long ask() throws IOException {
    long began = System.nanoTime();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      String request = "GET /health/live HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readAllBytes();
      assertThat(new String(answer, StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 200");
    }
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "GET /health/live HTTP/1.1\r\n" + HOST + "X: ",
        "GET /health/live HTTP/1.1\r\n" + HOST + "Content-Length: 1000000\r\n\r\nbody",
        "POST /api/v1/probe HTTP/1.1\r\n" + HOST + "Content-Length: 1000000\r\n\r\nbody",
        "POST /api/v1/probe HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
        "GET /api/v1/hosts HTTP/1.1\r\n" + HOST + "\r\n"
      })
  void othersAreAnsweredWithoutWaitingForThem(String begin) throws IOException {
    start(AdminConnections.Limits.STANDARD);
    ask();
    for (int i = 0; i < SLOW; i++) {
      open(begin);
      if (i % 10 == 9) {
        assertThat(ask()).as("after %d", i + 1).isLessThan(ANSWER.toMillis());
      }
    }
  }

  @Test
  void thousandHalfOpenConnectionsKeepNobodyOut() throws IOException {
    start(AdminConnections.Limits.STANDARD);
    for (int i = 0; i < 1_000; i++) {
      open(i % 2 == 0 ? "" : "GET /health/live HTTP/1.1\r\n" + HOST);
      if (i % 100 == 99) {
        assertThat(ask()).isNotNegative();
      }
    }
  }

  @Test
  void dripOfBytesDoesNotPutTheDeadlineOff() throws Exception {
    start(new AdminConnections.Limits(64, 16, 1_500, 60_000));
    Socket drip = open("GET /health/live HTTP/1.1\r\n" + HOST + "X: ");
    awaitEnd(drip, () -> drip.getOutputStream().write('x'));
    Socket silent = open("");
    awaitEnd(silent, () -> {});
  }

  @Test
  void answerThatIsNotReadEnds() throws Exception {
    start(new AdminConnections.Limits(64, 16, 60_000, 1_500));
    Socket reader = open("GET /api/v1/hosts HTTP/1.1\r\n" + HOST + "\r\n");
    Await.until("the connection is closed", PATIENCE, () -> isReset(reader), () -> "");
  }

  /** Whether the other end has closed the connection; reads nothing. */
  private static boolean isReset(Socket socket) {
    try {
      socket.getOutputStream().write('x');
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Test
  void connectionThatIsUsedIsKept() throws Exception {
    start(new AdminConnections.Limits(64, 16, 60_000, 60_000));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      for (int i = 0; i < 3; i++) {
        String request = "GET /health/live HTTP/1.1\r\n" + HOST + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        assertThat(socket.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 200");
        // The rest of this answer, before the next begins.
        assertThat(restOfAnswer(socket.getInputStream())).contains("\"live\":true");
        for (int more = 0; more < 20; more++) {
          open("");
        }
      }
    }
  }

  @Test
  void oneMachineTakesPlacesFromItselfFirst() throws Exception {
    start(new AdminConnections.Limits(8, 2, 60_000, 60_000));
    String request = "GET /health/live HTTP/1.1\r\n" + HOST + "\r\n";
    try (Socket kept = new Socket(InetAddress.getLoopbackAddress(), port)) {
      kept.setSoTimeout((int) PATIENCE.toMillis());
      for (int i = 0; i < 3; i++) {
        kept.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        assertThat(kept.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 200");
        assertThat(restOfAnswer(kept.getInputStream())).contains("\"live\":true");
        for (int more = 0; more < 20; more++) {
          Socket crowd = new Socket();
          slow.add(crowd);
          crowd.bind(new InetSocketAddress("127.0.0.2", 0));
          crowd.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
        ask();
      }
    }
  }

  private static String restOfAnswer(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.length() == 0 || text.charAt(text.length() - 1) != '}') {
      text.append((char) in.read());
    }
    return text.toString();
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Takes a step every now and then until the server has closed the connection. */
  private static void awaitEnd(Socket socket, Step step) {
    Await.until("the connection is closed", PATIENCE, () -> hasEnded(socket, step), () -> "");
  }

  private static boolean hasEnded(Socket socket, Step step) {
    try {
      step.run();
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException quiet) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }
}
