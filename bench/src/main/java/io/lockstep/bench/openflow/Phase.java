package io.lockstep.bench.openflow;

import io.lockstep.bench.openflow.FlowExchange.Flow;

/** One stage of a run. Called on the event loop; time is an argument. */
interface Phase {

  /** Sends what may be sent now. Called at the beginning, after answers, and every few ms. */
  void proceed(long nowNanos);

  /** A packet-in was answered. */
  void answered(Flow flow, Answer answer, long nowNanos);

  /** A packet-in was not answered within the deadline; a later answer counts as unrelated. */
  void expired(Flow flow, long nowNanos);

  /** How long a packet-in may stay unanswered. */
  long deadlineNanos();

  /** Whether there is nothing left to do. */
  boolean isOver(long nowNanos);
}
