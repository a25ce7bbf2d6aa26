package io.lockstep.walks;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** The calls of one repetition, between the event and its last effect. All threads add. */
final class Window {
  /**
   * A call.
   *
   * @param caller number of the method of the product that is next below on the stack, {@link
   *     CallStack#OUTSIDE} where there is none
   * @param callee number of the method that ran
   */
  record Call(int caller, int callee) {}

  private final Predicate<Thread> threads;
  private final AtomicInteger next = new AtomicInteger();
  private final Map<Call, Integer> outside = new ConcurrentHashMap<>();
  private final Map<Call, Integer> inside = new ConcurrentHashMap<>();

  Window(Predicate<Thread> threads) {
    this.threads = threads;
  }

  void add(int caller, int callee, boolean inStateMachine) {
    if (threads.test(Thread.currentThread())) {
      Map<Call, Integer> calls = inStateMachine ? inside : outside;
      calls.computeIfAbsent(new Call(caller, callee), call -> next.getAndIncrement());
    }
  }

  /**
   * Each call with its place in the order of first calls.
   *
   * @param withStateMachine whether also those of the state machine, and below it
   */
  Map<Call, Integer> calls(boolean withStateMachine) {
    Map<Call, Integer> all = new HashMap<>(outside);
    if (withStateMachine) {
      inside.forEach((call, place) -> all.merge(call, place, Math::min));
    }
    return all;
  }
}
