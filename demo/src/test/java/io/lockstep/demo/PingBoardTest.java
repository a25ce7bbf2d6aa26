package io.lockstep.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.demo.PingBoard.Counts;
import io.lockstep.demo.PingBoard.Phase;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init") // each test makes its board
class PingBoardTest {
  private PingBoard board;

  @AfterEach
  void close() {
    board.close();
  }

  @Test
  void everyOrderedPairIsPingedAndNobodyPingsItself() throws InterruptedException {
    Set<String> pairs = ConcurrentHashMap.newKeySet();
    CountDownLatch twoRounds = new CountDownLatch(13);
    board =
        PingBoard.idle(
            3,
            (from, to, answered) -> {
              pairs.add(from + ">" + to);
              answered.accept(1);
              twoRounds.countDown();
            });
    board.start();
    assertThat(twoRounds.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(pairs).containsExactlyInAnyOrder("0>1", "0>2", "1>0", "1>2", "2>0", "2>1");
    assertThat(board.tally().allAnswered()).isTrue();
  }

  @Test
  void aPingThatCannotBeSentIsLostAndTheNextOnesAreSent() throws InterruptedException {
    CountDownLatch tries = new CountDownLatch(4);
    board =
        PingBoard.idle(
            2,
            (from, to, answered) -> {
              tries.countDown();
              throw new IllegalStateException("no such host");
            });
    board.start();
    assertThat(tries.await(60, TimeUnit.SECONDS)).isTrue();
    board.stopSending();
    assertThat(board.tally().inFlight()).isZero();
    Counts counts = board.tally().of(Phase.WARM_UP);
    assertThat(counts.lost()).isEqualTo(counts.sent()).isGreaterThanOrEqualTo(4);
  }

  @Test
  void aPingOnItsWayAtTheKillCountsAsDuring() throws InterruptedException {
    Queue<LongConsumer> open = new ConcurrentLinkedQueue<>();
    CountDownLatch sent = new CountDownLatch(1);
    board =
        PingBoard.idle(
            2,
            (from, to, answered) -> {
              open.add(answered);
              sent.countDown();
            });
    board.enter(Phase.BEFORE);
    board.start();
    assertThat(sent.await(60, TimeUnit.SECONDS)).isTrue();
    board.stopSending();
    int onTheirWay = board.tally().inFlight();
    assertThat(onTheirWay).isPositive();
    board.enter(Phase.DURING);
    open.forEach(answered -> answered.accept(-1));
    assertThat(board.tally().of(Phase.BEFORE)).isEqualTo(Counts.NONE);
    assertThat(board.tally().of(Phase.DURING)).isEqualTo(new Counts(onTheirWay, onTheirWay));
    assertThat(board.tally().inFlight()).isZero();
  }

  @Test
  void aPingOnItsWayAtAChangeCountsAsDisturbedUnlessItWarmsUp() throws InterruptedException {
    Queue<LongConsumer> open = new ConcurrentLinkedQueue<>();
    CountDownLatch sent = new CountDownLatch(1);
    board =
        PingBoard.idle(
            2,
            (from, to, answered) -> {
              open.add(answered);
              sent.countDown();
            });
    board.start();
    assertThat(sent.await(60, TimeUnit.SECONDS)).isTrue();
    board.enter(Phase.AFTER);
    long warming = board.tally().inFlight();
    board.stopSending();
    long onTheirWay = board.tally().inFlight() - warming;
    board.enter(Phase.CHANGE);
    open.forEach(answered -> answered.accept(1));
    assertThat(board.tally().of(Phase.WARM_UP)).isEqualTo(new Counts(warming, 0));
    assertThat(board.tally().of(Phase.CHANGE)).isEqualTo(new Counts(onTheirWay, 0));
    assertThat(board.tally().of(Phase.AFTER)).isEqualTo(Counts.NONE);
  }

  @Test
  void aLostPingIsCountedOnceAndItsPairIsNotAnswered() throws InterruptedException {
    CountDownLatch round = new CountDownLatch(6);
    board =
        PingBoard.idle(
            2,
            (from, to, answered) -> {
              answered.accept(from == 0 ? -1 : 5);
              round.countDown();
            });
    board.start();
    assertThat(round.await(60, TimeUnit.SECONDS)).isTrue();
    board.stopSending();
    Counts counts = board.tally().of(Phase.WARM_UP);
    assertThat(counts.sent()).isGreaterThanOrEqualTo(6);
    assertThat(counts.lost()).isBetween(counts.sent() / 2, (counts.sent() + 1) / 2);
    assertThat(board.tally().allAnswered()).isFalse();
  }
}
