package io.lockstep.dataplane.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WireTest {
  private final DefaultEventLoop loop = new DefaultEventLoop();
  private final ManualTime clock = new ManualTime();
  private final Receiver receiver = new Receiver();

  @AfterEach
  void stop() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private Wire wire(LinkQuality quality) {
    return new Wire(receiver, 7, quality, clock);
  }

  private List<Integer> received() {
    loop.submit(() -> {}).syncUninterruptibly(); // after the drain that was scheduled
    return loop.submit(() -> List.copyOf(receiver.frames)).syncUninterruptibly().getNow();
  }

  private static byte[] frame(int number) {
    return new byte[] {(byte) number};
  }

  @Test
  void framesArriveInOrder() {
    Wire wire = wire(LinkQuality.ORDINARY);
    for (int i = 0; i < 50; i++) {
      assertThat(wire.send(frame(i))).isTrue();
    }
    assertThat(received()).hasSize(50).isSorted();
    assertThat(wire.carried()).isEqualTo(50);
    assertThat(wire.dropped()).isZero();
  }

  @Test
  void delayedFramesArriveWhenTheirTimeHasCome() {
    Wire wire = wire(LinkQuality.ORDINARY.withDelayNanos(Duration.ofMillis(10).toNanos()));
    wire.send(frame(1));
    received(); // it is on its way, due by the clock as it is now
    clock.advance(Duration.ofMillis(4));
    wire.send(frame(2));
    assertThat(received()).isEmpty();
    clock.advance(Duration.ofMillis(6));
    assertThat(received()).containsExactly(1);
    clock.advance(Duration.ofMillis(4));
    assertThat(received()).containsExactly(1, 2);
  }

  /** A burst of a quarter of the queue leaves at once, the rest at the link's rate. */
  @Test
  void framesLeaveAtTheLinksRate() {
    Wire wire = wire(new LinkQuality(0, 40, 1000));
    for (int i = 0; i < 20; i++) {
      assertThat(wire.send(frame(i))).isTrue();
    }
    assertThat(received()).hasSize(10);
    clock.advance(Duration.ofMillis(4));
    assertThat(received()).hasSize(14);
    clock.advance(Duration.ofMillis(6));
    assertThat(received()).hasSize(20);
  }

  @Test
  void fullQueueDropsAndCounts() {
    Wire wire = wire(new LinkQuality(Duration.ofSeconds(1).toNanos(), 8, 1000));
    for (int i = 0; i < 20; i++) {
      assertThat(wire.send(frame(i))).isEqualTo(i < 8);
    }
    assertThat(wire.dropped()).isEqualTo(12);
    received(); // the first is on its way
    clock.advance(Duration.ofSeconds(2));
    assertThat(received()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  void cutWireLosesWhatIsOnTheWayAndWhatIsSent() {
    Wire wire = wire(LinkQuality.ORDINARY.withDelayNanos(Duration.ofMillis(10).toNanos()));
    wire.send(frame(1));
    received(); // it is on its way
    wire.setUp(false);
    assertThat(wire.send(frame(2))).isFalse();
    clock.advance(Duration.ofMillis(10));
    assertThat(received()).isEmpty();
    assertThat(wire.dropped()).isEqualTo(2);
    wire.setUp(true);
    wire.send(frame(3));
    received();
    clock.advance(Duration.ofMillis(10));
    assertThat(received()).containsExactly(3);
  }

  private final class Receiver implements Station {
    final List<Integer> frames = new ArrayList<>();

    @Override
    public EventExecutor loop() {
      return loop;
    }

    @Override
    public void receive(int port, byte[] frame) {
      assertThat(port).isEqualTo(7);
      frames.add((int) frame[0]);
    }

    @Override
    public void plugged(int port, Wire out) {
      throw new AssertionError("not used");
    }

    @Override
    public void unplugged(int port) {
      throw new AssertionError("not used");
    }

    @Override
    public void linkChanged(int port, boolean up) {
      throw new AssertionError("not used");
    }
  }
}
