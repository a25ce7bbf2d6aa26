package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient.SessionState;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.engine.OrderingClient;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client whose requests are of a version that the replicas do not read yet. */
@Timeout(60)
class NewerRequestsTest {
  private static final int PATIENCE_MILLIS = 60_000;
  private static final Command.Increment PLUS_ONE = new Command.Increment("t", Bytes.utf8("n"), 1);
  private static final String UNREADABLE =
      "the replicas cannot read the request: at byte 0: expected a request of version 1, found"
          + " version 2, which is newer";

  private final LogLines lines = new LogLines();
  private final List<Member> members = ReplicaPorts.members(1);
  private final SoloStore store = new SoloStore(ReplicaConfig.of("a", 0, members));
  private final Newer engine =
      new Newer(
          BftSmartClient.connect(
              new ClientConfig("a", members, 3, 1024, 1 << 20, 500, PATIENCE_MILLIS)));

  NewerRequestsTest() throws IOException {}

  @AfterEach
  void close() {
    engine.close();
    store.close();
    lines.close();
  }

  /** Marks requests as of the next version. */
  private static final class Newer implements OrderingClient {
    private final OrderingClient behind;
    volatile boolean marks;

    Newer(OrderingClient behind) {
      this.behind = behind;
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] request) {
      if (marks) {
        request[0] = RequestEncoder.VERSION + 1;
      }
      return behind.submit(request);
    }

    @Override
    public int window() {
      return behind.window();
    }

    @Override
    public ScheduledExecutorService loop() {
      return behind.loop();
    }

    @Override
    public void close() {
      behind.close();
    }
  }

  private BatchingStoreClient open(ClientOptions options) {
    return BatchingStoreClient.open(engine, options, System::nanoTime, System::nanoTime);
  }

  private static ClientOptions options(int timeToLiveMillis, int queueMillis) {
    return new ClientOptions(
        "newer", timeToLiveMillis, queueMillis, 1024, Map.of("t", TableSpec.values()));
  }

  private static Reply ended(BatchingStoreClient client) throws Exception {
    return client.submit(PLUS_ONE).get(40, TimeUnit.SECONDS);
  }

  /** The same, again where there was no session in time, or a short one: it was not carried out. */
  private static Reply endedInASession(BatchingStoreClient client) throws Exception {
    Reply reply;
    do {
      reply = ended(client);
    } while (reply instanceof Reply.Rejected rejected
        && (rejected.reason() == Reply.Reason.SESSION_ENDED
            || rejected.reason() == Reply.Reason.NOT_SENT));
    return reply;
  }

  private boolean triedMoreThan(int times) {
    try {
      return store.requests() > times;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static long value(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Counter.class);
    return ((Reply.Counter) reply).value();
  }

  @Test
  void refusedByNameWithoutLossAndTheSessionGoesOn() throws Exception {
    try (BatchingStoreClient client = open(options(PATIENCE_MILLIS, PATIENCE_MILLIS))) {
      assertThat(value(ended(client))).isEqualTo(1);
      SessionState session = client.session();
      for (long applied = 2; applied <= 20; applied++) {
        engine.marks = true;
        assertThat(ended(client))
            .isEqualTo(new Reply.Rejected(Reply.Reason.OUT_OF_BOUNDS, UNREADABLE));
        engine.marks = false;
        assertThat(value(ended(client))).isEqualTo(applied);
      }
      assertThat(client.session().sessionId()).isEqualTo(session.sessionId());
      assertThat(lines.containing("closes the connection")).isEmpty();
    }
  }

  @Test
  void sessionThatCannotBeOpenedSaysWhyOnce() throws Exception {
    engine.marks = true;
    try (BatchingStoreClient client = open(options(600, 700))) {
      // Only then is the reason known: before, an operation can only say that it was not sent.
      lines.await(UNREADABLE);
      assertThat(ended(client))
          .isEqualTo(
              new Reply.Rejected(Reply.Reason.NOT_SENT, "not sent within 700 ms: " + UNREADABLE));
      Await.until(Duration.ofSeconds(20), () -> "too few attempts", () -> triedMoreThan(3));
      assertThat(lines.containing("no session for newer: " + UNREADABLE)).hasSize(1);
      engine.marks = false;
      assertThat(value(endedInASession(client))).isEqualTo(1);
    }
  }

  /** The replicas did not see it, and will end the session. */
  @Test
  void signOfLifeThatCannotBeReadIsNone() throws Exception {
    try (BatchingStoreClient client = open(options(600, PATIENCE_MILLIS))) {
      assertThat(value(endedInASession(client))).isEqualTo(1);
      engine.marks = true;
      Await.until(
          Duration.ofSeconds(20),
          () -> client.session().toString(),
          () -> System.nanoTime() - client.session().validUntilNanos() > 0);
      engine.marks = false;
    }
  }
}
