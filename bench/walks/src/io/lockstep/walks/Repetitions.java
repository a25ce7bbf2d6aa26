package io.lockstep.walks;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes the same event many times. The first ones are not recorded: they load classes and fill
 * caches.
 */
final class Repetitions {
  private static final int UNRECORDED = 50;
  private static final int RECORDED = 50;

  /** One repetition. */
  interface Event {

    /**
     * Makes the event and waits for its effect.
     *
     * @param number of the repetition, from 0 on
     * @param marks to be called at the event and at the effect
     */
    void happen(int number, Marks marks) throws Exception;
  }

  /** Where a repetition begins and ends. */
  interface Marks {
    void begin();

    /** Called by the thread that sees the effect, so that little runs between the two. */
    void end();
  }

  private Repetitions() {}

  static List<Window> of(Event event) throws Exception {
    for (int number = 0; number < UNRECORDED; number++) {
      quietGap(number);
      event.happen(number, new Unrecorded());
    }
    List<Window> windows = new ArrayList<>();
    for (int number = UNRECORDED; number < UNRECORDED + RECORDED; number++) {
      quietGap(number);
      Recorded marks = new Recorded();
      event.happen(number, marks);
      windows.add(marks.window());
    }
    return windows;
  }

  /**
   * Waits until the work that the last event left behind has ended. No condition says so, therefore
   * the gap is timed. Its length changes, so that no periodic task falls into every repetition.
   */
  static void quietGap(int number) throws InterruptedException {
    Thread.sleep(60 + 9 * (number % 7));
  }

  private static final class Unrecorded implements Marks {
    @Override
    public void begin() {}

    @Override
    public void end() {}
  }

  private static final class Recorded implements Marks {
    private volatile Window window;

    @Override
    public void begin() {
      Recorder.begin(thread -> true);
    }

    @Override
    public void end() {
      window = Recorder.end();
    }

    Window window() {
      return window;
    }
  }
}
