package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandshakeTurnsTest {
  private final HandshakeTurns turns = new HandshakeTurns();
  private final List<String> begun = new ArrayList<>();

  private static InetAddress address(int last) {
    try {
      return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private HandshakeTurns.HandshakeTurn ask(int address, String name) {
    HandshakeTurns.HandshakeTurn turn = turns.turn(address(address), () -> begun.add(name));
    turn.ask();
    return turn;
  }

  private List<HandshakeTurns.HandshakeTurn> askTimes(int times, int address, String name) {
    List<HandshakeTurns.HandshakeTurn> asked = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      asked.add(ask(address, name + i));
    }
    return asked;
  }

  @Test
  void beginsAtOnceWhereThereIsAPlace() {
    ask(1, "a");
    assertThat(begun).containsExactly("a");
  }

  @Test
  void oneAddressNeverHasAllPlaces() {
    askTimes(1_000, 1, "a");
    assertThat(begun).hasSize(HandshakeTurns.AT_ONCE_FROM_ADDRESS);
    ask(2, "b");
    assertThat(begun).contains("b");
  }

  @Test
  void allTogetherHaveABound() {
    for (int address = 1; address <= 100; address++) {
      askTimes(3, address, "a" + address + "-");
    }
    assertThat(begun).hasSize(HandshakeTurns.AT_ONCE);
  }

  @Test
  void addressesThatWaitTakeTurns() {
    List<HandshakeTurns.HandshakeTurn> first =
        askTimes(HandshakeTurns.AT_ONCE_FROM_ADDRESS, 1, "a");
    List<HandshakeTurns.HandshakeTurn> second =
        askTimes(HandshakeTurns.AT_ONCE - HandshakeTurns.AT_ONCE_FROM_ADDRESS, 2, "b");
    begun.clear();
    askTimes(2, 1, "c");
    askTimes(2, 2, "d");
    askTimes(2, 3, "e");
    assertThat(begun).isEmpty();
    first.forEach(HandshakeTurns.HandshakeTurn::end);
    second.forEach(HandshakeTurns.HandshakeTurn::end);
    // The first address may have no more when the first place is free, so it stays in front.
    assertThat(begun).containsExactly("c0", "d0", "e0", "c1", "d1", "e1");
  }

  @Test
  void whoEndsBeforeItsTurnNeverBegins() {
    List<HandshakeTurns.HandshakeTurn> running =
        askTimes(HandshakeTurns.AT_ONCE_FROM_ADDRESS, 1, "a");
    HandshakeTurns.HandshakeTurn gone = ask(1, "gone");
    ask(1, "next");
    gone.end();
    running.get(0).end();
    assertThat(begun).contains("next").doesNotContain("gone");
  }

  @Test
  void endsOnlyOnce() {
    List<HandshakeTurns.HandshakeTurn> running =
        askTimes(HandshakeTurns.AT_ONCE_FROM_ADDRESS, 1, "a");
    askTimes(2, 1, "b");
    running.get(0).end();
    running.get(0).end();
    assertThat(begun).contains("b0").doesNotContain("b1");
  }

  @Test
  void whoEndsWhileItBeginsLeavesThePlaceToTheNext() {
    List<HandshakeTurns.HandshakeTurn> self = new ArrayList<>();
    List<HandshakeTurns.HandshakeTurn> running =
        askTimes(HandshakeTurns.AT_ONCE_FROM_ADDRESS, 1, "a");
    self.add(turns.turn(address(1), () -> self.get(0).end()));
    self.get(0).ask();
    ask(1, "next");
    running.get(0).end();
    assertThat(begun).contains("next");
  }

  @Test
  void whoEndsBeforeItAsksNeverBegins() {
    HandshakeTurns.HandshakeTurn gone = turns.turn(address(1), () -> begun.add("gone"));
    gone.end();
    gone.ask();
    assertThat(begun).isEmpty();
  }

  @Test
  void placesComeBackHoweverTurnsEnd() {
    for (int round = 0; round < 100; round++) {
      askTimes(100, 1, "a").forEach(HandshakeTurns.HandshakeTurn::end);
    }
    begun.clear();
    askTimes(HandshakeTurns.AT_ONCE_FROM_ADDRESS, 1, "b");
    askTimes(HandshakeTurns.AT_ONCE - HandshakeTurns.AT_ONCE_FROM_ADDRESS, 2, "c");
    assertThat(begun).hasSize(HandshakeTurns.AT_ONCE);
  }
}
