package io.lockstep.core.state;

/**
 * Runs a task later, on the thread that owns the caller's state: {@link ControlLoop#schedule} in
 * the node, a hand-driven clock in tests.
 */
@FunctionalInterface
public interface Alarm {

  /** Runs the task once, not before {@code delayMillis} have passed. */
  void after(long delayMillis, Runnable task);
}
