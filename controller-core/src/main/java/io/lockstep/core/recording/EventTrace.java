package io.lockstep.core.recording;

import org.jspecify.annotations.Nullable;

/** An event of an application while a trace is recorded. Immutable. */
public final class EventTrace {
  /** Any event that began before the recording. */
  static final EventTrace EARLIER = new EventTrace(null, 0);

  private final @Nullable Recording recording;
  private final long number;

  EventTrace(@Nullable Recording recording, long number) {
    this.recording = recording;
    this.number = number;
  }

  boolean isOf(Recording other) {
    return recording == other;
  }

  long number() {
    return number;
  }

  /**
   * The application's decision is done with. Any thread.
   *
   * @param outcome what became of it, one of a few words
   */
  public void end(String outcome) {
    Recording present = recording;
    if (present != null) {
      present.ended(number, outcome);
    }
  }
}
