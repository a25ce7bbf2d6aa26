package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderingClient;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** From when on a session's lease counts, and for how long, in schedules made by hand. */
class LeaseTest {
  private static final int LEASE_MILLIS = 3_000;

  /** Of the lease, less 2 % for the drift of the clocks. */
  private static final long SURE_MILLIS = 2_940;

  private static final Map<String, TableSpec> TABLES = Map.of("t", TableSpec.values());
  private static final Command INCREMENT = new Command.Increment("t", Bytes.utf8("k"), 1);

  private final SimulatedLoop loop = new SimulatedLoop();
  private final StoreStateMachine machine = new StoreStateMachine(List.of());

  /** Requests are ordered at once; their answers come when the test says so. */
  private final class SlowAnswers implements OrderingClient {
    private record Held(CompletableFuture<byte[]> future, byte[] answer) {}

    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private long instance;

    @Override
    public CompletableFuture<byte[]> submit(byte[] request) {
      long timeMillis = TimeUnit.NANOSECONDS.toMillis(loop.nowNanos());
      CompletableFuture<byte[]> future = new CompletableFuture<>();
      byte[] answer = machine.apply(instance++, timeMillis, List.of(request)).get(0).bytes();
      held.add(new Held(future, answer));
      return future;
    }

    void answer() {
      Held next = held.remove();
      next.future.complete(next.answer);
      loop.run(0);
    }

    void answerLast() {
      Held last = held.removeLast();
      last.future.complete(last.answer);
      loop.run(0);
    }

    void answerAll() {
      while (!held.isEmpty()) {
        answer();
      }
    }

    @Override
    public int window() {
      return 8;
    }

    @Override
    public ScheduledExecutorService loop() {
      return loop;
    }

    @Override
    public void close() {}
  }

  private BatchingStoreClient open(OrderingClient connection) {
    ClientOptions options = new ClientOptions("node", LEASE_MILLIS, 10_000, 100, TABLES);
    return BatchingStoreClient.open(connection, options, loop::nowNanos, () -> 1);
  }

  private static long sureUntil(long sentNanos) {
    return sentNanos + TimeUnit.MILLISECONDS.toNanos(SURE_MILLIS);
  }

  @Test
  void openedSessionCountsFromTheSendingAndNotFromTheAnswer() {
    SlowAnswers answers = new SlowAnswers();
    BatchingStoreClient client = open(answers);
    loop.run(0);
    long sentNanos = loop.nowNanos();
    assertThat(answers.held).as("the request for a session").hasSize(1);
    loop.run(900);
    answers.answer();
    assertThat(client.session().sessionId()).isNotZero();
    assertThat(client.session().validUntilNanos()).isEqualTo(sureUntil(sentNanos));
  }

  @Test
  void signOfLifeCountsFromTheSendingAndNotFromTheAnswer() {
    SlowAnswers answers = new SlowAnswers();
    BatchingStoreClient client = open(answers);
    loop.run(0);
    answers.answerAll();
    loop.run(0);
    answers.answerAll();
    while (answers.held.isEmpty()) {
      loop.run(1);
    }
    long sentNanos = loop.nowNanos();
    loop.run(1_100);
    answers.answer();
    assertThat(client.session().validUntilNanos()).isEqualTo(sureUntil(sentNanos));
  }

  @Test
  void writeCountsFromTheSendingAndNotFromTheAnswer() {
    SlowAnswers answers = new SlowAnswers();
    BatchingStoreClient client = open(answers);
    loop.run(0);
    answers.answerAll();
    loop.run(0);
    answers.answerAll();
    loop.run(300);
    CompletableFuture<Reply> write = client.submit(INCREMENT);
    loop.run(0);
    long sentNanos = loop.nowNanos();
    assertThat(answers.held).as("the write").hasSize(1);
    loop.run(700);
    answers.answer();
    assertThat(write.join()).isInstanceOf(Reply.Counter.class);
    assertThat(client.session().validUntilNanos()).isEqualTo(sureUntil(sentNanos));
  }

  @Test
  void answerToAnEarlierRequestDoesNotShortenTheLease() {
    SlowAnswers answers = new SlowAnswers();
    BatchingStoreClient client = open(answers);
    loop.run(0);
    answers.answerAll();
    loop.run(0);
    answers.answerAll();
    loop.run(100);
    CompletableFuture<Reply> first = client.submit(INCREMENT);
    loop.run(200);
    CompletableFuture<Reply> second = client.submit(INCREMENT);
    loop.run(0);
    long sentNanos = loop.nowNanos();
    assertThat(answers.held).as("the writes").hasSize(2);
    loop.run(100);
    answers.answerLast();
    assertThat(second.join()).isInstanceOf(Reply.Counter.class);
    answers.answer();
    assertThat(first.join()).isInstanceOf(Reply.Counter.class);
    assertThat(client.session().validUntilNanos()).isEqualTo(sureUntil(sentNanos));
  }

  @Test
  void signsOfLifeWithoutAnAnswerDoNotPileUp() {
    SlowAnswers answers = new SlowAnswers();
    BatchingStoreClient client = open(answers);
    loop.run(0);
    answers.answerAll();
    loop.run(0);
    answers.answerAll();
    for (int round = 0; round < 3; round++) {
      loop.run(LEASE_MILLIS - 500);
      assertThat(answers.held).hasSize(2);
      answers.answerAll();
    }
    assertThat(client.session().sessionId()).isNotZero();
  }

  /**
   * The schedule in which wall clocks as leaders' times ended a lease of 3000 ms after some 2000,
   * while its client was sure of it for longer: two leader changes to clocks that are ahead.
   */
  @Test
  void leadersWithWallClocksThatAreAheadDoNotShortenALease() {
    SimulatedCluster cluster = new SimulatedCluster(loop, new Random(1), List.of(machine));
    cluster.heal();
    cluster.leaders().setWallClock(1, 10_000_000);
    cluster.leaders().setWallClock(2, 20_000_000);
    SimulatedCluster.Connection connection = cluster.connect(4);
    BatchingStoreClient client = open(connection);
    BatchingStoreClient other =
        BatchingStoreClient.open(
            cluster.connect(4),
            new ClientOptions("other", 600_000, 10_000, 100, TABLES),
            loop::nowNanos,
            () -> 2);
    loop.run(1_000);
    assertThat(client.submit(INCREMENT)).isNotDone();
    loop.run(20);
    connection.setCut(true);
    long session = client.session().sessionId();
    long cutNanos = loop.nowNanos();
    long endedAfterMillis = -1;
    List<CompletableFuture<Reply>> writes = new ArrayList<>();
    for (int millis = 0; millis < 3_200; millis += 10) {
      if (millis == 500 || millis == 1_000) {
        cluster.leaders().change();
      }
      writes.add(other.submit(INCREMENT));
      loop.run(10);
      boolean sure = client.session().validUntilNanos() - loop.nowNanos() > 0;
      assertThat(machine.sessionAlive(session) || !sure).as("%s ms later", millis).isTrue();
      if (!machine.sessionAlive(session) && endedAfterMillis < 0) {
        endedAfterMillis = TimeUnit.NANOSECONDS.toMillis(loop.nowNanos() - cutNanos);
      }
    }
    // The last sign of life was up to 20 ms old; leaders hear of each other's proposals late.
    assertThat(endedAfterMillis).as("end of the lease").isBetween(2_975L, 3_100L);
    loop.run(1_000);
    assertThat(writes)
        .allSatisfy(write -> assertThat(write.join()).isInstanceOf(Reply.Counter.class));
  }
}
