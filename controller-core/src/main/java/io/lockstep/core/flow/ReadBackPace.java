package io.lockstep.core.flow;

import io.lockstep.core.state.Alarm;

/**
 * Reads a switch back when it reported a change: at once, and then at most once in {@link
 * #PAUSE_MILLIS}, however many changes it reports. Control loop only.
 */
final class ReadBackPace {
  /** Between two read-backs. */
  static final long PAUSE_MILLIS = 500;

  private final Alarm alarm;
  private final Runnable readBack;
  private boolean pausing;
  private boolean again;

  /**
   * Reads nothing before the first {@link #request}.
   *
   * @param readBack called on the control loop, perhaps after the rules were closed
   */
  ReadBackPace(Alarm alarm, Runnable readBack) {
    this.alarm = alarm;
    this.readBack = readBack;
  }

  /** Reads back now, or when the pause is over. */
  void request() {
    if (pausing) {
      again = true;
      return;
    }
    pausing = true;
    alarm.after(PAUSE_MILLIS, this::pauseOver);
    readBack.run();
  }

  private void pauseOver() {
    pausing = false;
    if (again) {
      again = false;
      request();
    }
  }
}
