package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.packet.Frames;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A host is asked at its old place, and has its time to answer. */
class HostQuestionsTest extends HostTrackerFixture {

  @Test
  void lostQuestionDoesNotMoveAHostThatIsAwake() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    send(second, secondNode, 1, request());
    assertThat(first.packetOuts).as("the first question is lost").hasSize(1);
    time.pass(HostQuestions.ASK_AGAIN_MILLIS - 10);
    hostAnswersAtOldPlace = true;
    time.pass(10_000);
    assertThat(first.packetOuts).hasSize(2);
    assertThat(host().location()).isEqualTo(OLD);
    assertThat(moves).isEmpty();
  }

  /** A node that is behind hears of its own claim late: the host has its time from then on. */
  @Test
  void timeToAnswerBeginsWhenTheHostIsAsked() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    hostAnswersAtOldPlace = true;
    answerMillis = 300;
    tellMillis = HostTracker.VERIFY_MILLIS - 100;
    for (int i = 0; i < 20; i++) {
      send(first, firstNode, 2, request());
      time.pass(HostTracker.REPEAT_MILLIS);
    }
    assertThat(host().location()).isEqualTo(OLD);
  }

  /** The process stood still after it had asked: the answer is there, and not read yet. */
  @Test
  void answerThatIsNotReadYetCounts() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    CompletableFuture<Boolean> echo = new CompletableFuture<>();
    first.sign = echo;
    send(first, firstNode, 2, request());
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(host().location()).as("the old switch has not answered").isEqualTo(OLD);
    send(first, firstNode, 1, Frames.arp(2, HOST, IP, HostProbe.SENDER, 0));
    echo.complete(true);
    time.pass(10);
    assertThat(host().location()).isEqualTo(OLD);
    assertThat(moves).isEmpty();
  }

  @Test
  void hostBehindASwitchThatDoesNotAnswerIsMovedInTheEnd() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    first.sign = CompletableFuture.completedFuture(false);
    send(first, firstNode, 2, request());
    time.pass(HostTracker.SILENCE_MILLIS - HostTracker.VERIFY_MILLIS);
    assertThat(host().location()).isEqualTo(OLD);
    time.pass(2 * HostTracker.VERIFY_MILLIS);
    assertThat(host().location()).isEqualTo(new SwitchPort(1, 2));
  }
}
