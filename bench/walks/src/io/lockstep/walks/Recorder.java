package io.lockstep.walks;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where the probes report. Static, since a probe has nothing but the number of its method. All
 * threads report; one thread at a time begins and ends windows.
 */
public final class Recorder {
  private static final MethodTable METHODS = new MethodTable();
  private static final ThreadLocal<CallStack> STACKS = ThreadLocal.withInitial(CallStack::new);
  private static final List<RuntimeException> FAILURES = new CopyOnWriteArrayList<>();

  private static volatile @Nullable Window window;

  private Recorder() {}

  /** Called by a probe: its method begins. */
  public static void entered(int method) {
    CallStack stack = STACKS.get();
    int caller = stack.top();
    stack.push(method, METHODS.isStateMachine(method));
    Window current = window;
    if (current != null) {
      current.add(caller, method, stack.inStateMachine());
    }
  }

  /** Called by a probe: its method returns. */
  public static void returns(int method) {
    CallStack stack = STACKS.get();
    stack.unwindTo(method);
    stack.pop();
  }

  /** Called by a probe: its method handles what a call threw, so that call has ended. */
  public static void caught(int method) {
    STACKS.get().unwindTo(method);
  }

  static int register(ProductMethod method) {
    return METHODS.add(method);
  }

  static ProductMethod method(int number) {
    return METHODS.get(number);
  }

  static void failed(RuntimeException failure) {
    FAILURES.add(failure);
  }

  /** Records from here on what the given threads call. */
  static void begin(Predicate<Thread> threads) {
    if (!FAILURES.isEmpty()) {
      throw FAILURES.get(0);
    }
    window = new Window(threads);
  }

  /** Ends the window. */
  static Window end() {
    Window ended = window;
    window = null;
    if (ended == null) {
      throw new IllegalStateException("no window was begun");
    }
    return ended;
  }
}
