package io.lockstep.core.packet;

import static io.lockstep.core.packet.Frames.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Timers of applications, by a clock that the test moves. */
class ApplicationTimersTest extends PacketDispatcherFixture {
  private final List<String> ended = new ArrayList<>();
  private Supplier<Decision> onPacket = () -> Decision.DROP;
  private final PacketDispatcher dispatcher;

  ApplicationTimersTest() {
    app("a", ended);
    dispatcher = mastering();
  }

  private void app(String name, List<String> heard) {
    App app = new App(name, packet -> onPacket.get());
    app.onEvent =
        event -> {
          if (event instanceof NetworkEvent.TimerExpired timer) {
            heard.add(timer.name() + " " + timer.elapsedMillis());
          }
          return Decision.PASS;
        };
  }

  private void start(String name, long millis) {
    onPacket = () -> Decision.act(new Instruction.StartTimer(name, millis));
    dispatcher.packetIn(connection, whole(1, FRAME));
  }

  @Test
  void timerIsToldOnceWhenItsTimeIsOver() {
    start("t", 250);
    time.pass(249);
    assertThat(ended).isEmpty();
    time.pass(ApplicationTimers.LOOK_MILLIS);
    assertThat(ended).hasSize(1);
    assertThat(ended.get(0)).matches("t (2[5-9]\\d|3[0-4]\\d)");
    time.pass(10_000);
    assertThat(ended).hasSize(1);
  }

  @Test
  void shortTimerIsToldInTime() {
    start("t", 5);
    time.pass(5);
    assertThat(ended).containsExactly("t 5");
  }

  @Test
  void startedAnewItRunsFromThere() {
    start("t", 1_000);
    time.pass(900);
    start("t", 1_000);
    time.pass(900);
    assertThat(ended).isEmpty();
    time.pass(100 + ApplicationTimers.LOOK_MILLIS);
    assertThat(ended).hasSize(1);
  }

  @Test
  void stoppedItIsNotTold() {
    start("t", 1_000);
    start("u", 1_000);
    onPacket = () -> Decision.act(new Instruction.StopTimer("t"));
    dispatcher.packetIn(connection, whole(1, FRAME));
    time.pass(2_000);
    assertThat(ended).hasSize(1);
    assertThat(ended.get(0)).startsWith("u ");
  }

  @Test
  void thoseThatEndTogetherAreToldInTheOrderOfTheirEnds() {
    start("late", 90);
    start("early", 60);
    time.pass(3 * ApplicationTimers.LOOK_MILLIS);
    assertThat(ended)
        .extracting(one -> one.substring(0, one.indexOf(' ')))
        .containsExactly("early", "late");
  }

  @Test
  void expiredTimerMayStartTheNext() {
    PacketDispatcherFixture.App app = (PacketDispatcherFixture.App) applications.get(0);
    app.onEvent =
        event -> {
          if (event instanceof NetworkEvent.TimerExpired) {
            ended.add("again");
            return Decision.act(new Instruction.StartTimer("t", 100));
          }
          return Decision.PASS;
        };
    start("t", 100);
    time.pass(1_050);
    assertThat(ended).hasSizeBetween(5, 10);
  }

  @Test
  void lostSwitchTellsNothing() {
    start("t", 100);
    mastery.take(connection);
    time.pass(1_000);
    mastery.grant(connection, 8);
    time.pass(1_000);
    assertThat(ended).isEmpty();
  }

  @Test
  void startingOneWithEachPacketLeavesOneAlarmBehind() {
    for (int i = 0; i < 1_000; i++) {
      start("t", 50_000 - i);
    }
    assertThat(time.waiting()).isEqualTo(1);
  }

  @Test
  void tooManyAreRefusedAndCounted() {
    for (int i = 0; i < Instruction.StartTimer.MOST_TIMERS; i++) {
      start("t" + i, 100);
    }
    start("one more", 100);
    start("t0", 100);
    assertThat(dispatcher.counters().of(PacketResult.APPLICATION_FAILED)).isEqualTo(1);
    time.pass(1_000);
    assertThat(ended).hasSize(Instruction.StartTimer.MOST_TIMERS);
  }

  @Test
  void boundsAreChecked() {
    String long64 = "n".repeat(Instruction.StartTimer.MAX_NAME);
    assertThat(new Instruction.StartTimer(long64, Instruction.StartTimer.MAX_MILLIS)).isNotNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Instruction.StartTimer(long64 + "n", 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Instruction.StartTimer("t", 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Instruction.StartTimer("t", Instruction.StartTimer.MAX_MILLIS + 1));
  }
}
