package io.lockstep.walks;

import java.util.Arrays;

/**
 * The methods of the product that one thread is in. Only that thread uses it.
 *
 * <p>A method that throws stays until a method below it catches or returns. Where none is below, it
 * stays, and the next call from outside of the product counts as its own.
 */
final class CallStack {
  /** Instead of a caller: code outside of the product called. */
  static final int OUTSIDE = -1;

  private static final int NOWHERE = Integer.MAX_VALUE;

  private int[] methods = new int[64];
  private int depth;
  // The depth of the outermost method of the state machine.
  private int stateMachineAt = NOWHERE;

  int top() {
    return depth == 0 ? OUTSIDE : methods[depth - 1];
  }

  boolean inStateMachine() {
    return depth >= stateMachineAt;
  }

  void push(int method, boolean isStateMachine) {
    if (depth == methods.length) {
      methods = Arrays.copyOf(methods, 2 * depth);
    }
    methods[depth++] = method;
    if (isStateMachine && stateMachineAt == NOWHERE) {
      stateMachineAt = depth;
    }
  }

  void pop() {
    shortenTo(depth - 1);
  }

  /** Drops the calls above the method, which ended by what they threw. */
  void unwindTo(int method) {
    int to = depth;
    while (to > 0 && methods[to - 1] != method) {
      to--;
    }
    if (to == 0) {
      throw new IllegalStateException("method " + Recorder.method(method) + " was not entered");
    }
    shortenTo(to);
  }

  private void shortenTo(int to) {
    depth = to;
    if (depth < stateMachineAt) {
      stateMachineAt = NOWHERE;
    }
  }
}
