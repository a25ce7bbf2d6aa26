package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient.SessionListener;
import io.lockstep.store.TableSpec;
import io.lockstep.store.Transaction;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What becomes of commands that wait to be sent, or to be sent again. */
class QueuedCommandsTest {
  private static final Bytes KEY = Bytes.utf8("k");
  private static final Command INCREMENT = new Command.Increment("t", KEY, 1);

  private final SimulatedLoop loop = new SimulatedLoop();
  private final StoreStateMachine machine = new StoreStateMachine(List.of(new Large()));
  private final SimulatedCluster cluster =
      new SimulatedCluster(loop, new Random(1), List.of(machine));
  private final SimulatedCluster.Connection connection = cluster.connect(4);
  private final BatchingStoreClient client;
  private final BatchingStoreClient other;
  private CompletableFuture<Reply> between = new CompletableFuture<>();

  QueuedCommandsTest() {
    cluster.heal();
    long[] nonce = {0};
    ClientOptions options =
        new ClientOptions("node", 3_000, 60_000, 10_000, Map.of("t", TableSpec.values()));
    client = BatchingStoreClient.open(connection, options, loop::nowNanos, () -> ++nonce[0]);
    other =
        BatchingStoreClient.open(
            cluster.connect(4), ClientOptions.of("other"), loop::nowNanos, () -> 99);
    loop.run(1_000);
  }

  private List<CompletableFuture<Reply>> submit(int count, Command command) {
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      replies.add(client.submit(command));
    }
    return replies;
  }

  private static boolean isSessionEnded(Reply reply) {
    return reply instanceof Reply.Rejected rejected
        && rejected.reason() == Reply.Reason.SESSION_ENDED;
  }

  /** Others end the session while more is submitted than can be on its way. */
  private void endTheSessionBehindItsBack() {
    long session = client.session().sessionId();
    connection.setCut(true);
    CompletableFuture<Reply> closed = other.submit(new Command.CloseSession(session));
    loop.run(50);
    assertThat(closed.join()).isInstanceOf(Reply.Applied.class);
    assertThat(machine.sessionAlive(session)).isFalse();
    assertThat(client.session().sessionId()).isEqualTo(session);
    // No more requests can be on their way after these: what comes now waits.
    for (int request = 0; request < 3; request++) {
      submit(4, INCREMENT);
      loop.run(5);
    }
  }

  private void comeBack() {
    loop.run(50);
    connection.setCut(false);
    loop.run(2_000);
    assertThat(client.session().sessionId()).isNotZero();
  }

  @Test
  void writesThatWaitedUnderASessionThatEndedAreRefusedAndNotCarriedOut() {
    endTheSessionBehindItsBack();
    List<CompletableFuture<Reply>> writes = submit(40, INCREMENT);
    comeBack();
    assertThat(writes).allMatch(write -> isSessionEnded(write.join()));
    CompletableFuture<Reply> next = client.submit(INCREMENT);
    loop.run(100);
    assertThat(((Reply.Counter) next.join()).value()).isEqualTo(1);
  }

  @Test
  void guardedOnesAndBatchesAreRefusedToo() {
    endTheSessionBehindItsBack();
    List<CompletableFuture<Reply>> writes = new ArrayList<>();
    for (Command command :
        List.of(
            new Command.PutIfAbsent("t", KEY, KEY),
            new Command.Replace("t", KEY, 1, KEY),
            new Command.Call("large", KEY),
            new Command.Batch(
                List.of(new Command.Guard("t", KEY, 0)),
                List.of(new Command.Put("t", KEY, KEY))))) {
      writes.add(client.submit(command));
    }
    comeBack();
    assertThat(writes).allMatch(write -> isSessionEnded(write.join()));
  }

  @Test
  void readsThatWaitedGoOnUnderTheNextSession() {
    endTheSessionBehindItsBack();
    CompletableFuture<Reply> read = client.submit(new Command.Get("t", KEY));
    Command batch = new Command.Batch(List.of(), List.of(new Command.Get("t", KEY)));
    CompletableFuture<Reply> reads = client.submit(batch);
    CompletableFuture<Reply> changes =
        client.submit(new Command.ReadChanges(List.of("t"), Long.MAX_VALUE, 1));
    comeBack();
    assertThat(read.join()).isEqualTo(new Reply.Absent());
    assertThat(reads.join()).isInstanceOf(Reply.Batched.class);
    assertThat(changes.join()).isInstanceOf(Reply.Changes.class);
  }

  @Test
  void whatIsSubmittedBetweenTwoSessionsIsSentUnderTheNext() {
    endTheSessionBehindItsBack();
    client.onSessionChange(
        new SessionListener() {
          @Override
          public void opened(long sessionId) {}

          @Override
          public void ended(long sessionId) {
            between = client.submit(INCREMENT);
          }
        });
    CompletableFuture<Reply> before = client.submit(INCREMENT);
    comeBack();
    assertThat(before.join()).matches(QueuedCommandsTest::isSessionEnded);
    assertThat(between.join()).isInstanceOf(Reply.Counter.class);
  }

  /** Their replies do not fit into one answer; the caller does not hear of that. */
  @Test
  void commandsWithLongRepliesAreSentAgainInSmallerRequests() {
    machine.adopt(new Rules(2, 4_000));
    List<CompletableFuture<Reply>> calls = submit(100, new Command.Call("large", KEY));
    loop.run(20_000);
    assertThat(calls).allMatch(call -> call.join() instanceof Reply.Returned);
    CompletableFuture<Reply> counter = client.submit(INCREMENT);
    loop.run(100);
    assertThat(((Reply.Counter) counter.join()).value()).isEqualTo(101);
  }

  /** Counts its calls and returns a megabyte. */
  private static final class Large implements MicroComponent {
    @Override
    public String name() {
      return "large";
    }

    @Override
    public Bytes call(Transaction transaction, Bytes argument) {
      transaction.increment("t", KEY, 1);
      return Bytes.wrap(new byte[1 << 20]);
    }
  }
}
