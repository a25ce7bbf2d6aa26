package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(IsolatedLibrary.class)
class PendingRequestsTest {
  private final PendingRequests requests =
      new PendingRequests(null, 1, Limits.usual(), ordered -> {});

  private static TOMMessage request(int client, int session, int sequence) {
    TOMMessage request =
        new TOMMessage(
            client,
            session,
            sequence,
            sequence,
            new byte[] {1, 2, 3},
            0,
            TOMMessageType.ORDERED_REQUEST);
    request.serializedMessage = TOMMessage.messageToBytes(request);
    return request;
  }

  private List<Integer> nextSequences() {
    List<Integer> sequences = new ArrayList<>();
    requests.getPendingRequests().forEach(request -> sequences.add(request.getSequence()));
    return sequences;
  }

  @Test
  void batchesComeInOrderOfArrivalAndOnlyOnce() {
    for (int sequence = 10; sequence < 1010; sequence++) {
      assertThat(requests.requestReceived(request(5, 1, sequence), true)).isTrue();
    }
    List<Integer> first = nextSequences();
    List<Integer> second = nextSequences();
    assertThat(first).hasSize(400).startsWith(10).endsWith(409);
    assertThat(second).hasSize(400).startsWith(410).endsWith(809);
  }

  @Test
  void batchEndsWithTheRequestThatFillsItsBytes() {
    for (int sequence = 0; sequence < 5; sequence++) {
      TOMMessage large =
          new TOMMessage(5, 1, sequence, 0, new byte[2 << 20], 0, TOMMessageType.ORDERED_REQUEST);
      large.serializedMessage = TOMMessage.messageToBytes(large);
      requests.requestReceived(large, true);
    }
    assertThat(nextSequences()).containsExactly(0, 1);
  }

  @Test
  void hazard3NothingPendingStillMakesABatchOfOneNoop() {
    List<TOMMessage> batch = requests.getPendingRequests();
    assertThat(batch).hasSize(1);
    assertThat(PendingRequests.isNoop(batch.get(0))).isTrue();
    assertThat(batch.get(0).serializedMessage).isNotEmpty();
    requests.requestsOrdered(batch.toArray(new TOMMessage[0]));
    assertThat(requests.lanes()).isZero();
    assertThat(requests.hasUnproposed()).isFalse();
  }

  @Test
  void hazard3NoopInsideAProposalIsAcceptedButNeverPending() {
    TOMMessage noop = requests.getPendingRequests().getFirst();
    assertThat(requests.requestReceived(noop, false)).isTrue();
    assertThat(requests.size()).isZero();
    assertThat(requests.requestReceived(noop, true)).isFalse();
  }

  @Test
  void hazard10AgeIsADifferenceOfTimes() {
    TOMMessage old = request(5, 1, 10);
    requests.requestReceived(old, true);
    long arrived = old.receptionTime;
    requests.requestReceived(request(5, 1, 11), true);
    long second = TimeUnit.SECONDS.toNanos(1);
    assertThat(requests.oldestPendingNanos(arrived + 5)).isEqualTo(5);
    assertThat(requests.olderThan(second, arrived + second / 2, 10)).isEmpty();
    assertThat(requests.olderThan(second, arrived + second, 10)).containsExactly(old);
    requests.dropOlderThan(second, arrived + second);
    assertThat(nextSequences()).containsExactly(11);
  }

  @Test
  void hazard11SessionsAreForgottenInTheEnd() {
    for (int session = 0; session < PendingRequests.MAX_LANES + 100; session++) {
      requests.requestReceived(request(5, session, 10), false);
    }
    assertThat(requests.lanes()).isEqualTo(PendingRequests.MAX_LANES);
  }

  @Test
  void hazard17ProposedButUndecidedRequestsAreProposedAgainAfterALeaderChange() {
    requests.requestReceived(request(5, 1, 10), true);
    assertThat(nextSequences()).containsExactly(10);
    assertThat(requests.hasUnproposed()).isFalse();
    requests.forgetProposals();
    assertThat(requests.hasUnproposed()).isTrue();
    assertThat(nextSequences()).containsExactly(10);
  }

  @Test
  void hazard17SequenceNumbersMaySkipAndComeLate() {
    assertThat(requests.requestReceived(request(5, 1, 10), true)).isTrue();
    assertThat(requests.requestReceived(request(5, 1, 15), true)).isTrue();
    assertThat(requests.requestReceived(request(5, 1, 12), true)).isTrue();
    assertThat(nextSequences()).containsExactly(10, 15, 12);
  }

  @Test
  void hazard18RequestToChangeTheViewIsDropped() {
    TOMMessage change = new TOMMessage(7002, 1, 10, 10, new byte[9], 0, TOMMessageType.RECONFIG);
    assertThat(requests.requestReceived(change, true)).isFalse();
    assertThat(requests.size()).isZero();
  }

  @Test
  void requestThatArrivesAfterItWasOrderedIsNotPending() {
    requests.requestsOrdered(new TOMMessage[] {request(5, 1, 10)});
    assertThat(requests.requestReceived(request(5, 1, 10), true)).isFalse();
    assertThat(requests.requestReceived(request(5, 2, 10), true)).isTrue();
    assertThat(requests.size()).isEqualTo(1);
  }

  @Test
  void orderedRequestThatAPeerStillWaitsForIsOrderedAgain() {
    requests.requestsOrdered(new TOMMessage[] {request(5, 1, 10)});
    requests.allowAgain(request(5, 1, 10));
    assertThat(requests.requestReceived(request(5, 1, 10), true)).isTrue();
  }

  @Test
  void requestsBeyondTheLimitAreDroppedUnlessProposed() {
    int limit = Limits.usual().maxPendingRequests();
    for (int sequence = 0; sequence < limit; sequence++) {
      requests.requestReceived(request(5, 1, sequence), true);
    }
    assertThat(requests.requestReceived(request(6, 1, 0), true)).isFalse();
    assertThat(requests.requestReceived(request(6, 1, 0), false)).isTrue();
  }
}
