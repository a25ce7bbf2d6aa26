package io.lockstep.core.noun;

import io.lockstep.core.noun.NounAnswer.Reason;
import io.lockstep.core.noun.NounAnswer.Refused;
import io.lockstep.core.packet.ApplicationFailures;
import io.lockstep.core.state.ErrorLine;
import io.lockstep.store.logging.LogLimit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls what applications bring, one at a time, since each call holds what it read and what it
 * shows in memory. A call runs on a thread beside the node's own. One without an answer after
 * {@link NounRunner#DEADLINE_MILLIS} is answered as late, and the next one begins. Its application
 * is called no more until that thread has come back; where it never does, only this application is
 * lost. Thread-safe.
 */
final class ApplicationCalls {
  private static final Logger log = LoggerFactory.getLogger(ApplicationCalls.class);

  private final String kind;
  private final int maxWaiting;
  private final ApplicationFailures failures;
  private final NounRunner.Parts parts;
  private final LogLimit failureLog;

  /** The calls whose threads have not come back, by application. Guarded by itself. */
  private final Map<String, Call<?>> running = new HashMap<>();

  /** Calls that no thread has begun, the oldest first. Guarded by {@link #running}. */
  private final Deque<Call<?>> waiting = new ArrayDeque<>();

  /** What runs on the call's own thread. */
  interface Work<A> {
    A run() throws NoAnswer, InterruptedException;
  }

  /**
   * Calls of one kind.
   *
   * @param kind what is called, for messages: {@code noun}
   * @param maxWaiting so many calls may wait for their turn; further ones are refused
   * @param failures counts what throws or is late
   */
  ApplicationCalls(
      String kind, int maxWaiting, ApplicationFailures failures, NounRunner.Parts parts) {
    this.kind = kind;
    this.maxWaiting = maxWaiting;
    this.failures = failures;
    this.parts = parts;
    this.failureLog = new LogLimit(parts.nanoTime());
  }

  /** A call on its way. */
  private static final class Call<A> {
    final String application;
    final String name;
    final Work<A> work;
    final Function<Refused, A> refused;
    final CompletableFuture<A> answer = new CompletableFuture<>();

    /** Whoever sets it counts what is to be counted, and then answers. */
    final AtomicBoolean isSettled = new AtomicBoolean();

    /** Null until the thread runs, and when it has come back. */
    volatile @Nullable Thread thread;

    Call(String application, String name, Work<A> work, Function<Refused, A> refused) {
      this.application = application;
      this.name = name;
      this.work = work;
      this.refused = refused;
    }

    void refuse(Refused why) {
      answer.complete(refused.apply(why));
    }
  }

  /**
   * Calls an application. Does not block.
   *
   * @param name of what is called, for messages
   * @param refused the answer where there is none of the application; any thread
   * @return completes within twice {@link NounRunner#DEADLINE_MILLIS}, on any thread, and always
   *     normally
   */
  <A> CompletableFuture<A> call(
      String application, String name, Work<A> work, Function<Refused, A> refused) {
    Call<A> call = new Call<>(application, name, work, refused);
    Refused busy = null;
    boolean waits = false;
    synchronized (running) {
      busy = unended(call);
      if (busy == null && isBusy()) {
        waits = waiting.size() < maxWaiting;
        if (waits) {
          waiting.add(call);
        } else {
          busy = new Refused(Reason.BUSY, "the node answers another question", "try again");
        }
      } else if (busy == null) {
        running.put(application, call);
      }
    }
    if (busy != null) {
      call.isSettled.set(true);
      call.refuse(busy);
    } else if (waits) {
      parts.alarm().after(NounRunner.DEADLINE_MILLIS, () -> waitedInVain(call));
    } else {
      begin(call);
    }
    return call.answer;
  }

  /** Whether a call runs that is not late. Under the lock. */
  private boolean isBusy() {
    return running.values().stream().anyMatch(other -> !other.isSettled.get());
  }

  /** Why its application is called no more; null where it may be. Under the lock. */
  private @Nullable Refused unended(Call<?> call) {
    Call<?> other = running.get(call.application);
    return other == null || !other.isSettled.get()
        ? null
        : new Refused(
            Reason.BUSY,
            "application " + other.application + " has not ended " + other.name,
            "ask another node; where it never ends, start this node anew");
  }

  private void begin(Call<?> call) {
    try {
      parts.threads().execute(() -> run(call));
      parts.alarm().after(NounRunner.DEADLINE_MILLIS, () -> late(call));
    } catch (RuntimeException | OutOfMemoryError e) {
      notBegun(call, e);
    }
  }

  /** Begins the call that waited longest. */
  private void next() {
    List<Runnable> refusals = new ArrayList<>();
    Call<?> begun = null;
    synchronized (running) {
      while (begun == null && !isBusy() && !waiting.isEmpty()) {
        Call<?> first = waiting.remove();
        Refused unended = unended(first);
        if (unended == null) {
          running.put(first.application, first);
          begun = first;
        } else if (first.isSettled.compareAndSet(false, true)) {
          refusals.add(() -> first.refuse(unended));
        }
      }
    }
    refusals.forEach(Runnable::run);
    if (begun != null) {
      begin(begun);
    }
  }

  private void waitedInVain(Call<?> call) {
    synchronized (running) {
      if (!waiting.remove(call)) {
        return;
      }
      call.isSettled.set(true);
    }
    call.refuse(
        new Refused(
            Reason.BUSY,
            "the node answered other questions for " + NounRunner.DEADLINE_MILLIS + " ms",
            "try again, or ask another node"));
  }

  /**
   * The process stops, or has no room for another thread; where one runs, its answer is dropped.
   */
  private void notBegun(Call<?> call, Throwable cause) {
    if (call.isSettled.compareAndSet(false, true)) {
      synchronized (running) {
        running.remove(call.application);
      }
      call.refuse(
          new Refused(Reason.BUSY, "no thread for it: " + ErrorLine.of(cause), "try again"));
      next();
    }
  }

  private void late(Call<?> call) {
    if (!call.isSettled.compareAndSet(false, true)) {
      return;
    }
    failed(call, "did not answer in time to " + call.name, null);
    call.refuse(
        new Refused(
            Reason.LATE,
            call.name + " did not answer within " + NounRunner.DEADLINE_MILLIS + " ms",
            "see ./lockstep status and the node's log; another node may answer"));
    Thread thread = call.thread;
    if (thread != null) {
      thread.interrupt();
    }
    next();
  }

  /** On the call's own thread. */
  private <A> void run(Call<A> call) {
    call.thread = Thread.currentThread();
    A answer;
    Throwable thrown = null;
    try {
      answer = call.work.run();
    } catch (NoAnswer e) {
      answer = call.refused.apply(e.refused());
    } catch (Throwable e) {
      // Also where memory ran out: all that this thread filled is free again, and nothing of the
      // node runs on it.
      thrown = e;
      answer =
          call.refused.apply(
              new Refused(
                  Reason.FAILED,
                  call.name + " failed: " + ErrorLine.of(e),
                  "pass the trace in the node's log on to the author of the application"));
    }
    boolean isLate = !call.isSettled.compareAndSet(false, true);
    // Whoever has the answer may ask the next question.
    synchronized (running) {
      call.thread = null;
      running.remove(call.application);
    }
    if (!isLate) {
      if (thrown != null) {
        failed(call, "failed on the " + kind + " " + call.name, thrown);
      }
      call.answer.complete(answer);
    }
    next();
  }

  private void failed(Call<?> call, String what, @Nullable Throwable thrown) {
    String name = call.application;
    failures.count(name, what, thrown);
    String more = failureLog.admit(name);
    if (more != null) {
      log.error("application {} {}{}", name, what, more, thrown);
    }
  }
}
