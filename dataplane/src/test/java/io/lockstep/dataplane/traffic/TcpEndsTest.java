package io.lockstep.dataplane.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A TCP sender and a receiver without a switch between them. */
class TcpEndsTest {
  private static final long MILLI = 1_000_000;

  private final VirtualTime time = new VirtualTime();
  private final List<String> told = new ArrayList<>();
  private final TcpReceiver receiver =
      new TcpReceiver(time, news -> told.add(news.upTo() + " " + news.beyond()));

  @Test
  void everySecondSegmentIsAcknowledgedAndALoneOneLater() {
    receiver.receive(0);
    assertThat(told).isEmpty();
    receiver.receive(1);
    assertThat(told).containsExactly("2 {}");
    receiver.receive(2);
    time.runUntil(39 * MILLI);
    assertThat(told).hasSize(1);
    time.runUntil(40 * MILLI);
    assertThat(told).containsExactly("2 {}", "3 {}");
  }

  @Test
  void gapsAreToldAtOnce() {
    receiver.receive(0);
    receiver.receive(2);
    receiver.receive(4);
    receiver.receive(1);
    receiver.receive(1);
    receiver.receive(3);
    assertThat(told).containsExactly("1 {1}", "1 {1, 3}", "3 {1}", "3 {1}", "5 {}");
    assertThat(receiver.delivered()).isEqualTo(5);
  }

  @Test
  void anAcknowledgementKnowsWhatHasArrived() {
    BitSet beyond = new BitSet();
    beyond.set(2);
    Acknowledgement news = new Acknowledgement(10, beyond);
    assertThat(news.has(9)).isTrue();
    assertThat(news.has(10)).isFalse();
    assertThat(news.has(12)).isTrue();
  }

  /** Whatever is lost, repeated or overtaken: all arrives in the end, and the flow goes on. */
  @Test
  void allArrivesOverBadWays() {
    for (long seed = 1; seed <= 40; seed++) {
      Random random = new Random(seed);
      double loss = random.nextInt(4) * 0.1;
      long[] spread = {MILLI, random.nextInt(3) * (5 * MILLI)};
      VirtualTime clock = new VirtualTime();
      Ends ends = new Ends(clock, random, loss, spread);
      ends.sender.start();
      clock.runUntil(200_000 * MILLI);
      long soFar = ends.receiver.delivered();
      assertThat(soFar).as("seed %d loss %f", seed, loss).isGreaterThan(200);
      clock.runUntil(600_000 * MILLI);
      assertThat(ends.receiver.delivered()).as("seed %d", seed).isGreaterThan(soFar);
    }
  }

  private static final class Ends {
    private final VirtualTime time;
    private final Random random;
    private final double loss;
    private final long[] spread;
    final TcpReceiver receiver;
    final TcpSender sender;

    Ends(VirtualTime time, Random random, double loss, long[] spread) {
      this.time = time;
      this.random = random;
      this.loss = loss;
      this.spread = spread;
      this.receiver = new TcpReceiver(time, news -> over(() -> heard(news)));
      this.sender = new TcpSender(time, segment -> over(() -> arrived(segment)), 64);
    }

    private void over(Runnable arrival) {
      if (random.nextDouble() >= loss) {
        long delay = spread[0] + (spread[1] == 0 ? 0 : random.nextLong(spread[1]));
        time.at(time.nowNanos() + delay, arrival);
      }
    }

    private void heard(Acknowledgement news) {
      sender.acknowledged(news);
    }

    private void arrived(long segment) {
      receiver.receive(segment);
    }
  }

  @Test
  void eventsRunInOrderAndNotInThePast() {
    List<String> ran = new ArrayList<>();
    time.at(5, () -> ran.add("b"));
    time.at(3, () -> ran.add("a"));
    time.at(5, () -> ran.add("c"));
    time.at(9, () -> ran.add("late"));
    time.runUntil(5);
    assertThat(ran).containsExactly("a", "b", "c");
    assertThat(time.nowNanos()).isEqualTo(5);
    assertThatThrownBy(() -> time.at(4, () -> ran.add("past")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
