package io.lockstep.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.Applications;
import io.lockstep.bench.compare.FlowPlan;
import io.lockstep.bench.compare.Operation;
import io.lockstep.bench.compare.Procedures;
import io.lockstep.bench.compare.Step;
import io.lockstep.bench.compare.Workloads;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.local.LocalEngine;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the cached variants ask of the store, ordered by one thread. */
class CachedVariantsTest {
  private static final int HOSTS = 1024;

  /** The cache's clock stands still, so that nothing grows old by itself. */
  private final AtomicLong nanos = new AtomicLong(System.nanoTime());

  private final LocalEngine engine = LocalEngine.start(LockstepAdapter.stateMachine());
  private final BatchingStoreClient client =
      BatchingStoreClient.open(
          engine.connect(16),
          ClientOptions.of("test").withTimeToLiveMillis(60_000).withTables(Applications.tables()),
          System::nanoTime,
          new Random(1)::nextLong);
  private final AtomicInteger asked = new AtomicInteger();
  private final LockstepStore store = new LockstepStore(new Counting(), nanos::get);

  /** Counts what reaches the store. */
  private final class Counting implements StoreClient {
    @Override
    public CompletableFuture<Reply> submit(Command command) {
      asked.incrementAndGet();
      return client.submit(command);
    }

    @Override
    public SessionState session() {
      return client.session();
    }

    @Override
    public void onSessionChange(SessionListener listener) {
      client.onSessionChange(listener);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  @AfterEach
  void close() {
    store.close();
    engine.close();
  }

  private static <T> T await(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  private FlowPlan prepared(String workload) throws Exception {
    FlowPlan plan = Workloads.plan(workload, "cache");
    await(store.declare(plan.tables()));
    for (Operation operation : plan.preparation()) {
      await(store.submit(operation));
    }
    return plan;
  }

  /** How often these flows ask the store. */
  private int askedBy(FlowPlan plan, long from, long to) throws Exception {
    asked.set(0);
    for (long number = from; number < to; number++) {
      Step step = plan.first(number);
      while (step != null) {
        step = step.next().apply(await(store.submit(step.operation())));
      }
    }
    return asked.get();
  }

  /** Table II: the learning switch asks nothing, however old its entries are. */
  @Test
  void theLearningSwitchAsksNothingOnceItKnowsItsHosts() throws Exception {
    FlowPlan plan = prepared("ls-ucast");
    askedBy(plan, 0, HOSTS);
    assertThat(askedBy(plan, HOSTS, 2 * HOSTS)).isZero();
  }

  /** Table II: of two operations one is left. */
  @Test
  void theLoadBalancerAsksOnlyForTheNextMember() throws Exception {
    FlowPlan plan = prepared("lb-vip");
    assertThat(askedBy(plan, 0, 10)).isEqualTo(11);
  }

  @Test
  void whatIsTooOldIsReadAnew() throws Exception {
    FlowPlan plan = prepared("lb-vip");
    assertThat(askedBy(plan, 0, 1)).isEqualTo(2);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1001));
    assertThat(askedBy(plan, 1, 2)).isEqualTo(2);
    assertThat(askedBy(plan, 2, 3)).isEqualTo(1);
  }

  /** "If the VIP changed [...], the data store aborts the operation": section VII-E. */
  @Test
  void aChangedVirtualAddressIsRefusedAndReadAnew() throws Exception {
    FlowPlan plan = prepared("lb-vip");
    askedBy(plan, 0, 1);
    Command.GetThrough read = (Command.GetThrough) store.command(plan.first(1).operation());
    Reply.Resolved old = (Reply.Resolved) await(client.submit(read));
    await(
        client.submit(
            new Command.Put(
                Procedures.VIPS, Bytes.utf8("k0000000"), old.entries().get(0).value())));
    assertThat(askedBy(plan, 1, 2)).isEqualTo(3);
  }

  /** Table II: the update of a source's time leaves the device in the cache. */
  @Test
  void theDeviceManagerAsksOnlyForTheUpdateOnceItKnowsItsDevices() throws Exception {
    FlowPlan plan = prepared("dm-known");
    assertThat(askedBy(plan, 0, HOSTS)).isEqualTo(3 * HOSTS);
    assertThat(askedBy(plan, HOSTS, 2 * HOSTS)).isEqualTo(HOSTS);
  }
}
