package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.SwitchPort;
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
    moveInTheStore(NEW);
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
    moveInTheStore(NEW);
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

  /** Or the claim of a move that is done would keep the host's next move waiting. */
  @Test
  void moveThatIsOnItsWayToTheStoreIsNotClaimedAgain() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    send(second, secondNode, 1, request());
    storeIsSlow = true;
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    storeIsSlow = false;
    int before = writes;
    send(second, secondNode, 1, request());
    time.pass(10);
    assertThat(writes).isEqualTo(before);
  }

  @Test
  void moveThatTheStoreRefusesIsClaimedAgain() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    send(second, secondNode, 1, request());
    refusals.put(2L, 1);
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(host().location()).isEqualTo(OLD);
    send(second, secondNode, 1, request());
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(host().location()).isEqualTo(NEW);
  }

  @Test
  void claimOfThePlaceWhereTheHostIsDoesNotKeepItsNextMoveWaiting() {
    send(second, secondNode, 1, request());
    time.pass(1_000);
    send(first, firstNode, 1, request());
    moveInTheStore(OLD);
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(moves).isEmpty();
    send(first, firstNode, 2, request());
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(host().location()).isEqualTo(new SwitchPort(1, 2));
  }

  /** The view of the store shows the move of the host, whoever wrote it. */
  private void moveInTheStore(SwitchPort place) {
    hosts.put(KEY, host().movedTo(place, time.millis()));
    tell(HostEntityTable.NAME, KEY);
  }
}
