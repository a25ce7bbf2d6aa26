package io.lockstep.core.trace;

import java.util.List;

/**
 * An event of a trace with its operations. Immutable. Times are microseconds since the trace began.
 *
 * @param number from 1 on, in the order in which events began
 * @param application that decided
 * @param kind of what happened, such as {@code packet-in}
 * @param dpid of the switch
 * @param port of the switch; -1 for none
 * @param begunMicros when the application had decided for the first time
 * @param endedMicros when it was done with; -1 where the trace does not say
 * @param outcome what became of it; {@link #UNFINISHED} where the trace does not say
 * @param operations in the order in which they were asked
 */
public record TracedEvent(
    long number,
    String application,
    String kind,
    long dpid,
    long port,
    long begunMicros,
    long endedMicros,
    String outcome,
    List<TracedOperation> operations) {
  /** The outcome of an event whose end is not in the trace. */
  public static final String UNFINISHED = "unfinished";

  /** The end of such an event. */
  public static final long NEVER = -1;

  public TracedEvent {
    operations = List.copyOf(operations);
  }
}
