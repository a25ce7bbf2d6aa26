package io.lockstep.store.engine.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.OrderingClient;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.SnapshotBytes;
import io.lockstep.store.engine.StateSnapshot;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LocalEngineTest {

  /** Answers a request with its position in the order; "fail" throws. */
  private static final class Counting implements OrderedService {
    private final List<Long> instances = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch gate;
    private int count;

    Counting(CountDownLatch gate) {
      this.gate = gate;
    }

    @Override
    public List<OrderedReply> apply(long instance, long timeMillis, List<byte[]> requests) {
      awaitQuietly(gate);
      instances.add(instance);
      times.add(timeMillis);
      threads.add(Thread.currentThread());
      List<OrderedReply> replies = new ArrayList<>();
      for (byte[] request : requests) {
        if (new String(request, UTF_8).equals("fail")) {
          throw new IllegalStateException("asked to fail");
        }
        replies.add(OrderedReply.withItsBatch(Integer.toString(count++).getBytes(UTF_8)));
      }
      return replies;
    }

    @Override
    public int requestVersion() {
      return 1;
    }

    @Override
    public OptionalLong lastTimeMillis() {
      return OptionalLong.empty();
    }

    @Override
    public long index() {
      return count;
    }

    @Override
    public StateSnapshot snapshot() {
      return SnapshotBytes.taken(new byte[0]);
    }

    @Override
    public void reset() {
      count = 0;
    }

    @Override
    public void restore(InputStream in) {
      count = 0;
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Counting counting() {
    return new Counting(new CountDownLatch(0));
  }

  @Test
  void repliesComeInOrderOfSubmissionAndEveryBatchHasItsOwnInstanceAndTime() throws Exception {
    Counting service = counting();
    AtomicLong clock = new AtomicLong(1000);
    try (LocalEngine engine = LocalEngine.start(service, clock::incrementAndGet);
        OrderingClient client = engine.connect(10_000)) {
      List<CompletableFuture<byte[]>> replies = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        replies.add(client.submit("x".getBytes(UTF_8)));
      }
      for (int i = 0; i < replies.size(); i++) {
        assertThat(new String(replies.get(i).get(), UTF_8)).isEqualTo(Integer.toString(i));
      }
      assertThat(engine.status().lastInstance()).isEqualTo(service.instances.size() - 1L);
    }
    for (int i = 0; i < service.instances.size(); i++) {
      assertThat(service.instances.get(i)).isEqualTo(i);
      assertThat(service.times.get(i)).isEqualTo(1001L + i);
    }
    assertThat(service.instances).hasSizeGreaterThanOrEqualTo(5_000 / LocalEngine.MAX_BATCH);
  }

  @Test
  void repliesCompleteOnTheLoopThatAlsoAppliesTheRequests() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    Counting service = new Counting(gate);
    try (LocalEngine engine = LocalEngine.start(service);
        OrderingClient client = engine.connect(8)) {
      AtomicReference<Thread> completedOn = new AtomicReference<>();
      CompletableFuture<Void> done =
          client.submit(new byte[0]).thenAccept(reply -> completedOn.set(Thread.currentThread()));
      gate.countDown();
      done.get();
      Thread loop = client.loop().submit(Thread::currentThread).get();
      assertThat(completedOn.get()).isSameAs(loop);
      assertThat(service.threads).containsOnly(loop);
    }
  }

  @Test
  void submitBeyondTheWindowIsRejectedAndTheWindowOpensAgain() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    try (LocalEngine engine = LocalEngine.start(new Counting(gate));
        OrderingClient client = engine.connect(2)) {
      CompletableFuture<byte[]> first = client.submit(new byte[0]);
      CompletableFuture<byte[]> second = client.submit(new byte[0]);
      assertThatThrownBy(() -> client.submit(new byte[0]).get())
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(RejectedExecutionException.class);
      gate.countDown();
      first.get();
      second.get();
      assertThat(client.submit(new byte[0]).get()).isNotNull();
    }
  }

  @Test
  void serviceThatThrowsHaltsTheEngineAndLeavesTheOutcomeUnknown() throws Exception {
    try (LocalEngine engine = LocalEngine.start(counting());
        OrderingClient client = engine.connect(8)) {
      client.submit(new byte[0]).get();
      assertThatThrownBy(() -> client.submit("fail".getBytes(UTF_8)).get())
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(TimeoutException.class);
      assertThatThrownBy(() -> client.submit(new byte[0]).get())
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(RejectedExecutionException.class);
      ReplicaStatus status = engine.status();
      assertThat(status.phase()).isEqualTo(ReplicaStatus.Phase.HALTED);
      assertThat(status.quorum()).isFalse();
      assertThat(status.lastInstance()).isEqualTo(0);
    }
  }

  @Test
  void closeRejectsWhatIsStillQueued() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    Counting service = new Counting(gate);
    LocalEngine engine = LocalEngine.start(service);
    OrderingClient client = engine.connect(2_000);
    List<CompletableFuture<byte[]>> replies = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      replies.add(client.submit(new byte[0]));
    }
    engine.close();
    gate.countDown();
    int rejected = 0;
    for (CompletableFuture<byte[]> reply : replies) {
      try {
        reply.get(20, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(RejectedExecutionException.class);
        rejected++;
      }
    }
    assertThat(rejected).isGreaterThanOrEqualTo(2_000 - LocalEngine.MAX_BATCH);
  }
}
