package io.lockstep.bench.openflow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.openflow.FlowExchange.Flow;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Learning and the closed loop, on a clock that the test turns. */
class PhasesTest {
  private static final long MILLI = 1_000_000L;
  private static final LoadPlan PLAN = new LoadPlan(3, 4, 8, 1);

  private record Sent(int switchIndex, int source, int destination) {}

  private final FlowExchange exchange = new FlowExchange(PLAN);
  private final ArrayDeque<Sent> sent = new ArrayDeque<>();
  private final Set<Integer> deaf = new HashSet<>();
  private long now;

  private final Sender sender =
      new Sender() {
        @Override
        public boolean isHeard(int switchIndex) {
          return !deaf.contains(switchIndex);
        }

        @Override
        public void packetIn(int switchIndex, int source, int destination) {
          sent.add(new Sent(switchIndex, source, destination));
        }
      };

  private ClosedLoop closedLoop(int inFlight) {
    return new ClosedLoop(
        exchange, sender, PLAN, ClosedLoop.cycles(PLAN), inFlight, new Schedule(0, 1000, 50), now);
  }

  private void answer(Phase phase, Sent packetIn, int outPort) {
    long to =
        packetIn.destination < 0
            ? PacketIns.BROADCAST
            : PLAN.mac(packetIn.switchIndex, packetIn.destination);
    long from = PLAN.mac(packetIn.switchIndex, packetIn.source);
    Answer answer = new Answer(Answer.Kind.PACKET_OUT, from, to, outPort, 1);
    Flow flow = requireNonNull(exchange.answered(packetIn.switchIndex, answer));
    phase.answered(flow, answer, now);
  }

  private void answerRight(Phase phase) {
    Sent packetIn = sent.removeFirst();
    answer(phase, packetIn, packetIn.destination < 0 ? 1 : PLAN.port(packetIn.destination));
    phase.proceed(now);
  }

  @Test
  void exactlySoManyAreInFlight() {
    ClosedLoop loop = closedLoop(5);
    loop.proceed(now);
    loop.proceed(now);
    assertThat(sent).hasSize(5);
    answerRight(loop);
    assertThat(sent).hasSize(5);
    assertThat(exchange.size()).isEqualTo(5);
  }

  @Test
  void switchesTakeTurnsAndDeafOnesAreSkipped() {
    ClosedLoop loop = closedLoop(4);
    deaf.add(1);
    loop.proceed(now);
    assertThat(sent.stream().map(Sent::switchIndex)).containsExactly(0, 2, 0, 2);
    deaf.addAll(Set.of(0, 2));
    answerRight(loop);
    assertThat(exchange.size()).isEqualTo(3);
  }

  @Test
  void aLostPacketInMakesRoomAtItsDeadline() {
    ClosedLoop loop = closedLoop(1);
    loop.proceed(now);
    now += 50 * MILLI;
    Flow late = requireNonNull(exchange.expired(now - loop.deadlineNanos()));
    loop.expired(late, now);
    loop.proceed(now);
    assertThat(sent).hasSize(2);
    assertThat(loop.window().figures(1).lost()).isEqualTo(1);
  }

  @Test
  void onlyAnAnswerToTheRightPortIsASetUp() {
    ClosedLoop loop = closedLoop(1);
    loop.proceed(now);
    now += MILLI;
    answerRight(loop);
    Sent second = sent.removeFirst();
    answer(loop, second, PLAN.port(second.destination) + 1);
    assertThat(loop.window().figures(1).answered()).isEqualTo(1);
    assertThat(loop.misdirected()).isEqualTo(1);
  }

  @Test
  void theLoopEndsWhenTheLastIsAnswered() {
    ClosedLoop loop = closedLoop(2);
    loop.proceed(now);
    now += 1000 * MILLI;
    assertThat(loop.isOver(now)).isFalse();
    answerRight(loop);
    assertThat(sent).hasSize(1);
    answerRight(loop);
    assertThat(loop.isOver(now)).isTrue();
    assertThat(loop.window().figures(1).lost()).isZero();
  }

  @Test
  void hostsAnnounceThemselvesBeforeTheyAreProbed() {
    Learning learning = new Learning(exchange, sender, PLAN);
    learning.proceed(now);
    Set<Sent> announced = new HashSet<>();
    int steps = 0;
    while (!learning.isOver(now)) {
      assertThat(++steps).isLessThan(1000);
      Sent next = sent.getFirst();
      if (next.destination < 0) {
        announced.add(new Sent(next.switchIndex, next.source, -1));
      } else {
        assertThat(announced).contains(new Sent(next.switchIndex, next.destination, -1));
        assertThat(PLAN.port(next.source)).isNotEqualTo(PLAN.port(next.destination));
      }
      answerRight(learning);
    }
    assertThat(announced).hasSize(24);
  }

  @Test
  void aFloodedOrUnansweredProbeBeginsWithTheAnnouncementAgain() {
    LoadPlan small = new LoadPlan(1, 2, 2, 1);
    FlowExchange own = new FlowExchange(small);
    Learning learning = new Learning(own, sender, small);
    learning.proceed(now);
    assertThat(sent).containsExactly(new Sent(0, 0, -1), new Sent(0, 1, -1));
    sent.clear();
    // Nobody answers: learnt from or not, the probe will tell.
    Flow late;
    while ((late = own.expired(now)) != null) {
      learning.expired(late, now);
    }
    learning.proceed(now);
    assertThat(sent).containsExactly(new Sent(0, 1, 0), new Sent(0, 0, 1));
    sent.clear();
    Answer flood =
        new Answer(Answer.Kind.PACKET_OUT, small.mac(0, 1), small.mac(0, 0), 0xffff_fffbL, 1);
    learning.answered(requireNonNull(own.answered(0, flood)), flood, now);
    learning.expired(requireNonNull(own.expired(now)), now);
    learning.proceed(now);
    assertThat(sent).containsExactly(new Sent(0, 0, -1), new Sent(0, 1, -1));
    assertThat(learning.unknown()).isEqualTo(2);
  }
}
