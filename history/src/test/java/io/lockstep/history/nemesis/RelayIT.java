package io.lockstep.history.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.deploy.launch.PortBlock;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A relay between two sockets of this process. */
@Timeout(300)
class RelayIT {
  private static final int PATIENCE_MILLIS = 60_000;
  private static final int SILENCE_MILLIS = 300;

  private final PortBlock ports = PortBlock.take();
  private final EventLoopGroup group = new NioEventLoopGroup(1);
  private ServerSocket target;
  private Relay relay;
  private Socket dialler;
  private Socket accepted;

  @BeforeEach
  void connect() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    target = new ServerSocket(ports.port(1), 5, loopback);
    relay = Relay.open(group, ports.port(2), ports.port(1), new Random(1));
    dialler = new Socket(loopback, ports.port(2));
    accepted = target.accept();
    dialler.setSoTimeout(PATIENCE_MILLIS);
    accepted.setSoTimeout(PATIENCE_MILLIS);
    say(dialler, 1);
    assertThat(accepted.getInputStream().read()).isEqualTo(1);
  }

  @AfterEach
  void close() throws IOException {
    dialler.close();
    accepted.close();
    relay.close();
    target.close();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    ports.close();
  }

  private static void say(Socket socket, int octet) throws IOException {
    socket.getOutputStream().write(octet);
  }

  private static void isSilent(Socket socket) throws IOException {
    socket.setSoTimeout(SILENCE_MILLIS);
    assertThatThrownBy(() -> socket.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  private void treat(Treatment towards, Treatment back) {
    relay.treat(towards, back, 50);
    // The loop works in order: once this is done, so is that.
    group.next().submit(() -> {}).awaitUninterruptibly();
  }

  @Test
  void whatIsHeldGoesThroughAfterwards() throws Exception {
    treat(Treatment.HOLD, Treatment.PASS);
    say(dialler, 7);
    say(accepted, 8);
    assertThat(dialler.getInputStream().read()).isEqualTo(8);
    isSilent(accepted);
    relay.heal();
    assertThat(accepted.getInputStream().read()).isEqualTo(7);
  }

  @Test
  void aConnectionThatLostBytesEndsWithTheFault() throws Exception {
    treat(Treatment.PASS, Treatment.DROP);
    say(accepted, 7);
    isSilent(dialler);
    say(dialler, 8);
    assertThat(accepted.getInputStream().read()).isEqualTo(8);
    relay.heal();
    assertThat(dialler.getInputStream().read()).isEqualTo(-1);
    assertThat(accepted.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void delayedBytesKeepTheirOrder() throws Exception {
    treat(Treatment.DELAY, Treatment.DELAY);
    for (int octet = 0; octet < 10; octet++) {
      say(dialler, octet);
    }
    for (int octet = 0; octet < 10; octet++) {
      assertThat(accepted.getInputStream().read()).isEqualTo(octet);
    }
  }

  /** Also where the fault ends while bytes are on their way. */
  @Test
  void lateBytesKeepTheirOrder() throws Exception {
    treat(Treatment.LATE, Treatment.PASS);
    long begin = System.nanoTime();
    for (int octet = 0; octet < 10; octet++) {
      say(dialler, octet);
    }
    assertThat(accepted.getInputStream().read()).isZero();
    assertThat(System.nanoTime() - begin).isGreaterThan(50_000_000);
    for (int octet = 1; octet < 10; octet++) {
      assertThat(accepted.getInputStream().read()).isEqualTo(octet);
    }
    say(dialler, 10);
    relay.heal();
    say(dialler, 11);
    assertThat(accepted.getInputStream().read()).isEqualTo(10);
    assertThat(accepted.getInputStream().read()).isEqualTo(11);
  }

  @Test
  void theEndOfOneSideIsTheEndOfTheOther() throws Exception {
    accepted.close();
    assertThat(dialler.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void whereNobodyListensTheRelayRefusesUntilSomebodyDoes() throws Exception {
    target.close();
    InetAddress loopback = InetAddress.getLoopbackAddress();
    long refusedBy = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    boolean refused = false;
    while (!refused && System.nanoTime() - refusedBy < 0) {
      try (Socket ended = new Socket(loopback, ports.port(2))) {
        ended.setSoTimeout(PATIENCE_MILLIS);
        assertThat(ended.getInputStream().read()).isEqualTo(-1);
      } catch (ConnectException asItShouldBe) {
        refused = true;
      } catch (SocketException resetWhileItClosed) {
        assertThat(refused).isFalse();
      }
    }
    assertThat(refused).isTrue();
    target = new ServerSocket(ports.port(1), 5, loopback);
    target.setSoTimeout(1_000);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    boolean through = false;
    while (!through && System.nanoTime() - deadline < 0) {
      try (Socket again = new Socket(loopback, ports.port(2))) {
        say(again, 9);
        try (Socket end = target.accept()) {
          through = end.getInputStream().read() == 9;
        }
      } catch (SocketException | SocketTimeoutException notYet) {
        Thread.onSpinWait();
      }
    }
    assertThat(through).isTrue();
  }
}
