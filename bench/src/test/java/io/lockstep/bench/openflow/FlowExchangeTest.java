package io.lockstep.bench.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.bench.openflow.FlowExchange.Flow;
import org.junit.jupiter.api.Test;

class FlowExchangeTest {
  private static final LoadPlan PLAN = new LoadPlan(2, 4, 8, 1);
  private final FlowExchange exchange = new FlowExchange(PLAN);

  private static Answer answer(int index, int source, int destination) {
    long to = destination < 0 ? PacketIns.BROADCAST : PLAN.mac(index, destination);
    return new Answer(Answer.Kind.PACKET_OUT, PLAN.mac(index, source), to, 1, 1);
  }

  @Test
  void anAnswerFindsItsPacketIn() {
    Flow one = exchange.sent(0, 1, 2, 10);
    Flow other = exchange.sent(0, 2, 1, 11);
    assertThat(exchange.answered(0, answer(0, 2, 1))).isSameAs(other);
    assertThat(exchange.answered(0, answer(0, 1, 2))).isSameAs(one);
    assertThat(exchange.size()).isZero();
    assertThat(exchange.packetOuts()).isEqualTo(2);
  }

  @Test
  void theFirstAnswerCounts() {
    exchange.sent(0, 1, 2, 10);
    Answer flowMod = new Answer(Answer.Kind.FLOW_MOD, PLAN.mac(0, 1), PLAN.mac(0, 2), 3, 1);
    assertThat(exchange.answered(0, flowMod)).isNotNull();
    assertThat(exchange.answered(0, answer(0, 1, 2))).isNull();
    assertThat(exchange.flowMods()).isEqualTo(1);
    assertThat(exchange.packetOuts()).isZero();
    assertThat(exchange.unrelated()).isEqualTo(1);
  }

  @Test
  void anAnswerAtAnotherSwitchIsNone() {
    exchange.sent(0, 1, 2, 10);
    assertThat(exchange.answered(1, answer(0, 1, 2))).isNull();
    assertThat(exchange.size()).isEqualTo(1);
  }

  @Test
  void anAnnouncementIsAPairOfItsOwn() {
    Flow announcement = exchange.sent(0, 1, -1, 10);
    exchange.sent(0, 1, 2, 10);
    assertThat(exchange.answered(0, answer(0, 1, -1))).isSameAs(announcement);
  }

  @Test
  void packetInsExpireInTheOrderTheyWereSent() {
    Flow first = exchange.sent(0, 1, 2, 10);
    exchange.sent(0, 2, 1, 20);
    Flow third = exchange.sent(0, 3, 1, 30);
    exchange.answered(0, answer(0, 2, 1));
    assertThat(exchange.expired(9)).isNull();
    assertThat(exchange.expired(25)).isSameAs(first);
    assertThat(exchange.expired(25)).isNull();
    assertThat(exchange.expired(30)).isSameAs(third);
    assertThat(exchange.size()).isZero();
  }

  @Test
  void anAnswerAfterTheDeadlineIsNone() {
    exchange.sent(0, 1, 2, 10);
    exchange.expired(10);
    assertThat(exchange.answered(0, answer(0, 1, 2))).isNull();
    assertThat(exchange.unrelated()).isEqualTo(1);
  }

  @Test
  void aPairIsOutstandingOnce() {
    exchange.sent(0, 1, 2, 10);
    assertThat(exchange.isOutstanding(0, 1, 2)).isTrue();
    assertThat(exchange.isOutstanding(1, 1, 2)).isFalse();
    assertThatThrownBy(() -> exchange.sent(0, 1, 2, 11)).isInstanceOf(IllegalStateException.class);
    exchange.answered(0, answer(0, 1, 2));
    exchange.sent(0, 1, 2, 12);
    assertThat(exchange.expired(11)).isNull();
  }
}
