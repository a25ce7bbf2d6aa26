package io.lockstep.core.trace;

import io.lockstep.store.Bytes;

/** One record of a trace. Times are microseconds since the trace began. */
public sealed interface TraceRecord {

  /** When it was recorded. */
  long micros();

  /**
   * An application decided for the first time on something that happened at a switch.
   *
   * @param event numbers the events of a trace from 1 on, in the order in which they began
   * @param application that decides
   * @param kind of what happened, such as {@code packet-in}
   * @param dpid of the switch
   * @param port of the switch, below 2^32; -1 where it concerns none
   */
  record EventBegun(long event, String application, String kind, long dpid, long port, long micros)
      implements TraceRecord {
    /** The port where an event concerns none. */
    public static final long NO_PORT = -1;
  }

  /**
   * An operation was answered.
   *
   * @param event that it belongs to; {@link #CORE} where it belongs to none
   * @param cause of an operation of the core, as replicas count it; empty for those of events
   * @param askedMicros when it was asked
   * @param request the encoded command
   * @param reply the encoded reply; empty where there is none, as for a sign of life
   */
  record OperationAnswered(
      long event, String cause, long askedMicros, long micros, Bytes request, Bytes reply)
      implements TraceRecord {
    /** The event of operations that belong to none. */
    public static final long CORE = 0;
  }

  /**
   * An application's decision is done with.
   *
   * @param outcome what became of it, such as {@code decided}
   */
  record EventEnded(long event, String outcome, long micros) implements TraceRecord {}

  /**
   * Records found no room in the recorder's queue since the last record of this kind.
   *
   * @param records how many
   */
  record RecordsLost(long records, long micros) implements TraceRecord {}

  /**
   * The trace ended in order; nothing follows.
   *
   * @param reason {@code stopped}, {@code full} or {@code low-disk}
   * @param events that began
   * @param operations that were answered
   * @param lost records that found no room
   * @param earlier operations of events that began before the trace; they are not in it
   */
  record TraceEnded(
      String reason, long micros, long events, long operations, long lost, long earlier)
      implements TraceRecord {}
}
