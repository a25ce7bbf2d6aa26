package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is kept of a disputed move is forgotten when the dispute is over. */
class HostMovesLeftoversTest extends HostTrackerFixture {

  @Test
  void packetOfAClaimThatWasWithdrawnIsForgotten() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    hostAnswersAtOldPlace = true;
    send(second, secondNode, 1, request());
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(moves).isEmpty();
    moveInTheStore();
    assertThat(again).isEmpty();
  }

  /** Neither the packet nor the announcement of the move waits for longer than the view may lag. */
  @Test
  void moveThatIsShownTooLateIsFollowedByNothing() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    send(second, secondNode, 1, request());
    storeIsSlow = true;
    time.pass(HostTracker.VERIFY_MILLIS + 5_010);
    moveInTheStore();
    assertThat(again).isEmpty();
  }

  @Test
  void hostIsNoLongerAskedOnceTheDisputeIsOver() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    send(second, secondNode, 1, request());
    storeIsSlow = true;
    time.pass(2 * HostTracker.VERIFY_MILLIS + 10);
    int before = writes;
    send(first, firstNode, 1, request());
    assertThat(writes).as("its packets withdraw nothing any more").isEqualTo(before);
  }

  /** The view of the store shows the move of the host, whoever wrote it. */
  private void moveInTheStore() {
    hosts.put(KEY, host().movedTo(NEW, time.millis()));
    tell(HostTable.HOSTS, KEY);
  }
}
