package io.lockstep.bench.compare;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Runs points against one store. Its methods block; used by one thread. */
public final class Load {
  private static final int PREPARE_SECONDS = 90;
  private static final int PREPARE_AT_ONCE = 64;
  private static final int ANSWER_SECONDS = 20;
  private static final long RETRY_NANOS = 100_000_000L;

  private final PeerStore store;
  private final Executor thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread flows = new Thread(task, "flows");
            flows.setDaemon(true);
            return flows;
          });
  private final Map<String, FlowPlan> prepared = new HashMap<>();
  private long nextNumber;

  public Load(PeerStore store) {
    this.store = store;
  }

  /** Told when the window begins and ends. */
  public interface Marks {
    /** The window begins. */
    void begin();

    /** The window ends. */
    void end();
  }

  /**
   * Runs one point, after its data was put into the store.
   *
   * @throws LoadException where the store failed; the sentence says how
   */
  public Measured run(
      String workload, String variant, int flows, long warmupMillis, long windowMillis, Marks marks)
      throws LoadException, InterruptedException {
    FlowPlan plan = prepare(workload, variant);
    FlowLoop loop =
        new FlowLoop(
            store,
            plan,
            System::nanoTime,
            flows,
            nextNumber,
            TimeUnit.MILLISECONDS.toNanos(warmupMillis),
            TimeUnit.MILLISECONDS.toNanos(windowMillis));
    CompletableFuture<Measured> over = loop.start(thread);
    sleepUntil(loop.startNanos(), over);
    marks.begin();
    sleepUntil(loop.endNanos(), over);
    marks.end();
    Measured measured = await(over, ANSWER_SECONDS);
    nextNumber = loop.nextNumber();
    if (measured.flows() == 0) {
      throw new LoadException("no flow ended within the window", null);
    }
    return measured;
  }

  /**
   * Runs some flows, each operation after the answer to the one before, whatever time they take.
   *
   * @throws LoadException where the store failed
   */
  void walk(String workload, String variant, int flows) throws LoadException, InterruptedException {
    FlowPlan plan = prepare(workload, variant);
    for (int number = 0; number < flows; number++) {
      Step step = plan.first(number);
      while (step != null) {
        step = step.next().apply(await(store.submit(step.operation()), ANSWER_SECONDS));
      }
    }
  }

  private static void sleepUntil(long nanos, CompletableFuture<Measured> over) {
    long left;
    while ((left = nanos - System.nanoTime()) > 0 && !over.isDone()) {
      LockSupport.parkNanos(Math.min(left, RETRY_NANOS));
    }
  }

  /**
   * Puts what a workload needs into the store, once, repeating what is not acknowledged: the
   * cluster may still be starting.
   */
  private FlowPlan prepare(String workload, String variant)
      throws LoadException, InterruptedException {
    FlowPlan known = prepared.get(workload + " " + variant);
    if (known != null) {
      return known;
    }
    FlowPlan plan = Workloads.plan(workload, variant);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PREPARE_SECONDS);
    LoadException last = null;
    boolean declared = false;
    Deque<Operation> left = new ArrayDeque<>(plan.preparation());
    while (!declared || !left.isEmpty()) {
      if (System.nanoTime() - deadline > 0) {
        throw new LoadException(
            "the store did not become usable within " + PREPARE_SECONDS + " s", last);
      }
      try {
        if (!declared) {
          await(store.declare(plan.tables()), ANSWER_SECONDS);
          declared = true;
        }
        putSome(left);
      } catch (LoadException e) {
        last = e;
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
    prepared.put(workload + " " + variant, plan);
    return plan;
  }

  private void putSome(Deque<Operation> left) throws LoadException, InterruptedException {
    List<Operation> some = new ArrayList<>();
    while (some.size() < PREPARE_AT_ONCE && !left.isEmpty()) {
      some.add(left.removeFirst());
    }
    List<CompletableFuture<Answer>> answers = some.stream().map(store::submit).toList();
    LoadException failed = null;
    for (int i = 0; i < some.size(); i++) {
      try {
        await(answers.get(i), ANSWER_SECONDS);
      } catch (LoadException e) {
        failed = e;
        left.addLast(some.get(i));
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  private static <T> T await(CompletableFuture<T> future, int seconds)
      throws LoadException, InterruptedException {
    try {
      return future.get(seconds, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new LoadException(String.valueOf(e.getCause()), e.getCause());
    } catch (TimeoutException e) {
      throw new LoadException("no answer within " + seconds + " s", e);
    }
  }
}
