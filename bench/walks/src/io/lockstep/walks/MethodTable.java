package io.lockstep.walks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Methods by number. Any thread that loads a class adds to it, and all threads read. */
final class MethodTable {
  private final List<ProductMethod> methods = new ArrayList<>();
  // The numbers of the state machine's methods: written under the lock, replaced at each change.
  private volatile int[] stateMachine = {};

  synchronized int add(ProductMethod method) {
    int number = methods.size();
    methods.add(method);
    if (method.isStateMachine()) {
      int[] longer = Arrays.copyOf(stateMachine, stateMachine.length + 1);
      longer[longer.length - 1] = number;
      stateMachine = longer;
    }
    return number;
  }

  synchronized ProductMethod get(int number) {
    return methods.get(number);
  }

  /** Without a lock, since each call of a method asks. */
  boolean isStateMachine(int number) {
    return Arrays.binarySearch(stateMachine, number) >= 0;
  }
}
