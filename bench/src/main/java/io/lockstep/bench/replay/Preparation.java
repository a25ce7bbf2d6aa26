package io.lockstep.bench.replay;

import io.lockstep.bench.runs.BenchException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** Puts data into a store, repeating what is not acknowledged: a cluster may be starting still. */
final class Preparation {
  private static final int AT_ONCE = 64;
  private static final int MOST_SECONDS = 60;
  private static final long RETRY_NANOS = 100_000_000L;

  private Preparation() {}

  /**
   * Asks for each item until all are done. Blocks.
   *
   * @param ask whether it is done; may fail
   * @throws BenchException where some are not within {@value #MOST_SECONDS} s
   */
  static <T> void run(List<T> items, Function<T, CompletableFuture<Boolean>> ask)
      throws BenchException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    Deque<T> left = new ArrayDeque<>(items);
    while (!left.isEmpty()) {
      List<T> some = new ArrayList<>();
      while (some.size() < AT_ONCE && !left.isEmpty()) {
        some.add(left.removeFirst());
      }
      List<CompletableFuture<Boolean>> answers = some.stream().map(ask).toList();
      String why = "";
      for (int i = 0; i < some.size(); i++) {
        String answer = await(answers.get(i), deadline);
        if (!answer.isEmpty()) {
          why = answer;
          left.addLast(some.get(i));
        }
      }
      if (!why.isEmpty()) {
        if (System.nanoTime() - deadline > 0) {
          throw new BenchException(
              "the store cannot be used within " + MOST_SECONDS + " s: " + why);
        }
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  /** Why an answer is none that helps; empty where it is done. */
  private static String await(CompletableFuture<Boolean> answer, long deadline)
      throws InterruptedException {
    try {
      long nanos = Math.max(1, deadline - System.nanoTime());
      return answer.get(nanos, TimeUnit.NANOSECONDS) ? "" : "it refuses what the flows need";
    } catch (ExecutionException e) {
      return String.valueOf(e.getCause());
    } catch (TimeoutException e) {
      return "it gives no answer";
    }
  }
}
