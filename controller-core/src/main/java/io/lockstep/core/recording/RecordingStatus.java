package io.lockstep.core.recording;

/**
 * What a recording has done so far.
 *
 * @param detail why it ended where nobody stopped it; empty otherwise
 * @param events that began
 * @param operations that were answered, those of the core included
 * @param lost records that found no room in the queue
 * @param bytes of the file
 */
public record RecordingStatus(
    State state, String detail, long events, long operations, long lost, long bytes) {

  /** Whether it goes on. */
  public enum State {
    /** It goes on. */
    RECORDING,
    /** It was told to stop, and writes what waits. */
    STOPPING,
    /** It was stopped; the trace is whole. */
    STOPPED,
    /** The file had no more room; the trace is whole. */
    FULL,
    /** The disk had too little room; the trace is whole. */
    LOW_DISK,
    /** The file could not be written; the trace is cut. */
    FAILED
  }
}
