package io.lockstep.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HandshakePaceTest {
  private static final int PER_SECOND = 100;
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;

  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final List<String> begun = new ArrayList<>();
  private long nowNanos = Long.MAX_VALUE - INTERVAL_NANOS;
  private long wakeAtNanos;

  private final HandshakePace pace =
      new HandshakePace(
          PER_SECOND,
          () -> nowNanos,
          (nanos, task) -> {
            wakeAtNanos = nowNanos + nanos;
            tasks.add(task);
          });

  private Runnable ask(String machine, String name) {
    Runnable turn = () -> begun.add(name);
    if (pace.begin(machine, turn)) {
      turn.run();
    }
    return turn;
  }

  /** Lets time pass until a task is due that was left for later. */
  private void wake() {
    nowNanos = wakeAtNanos;
    tasks.remove().run();
  }

  private void crowd() {
    for (int i = 0; i < HandshakePace.AT_ONCE; i++) {
      ask("crowd", "first");
    }
    begun.clear();
  }

  @Test
  void someBeginAtOnceAndTheOthersAtThePace() {
    for (int i = 0; i < 1000; i++) {
      ask("crowd", "one");
    }
    assertThat(begun).hasSize(HandshakePace.AT_ONCE);
    long from = nowNanos;
    while (!tasks.isEmpty()) {
      assertThat(tasks).as("tasks at a time").hasSize(1);
      wake();
    }
    assertThat(begun).hasSize(1000);
    assertThat(nowNanos - from).isEqualTo((1000 - HandshakePace.AT_ONCE) * INTERVAL_NANOS);
  }

  @Test
  void aRestGivesTheFirstOnesBackAndNoMore() {
    crowd();
    nowNanos += 100L * HandshakePace.AT_ONCE * INTERVAL_NANOS;
    for (int i = 0; i < 2 * HandshakePace.AT_ONCE; i++) {
      ask("crowd", "one");
    }
    assertThat(begun).hasSize(HandshakePace.AT_ONCE);
  }

  @Test
  void aMachineWaitsForOneHandshakeOfEachOther() {
    crowd();
    for (int i = 0; i < 100; i++) {
      ask("crowd", "crowd " + i);
    }
    ask("peer", "peer");
    wake();
    wake();
    assertThat(begun).containsExactly("crowd 0", "peer");
  }

  @Test
  void nobodyOvertakesThoseThatWait() {
    crowd();
    ask("a", "a");
    nowNanos = wakeAtNanos;
    ask("b", "b");
    assertThat(begun).isEmpty();
    wake();
    wake();
    assertThat(begun).containsExactly("a", "b");
  }

  @Test
  void whoHasLeftTakesNoTurn() {
    crowd();
    Runnable gone = ask("a", "a");
    ask("a", "a again");
    Runnable alone = ask("b", "b");
    pace.leave("a", gone);
    pace.leave("b", alone);
    pace.leave("b", alone);
    wake();
    assertThat(begun).containsExactly("a again");
    assertThat(tasks).isEmpty();
  }
}
