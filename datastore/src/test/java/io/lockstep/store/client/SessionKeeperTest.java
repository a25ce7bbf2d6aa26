package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient.SessionListener;
import io.lockstep.store.StoreClient.SessionState;
import io.lockstep.store.TableSpec;
import io.lockstep.store.core.StoreStateMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Sessions and the queue in simulated time. */
class SessionKeeperTest {
  private static final Command INCREMENT = new Command.Increment("t", Bytes.utf8("k"), 1);

  private static final Map<String, TableSpec> TABLES = Map.of("t", TableSpec.values());

  private final SimulatedLoop loop = new SimulatedLoop();
  private final StoreStateMachine machine = new StoreStateMachine(List.of());
  private final SimulatedCluster cluster =
      new SimulatedCluster(loop, new Random(1), List.of(machine));
  private final SimulatedCluster.Connection connection = cluster.connect(4);
  private final List<String> news = new ArrayList<>();

  SessionKeeperTest() {
    cluster.heal();
  }

  @Test
  void idleSessionIsKeptAliveAndKnownToBeValid() {
    BatchingStoreClient client = open(3_000, 10_000, 100);
    loop.run(1_000);
    long session = client.session().sessionId();
    for (int i = 0; i < 100; i++) {
      loop.run(777);
      assertThat(machine.sessionAlive(session)).isTrue();
      assertThat(leftMillis(client.session())).isBetween(1_700L, 2_940L);
    }
    assertThat(news).containsExactly("opened " + session);
  }

  @Test
  void validityRunsOutWithoutQuorumBeforeTheReplicasCouldEndTheSession() {
    BatchingStoreClient client = open(3_000, 10_000, 100);
    loop.run(1_000);
    SessionState before = client.session();
    cluster.setQuorum(false);
    loop.run(60_000);
    assertThat(client.session().sessionId()).isEqualTo(before.sessionId());
    assertThat(leftMillis(client.session())).isNegative();
    cluster.setQuorum(true);
    loop.run(2_000);
    // Time stood still for the replicas: it is the same session.
    assertThat(client.session().sessionId()).isEqualTo(before.sessionId());
    assertThat(leftMillis(client.session())).isPositive();
    assertThat(news).hasSize(1);
  }

  /** Their replies may come before they are durable; then their sign of life can be lost. */
  @Test
  void readsMakeTheSessionNoLongerValid() {
    BatchingStoreClient client = open(3_000, 10_000, 100);
    loop.run(1_000);
    long until = client.session().validUntilNanos();
    for (int i = 0; i < 10; i++) {
      CompletableFuture<Reply> read = client.submit(new Command.Get("t", Bytes.utf8("k")));
      loop.run(20);
      assertThat(read).isCompletedWithValue(new Reply.Absent());
    }
    assertThat(client.session().validUntilNanos()).isEqualTo(until);
    CompletableFuture<Reply> write = client.submit(INCREMENT);
    loop.run(20);
    assertThat(write.join()).isInstanceOf(Reply.Counter.class);
    assertThat(client.session().validUntilNanos()).isGreaterThan(until);
  }

  @Test
  void sessionOfAClientThatOnlyReadsIsKeptAlive() {
    BatchingStoreClient client = open(3_000, 10_000, 100);
    loop.run(1_000);
    long session = client.session().sessionId();
    for (int i = 0; i < 500; i++) {
      CompletableFuture<Reply> read = client.submit(new Command.Get("t", Bytes.utf8("k")));
      loop.run(20);
      assertThat(read).isCompletedWithValue(new Reply.Absent());
      assertThat(leftMillis(client.session())).isPositive();
    }
    assertThat(machine.sessionAlive(session)).isTrue();
    assertThat(news).containsExactly("opened " + session);
  }

  @Test
  void lostSessionIsReplacedAndBothAreTold() {
    BatchingStoreClient client = open(3_000, 60_000, 100);
    BatchingStoreClient other =
        BatchingStoreClient.open(
            cluster.connect(4), ClientOptions.of("other"), loop::nowNanos, () -> 99);
    loop.run(1_000);
    long first = client.session().sessionId();
    CompletableFuture<Reply> closed = other.submit(new Command.CloseSession(first));
    loop.run(100);
    assertThat(closed.join()).isInstanceOf(Reply.Applied.class);
    CompletableFuture<Reply> refused = client.submit(INCREMENT);
    loop.run(1_000);
    assertThat(refused)
        .isCompletedWithValueMatching(
            reply ->
                reply instanceof Reply.Rejected rejected
                    && rejected.reason() == Reply.Reason.SESSION_ENDED);
    long second = client.session().sessionId();
    assertThat(second).isNotZero().isNotEqualTo(first);
    assertThat(news).containsExactly("opened " + first, "ended " + first, "opened " + second);
    CompletableFuture<Reply> applied = client.submit(INCREMENT);
    loop.run(100);
    assertThat(applied.join()).isInstanceOf(Reply.Counter.class);
  }

  @Test
  void tickThatFailedIsFollowedByTheNext() {
    AtomicInteger nonces = new AtomicInteger();
    BatchingStoreClient client =
        BatchingStoreClient.open(
            cluster.connect(4),
            ClientOptions.of("unlucky"),
            loop::nowNanos,
            () -> {
              if (nonces.getAndIncrement() == 0) {
                throw new IllegalStateException("no nonce");
              }
              return 7;
            });
    assertThatThrownBy(() -> loop.run(0)).hasRootCauseMessage("no nonce");
    loop.run(1_000);
    assertThat(client.session().sessionId()).isNotZero();
  }

  @Test
  void commandsWaitForASessionUntilTheirDeadline() {
    cluster.setQuorum(false);
    BatchingStoreClient client = open(3_000, 2_000, 100);
    CompletableFuture<Reply> early = client.submit(INCREMENT);
    loop.run(1_500);
    assertThat(early).isNotDone();
    CompletableFuture<Reply> late = client.submit(INCREMENT);
    loop.run(1_000);
    assertThat(early).isCompletedWithValueMatching(SessionKeeperTest::isNotSent);
    cluster.setQuorum(true);
    loop.run(2_000);
    assertThat(late.join()).matches(reply -> reply instanceof Reply.Counter c && c.value() == 1);
  }

  @Test
  void queueIsBounded() {
    cluster.setQuorum(false);
    BatchingStoreClient client = open(3_000, 2_000, 100);
    for (int i = 0; i < 100; i++) {
      assertThat(client.submit(INCREMENT)).isNotDone();
    }
    assertThat(client.submit(INCREMENT)).isCompletedWithValueMatching(SessionKeeperTest::isNotSent);
    cluster.setQuorum(true);
    loop.run(2_000);
    CompletableFuture<Reply> after = client.submit(INCREMENT);
    loop.run(100);
    assertThat(after.join()).matches(reply -> reply instanceof Reply.Counter c && c.value() == 101);
  }

  @Test
  void lostReplyIsUnknownAndNeverAppliedTwice() {
    BatchingStoreClient client = open(600_000, 10_000, 100);
    loop.run(1_000);
    CompletableFuture<Reply> lost = client.submit(INCREMENT);
    loop.run(1);
    connection.setCut(true);
    loop.run(2_000);
    assertThat(lost.join()).isInstanceOf(Reply.Unknown.class);
    connection.setCut(false);
    CompletableFuture<Reply> next = client.submit(INCREMENT);
    loop.run(1_000);
    assertThat(((Reply.Counter) next.join()).value()).isBetween(1L, 2L);
  }

  @Test
  void outOfBoundsIsRejectedWithoutBeingSent() {
    BatchingStoreClient client = open(3_000, 10_000, 100);
    assertThat(client.submit(new Command.Get("No Table", Bytes.empty())))
        .isCompletedWithValueMatching(
            reply ->
                reply instanceof Reply.Rejected rejected
                    && rejected.reason() == Reply.Reason.OUT_OF_BOUNDS);
  }

  @Test
  void manyCommandsTravelInFewRequests() {
    BatchingStoreClient client = open(600_000, 10_000, 1_000);
    loop.run(1_000);
    int[] batches = {0};
    cluster.afterEachBatch(() -> batches[0]++);
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < 640; i++) {
      replies.add(client.submit(INCREMENT));
    }
    loop.run(1_000);
    assertThat(replies).allMatch(reply -> reply.join() instanceof Reply.Counter);
    assertThat(batches[0]).isBetween(1, 10);
  }

  private BatchingStoreClient open(int timeToLive, long queueDeadline, int capacity) {
    ClientOptions options = new ClientOptions("node", timeToLive, queueDeadline, capacity, TABLES);
    long[] nonce = {0};
    BatchingStoreClient client =
        BatchingStoreClient.open(connection, options, loop::nowNanos, () -> ++nonce[0]);
    client.onSessionChange(
        new SessionListener() {
          @Override
          public void opened(long sessionId) {
            news.add("opened " + sessionId);
          }

          @Override
          public void ended(long sessionId) {
            news.add("ended " + sessionId);
          }
        });
    return client;
  }

  private long leftMillis(SessionState state) {
    return TimeUnit.NANOSECONDS.toMillis(state.validUntilNanos() - loop.nowNanos());
  }

  private static boolean isNotSent(Reply reply) {
    return reply instanceof Reply.Rejected rejected && rejected.reason() == Reply.Reason.NOT_SENT;
  }
}
