package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The client over an engine in this process. */
class BatchingStoreClientTest {
  private final AtomicLong nonces = new AtomicLong(1);

  @Test
  void severalThreadsCountTogether() throws Exception {
    try (LocalEngine engine = LocalEngine.start(new StoreStateMachine(List.of()));
        BatchingStoreClient client = connect(engine)) {
      int threads = 4;
      long each = 5_000;
      List<CompletableFuture<Reply>> replies = new ArrayList<>();
      List<Thread> submitters = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Thread submitter =
            new Thread(
                () -> {
                  for (int i = 0; i < each; i++) {
                    CompletableFuture<Reply> reply =
                        client.submit(new Command.Increment("t", Bytes.utf8("k"), 1));
                    synchronized (replies) {
                      replies.add(reply);
                    }
                  }
                });
        submitter.start();
        submitters.add(submitter);
      }
      for (Thread submitter : submitters) {
        submitter.join();
      }
      assertThat(replies).allSatisfy(r -> assertThat(get(r)).isInstanceOf(Reply.Counter.class));
      Reply total = get(client.submit(new Command.Increment("t", Bytes.utf8("k"), 0)));
      assertThat(((Reply.Counter) total).value()).isEqualTo(threads * each);
    }
  }

  @Test
  void closeEndsTheSessionAndRejectsWhatComesLater() {
    try (LocalEngine engine = LocalEngine.start(new StoreStateMachine(List.of()));
        BatchingStoreClient observer = connect(engine)) {
      BatchingStoreClient client = connect(engine);
      assertThat(get(client.submit(new Command.KeepAlive()))).isInstanceOf(Reply.Applied.class);
      Bytes session = Bytes.wrap(bigEndian(client.session().sessionId()));
      Command get = new Command.Get("sys.sessions", session);
      assertThat(get(observer.submit(get))).isInstanceOf(Reply.Found.class);
      client.close();
      assertThat(get(observer.submit(get))).isEqualTo(new Reply.Absent());
      assertThat(client.session().sessionId()).isZero();
      assertThat(get(client.submit(get)))
          .isEqualTo(new Reply.Rejected(Reply.Reason.NOT_SENT, "the client is closed"));
    }
  }

  private BatchingStoreClient connect(LocalEngine engine) {
    return BatchingStoreClient.open(
        engine.connect(8),
        new ClientOptions("test", 60_000, 60_000, 1 << 16, Map.of("t", TableSpec.values())),
        System::nanoTime,
        nonces::getAndIncrement);
  }

  private static byte[] bigEndian(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  private static Reply get(CompletableFuture<Reply> reply) {
    return reply.orTimeout(60, TimeUnit.SECONDS).join();
  }
}
