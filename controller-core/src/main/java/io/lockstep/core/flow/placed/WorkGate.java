package io.lockstep.core.flow.placed;

/**
 * Lets one piece of work at a time through: a plan, a batch, or the comparison of a reading. The
 * work is over when the store has what it did. Closed until the switch was read. Control loop only.
 */
final class WorkGate {
  private boolean working = true;
  private boolean ready;
  private boolean closed;

  /** Whether the node read the switch once, and prepared its tables. */
  boolean ready() {
    return ready;
  }

  /** The node read the switch and prepared its tables. Work that holds the gate keeps it. */
  void setReady() {
    ready = true;
  }

  /** Whether a piece of work is under way. */
  boolean working() {
    return working;
  }

  /** Begins a piece of work; false where another one is under way, or none may begin. */
  boolean begin() {
    if (working || closed || !ready) {
      return false;
    }
    working = true;
    return true;
  }

  /** Lets no work begin until {@link #end}, also where none is under way. */
  void hold() {
    working = true;
  }

  /** Ends the piece of work. */
  void end() {
    working = false;
  }

  /** Lets no work begin any more. */
  void close() {
    closed = true;
  }
}
