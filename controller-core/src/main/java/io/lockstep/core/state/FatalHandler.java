package io.lockstep.core.state;

/** Told of a broken invariant: the node cannot be trusted any longer and should end. */
@FunctionalInterface
public interface FatalHandler {

  /**
   * Called on the thread that failed; must not throw.
   *
   * @param where what was being done, for the log
   */
  void failed(String where, Throwable cause);
}
