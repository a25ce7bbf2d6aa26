package io.lockstep.bench.store;

import io.lockstep.bench.measure.Figures;
import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.process.CpuMeter;
import io.lockstep.bench.process.CpuMeter.Reading;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.Callbacks;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs workloads through one client. Its methods block; used by one thread. */
final class StoreLoad {
  private static final int PREPARE_SECONDS = 60;
  private static final int PREPARE_AT_ONCE = 64;

  private final BatchingStoreClient client;
  private final CpuMeter cpu;

  StoreLoad(BatchingStoreClient client, CpuMeter cpu) {
    this.client = client;
    this.cpu = cpu;
  }

  /**
   * Puts what the workload needs into the store, repeating what is not acknowledged: the cluster
   * may still be starting.
   */
  void prepare(Workload workload) throws InterruptedException, BenchException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PREPARE_SECONDS);
    List<Command> left = new ArrayList<>(workload.preparation());
    String lastReply = "nothing";
    while (!left.isEmpty()) {
      if (System.nanoTime() - deadline > 0) {
        throw new BenchException(
            "the store did not become usable within " + PREPARE_SECONDS + " s: " + lastReply);
      }
      List<Command> some = left.subList(0, Math.min(PREPARE_AT_ONCE, left.size()));
      List<CompletableFuture<Reply>> replies = some.stream().map(client::submit).toList();
      List<Command> again = new ArrayList<>();
      for (int i = 0; i < replies.size(); i++) {
        Reply reply = await(replies.get(i), PREPARE_SECONDS * 1000L);
        if (!(reply instanceof Reply.Applied || reply instanceof Reply.Returned)) {
          again.add(some.get(i));
          lastReply = reply.toString();
        }
      }
      some.clear();
      left.addAll(again);
    }
  }

  /** Runs one point. */
  StorePoint measure(String name, Workload workload, int inFlight, Schedule schedule)
      throws InterruptedException, BenchException {
    WorkloadLoop flows =
        new WorkloadLoop(workload, client, client.loop(), System::nanoTime, inFlight, schedule);
    long beginNanos = flows.window().startNanos() - System.nanoTime();
    long endNanos = flows.window().endNanos() - System.nanoTime();
    Future<Reading> begin = client.loop().schedule(cpu::read, beginNanos, TimeUnit.NANOSECONDS);
    Future<Reading> end = client.loop().schedule(cpu::read, endNanos, TimeUnit.NANOSECONDS);
    CompletableFuture<Void> over = new CompletableFuture<>();
    client
        .loop()
        .execute(
            Callbacks.guarded(
                () -> Callbacks.when(flows.start(), over::complete, over::completeExceptionally),
                over::completeExceptionally));
    await(over, (long) schedule.warmupMillis() + schedule.measureMillis() + 60_000);
    Figures figures = flows.window().figures(inFlight);
    CpuMeter.Use use = cpu.use(await(begin, 10_000), await(end, 10_000), figures.answered());
    return new StorePoint(name, figures, use, null);
  }

  private static <T> T await(Future<T> future, long millis)
      throws InterruptedException, BenchException {
    try {
      return future.get(millis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load failed", e.getCause());
    } catch (TimeoutException e) {
      throw new BenchException("the client gave no answer within " + millis + " ms", e);
    }
  }
}
