package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Limits;
import io.netty.buffer.Unpooled;
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

  private static TOMMessage sized(int client, int sequence, int bytes) {
    byte[] content = java.nio.ByteBuffer.allocate(bytes).putInt(sequence).array();
    TOMMessage sized =
        new TOMMessage(client, 1, sequence, 0, content, 0, TOMMessageType.ORDERED_REQUEST);
    sized.serializedMessage = TOMMessage.messageToBytes(sized);
    return sized;
  }

  @Test
  void batchEndsBeforeTheRequestThatWouldExceedItsBytes() {
    int half = Limits.usual().maxBatchBytes() / 2 - 100;
    for (int sequence = 0; sequence < 5; sequence++) {
      requests.requestReceived(sized(5, sequence, half), true);
    }
    assertThat(nextSequences()).containsExactly(0, 1);
    assertThat(nextSequences()).containsExactly(2, 3);
  }

  @Test
  void requestLargerThanABatchHasOneAlone() {
    int large = Limits.usual().maxBatchBytes() + 100;
    requests.requestReceived(sized(5, 0, large), true);
    requests.requestReceived(sized(5, 1, large), true);
    assertThat(nextSequences()).containsExactly(0);
    assertThat(nextSequences()).containsExactly(1);
  }

  @Test
  void smallRequestOfAnotherClientIsInTheNextBatch() {
    for (int sequence = 0; sequence < 8; sequence++) {
      requests.requestReceived(sized(5, sequence, 1 << 20), true);
    }
    requests.requestReceived(request(6, 1, 100), true);
    assertThat(nextSequences()).contains(100);
  }

  @Test
  void boundedBatchesLeaveLargeRequestsToLaterOnes() {
    requests.requestReceived(sized(5, 0, 1 << 20), true);
    requests.requestReceived(sized(6, 1, 1 << 20), true);
    for (int sequence = 10; sequence < 20; sequence++) {
      requests.requestReceived(sized(7, sequence, 50_000), true);
    }
    requests.boundBatches(LargeBatches.LARGE_BYTES);
    assertThat(nextSequences()).containsExactly(10, 11, 12, 13, 14);
    assertThat(nextSequences()).containsExactly(15, 16, 17, 18, 19);
    assertThat(requests.hasUnproposed(LargeBatches.LARGE_BYTES)).isFalse();
    assertThat(requests.hasUnproposed(Integer.MAX_VALUE)).isTrue();
    requests.boundBatches(Integer.MAX_VALUE);
    assertThat(nextSequences()).containsExactly(0);
    assertThat(nextSequences()).containsExactly(1);
  }

  /** Ten clients have small requests all the time, as fast as they are proposed. */
  @Test
  void largeRequestsAreNotStarvedBesideAFloodOfSmallOnes() {
    LargeBatches large = new LargeBatches();
    int sequence = 1000;
    int proposed = 0;
    for (int client = 0; client < 4; client++) {
      requests.requestReceived(sized(client, client, 1 << 20), true);
    }
    int batch = 0;
    while (proposed < 4 && batch < 1_000) {
      for (int client = 10; client < 20; client++) {
        requests.requestReceived(sized(client, sequence++, 1_000), true);
      }
      boolean admitted = large.admits(batch - 1, batch - 3, 10L * batch);
      requests.boundBatches(admitted ? Integer.MAX_VALUE : LargeBatches.LARGE_BYTES);
      List<TOMMessage> next = requests.getPendingRequests();
      int bytes = next.stream().mapToInt(one -> one.serializedMessage.length).sum();
      if (admitted) {
        large.proposed(batch, bytes, 10L * batch);
      } else {
        assertThat(bytes).isLessThanOrEqualTo(LargeBatches.LARGE_BYTES);
        large.proposedSmall();
      }
      proposed += bytes >= 1 << 20 ? 1 : 0;
      batch++;
    }
    assertThat(batch).as("batches until all large requests were proposed").isLessThan(500);
  }

  // ---------------------------------------------------------------- requests of clients

  private final RequestBudgets budgets =
      new RequestBudgets(32 << 20, Runnable::run, System::nanoTime);
  private final RequestBudgets.Share share =
      budgets.share(
          new RequestBudgets.Reader() {
            @Override
            public void resume() {}

            @Override
            public void giveUp(String why) {}
          });

  private ClientRequest fromClient(int sequence, byte[] content) {
    assertThat(share.take(ClientRequest.weight(content.length))).isTrue();
    ClientRequest request = new ClientRequest(5, 1, sequence, content.length, share);
    assertThat(request.fill(Unpooled.wrappedBuffer(content))).isTrue();
    return request;
  }

  private static byte[] content(int first) {
    byte[] content = new byte[100_000];
    content[0] = (byte) first;
    return content;
  }

  @Test
  void requestIsWhatTheLibraryWouldWrite() {
    ClientRequest request = fromClient(10, new byte[] {1, 2, 3});
    TOMMessage same = request(5, 1, 10);
    assertThat(request.serializedMessage).isEqualTo(same.serializedMessage);
    assertThat(request.getContent()).isEqualTo(same.getContent());
  }

  @Test
  void roomIsGivenBackWhereverARequestLeaves() {
    byte[] content = content(1);
    requests.requestReceived(fromClient(10, content), true);
    assertThat(budgets.taken()).isEqualTo(ClientRequest.weight(content.length));
    requests.requestReceived(fromClient(10, content), true);
    requests.requestReceived(fromClient(11, content), true);
    assertThat(budgets.taken())
        .as("the same number, and the same content under another one")
        .isEqualTo(ClientRequest.weight(content.length));
    requests.requestReceived(fromClient(12, content(2)), true);
    requests.requestReceived(fromClient(13, content(3)), true);
    assertThat(requests.size()).isEqualTo(3);

    requests.requestsOrdered(new TOMMessage[] {sent(10, content)});
    assertThat(budgets.taken()).isEqualTo(2L * ClientRequest.weight(content.length));
    requests.requestReceived(fromClient(10, content), true);
    assertThat(budgets.taken())
        .as("ordered before")
        .isEqualTo(2L * ClientRequest.weight(content.length));
    requests.dropOlderThan(0, System.nanoTime());
    assertThat(budgets.taken()).isZero();

    requests.requestReceived(fromClient(14, content(4)), true);
    requests.clear();
    assertThat(budgets.taken()).isZero();
    assertThat(requests.hasUnproposed(Integer.MAX_VALUE)).isFalse();
  }

  private static TOMMessage sent(int sequence, byte[] content) {
    TOMMessage sent =
        new TOMMessage(5, 1, sequence, sequence, content, 0, TOMMessageType.ORDERED_REQUEST);
    sent.serializedMessage = TOMMessage.messageToBytes(sent);
    return sent;
  }

  @Test
  void requestThatWasOrderedUnderAnotherNumberDoesNotWaitAnyMore() {
    requests.requestReceived(fromClient(10, content(1)), true);
    requests.requestReceived(fromClient(11, content(2)), true);
    requests.requestsOrdered(new TOMMessage[] {sent(20, content(1))});
    assertThat(nextSequences()).containsExactly(11);
  }

  @Test
  void whatPeersForwardIsBoundedInBytes() {
    int large = 1 << 20;
    int taken = 0;
    for (int sequence = 0; sequence < 100; sequence++) {
      taken += requests.forwarded(sized(7, sequence, large)) ? 1 : 0;
    }
    assertThat(taken).isEqualTo(RequestTable.FORWARDED_BYTES / large - 1);
    requests.dropOlderThan(0, System.nanoTime());
    assertThat(requests.forwarded(sized(7, 200, large))).isTrue();
  }

  @Test
  void oneBatchAtMostIsForwarded() {
    for (int sequence = 0; sequence < 30; sequence++) {
      requests.requestReceived(fromClient(sequence, content(sequence)), true);
    }
    assertThat(requests.olderThan(0, System.nanoTime()))
        .hasSize(Limits.usual().maxBatchBytes() / 100_032);
  }

  @Test
  void hazard3NothingPendingStillMakesABatchOfOneNoop() {
    List<TOMMessage> batch = requests.getPendingRequests();
    assertThat(batch).hasSize(1);
    assertThat(PendingRequests.isNoop(batch.get(0))).isTrue();
    assertThat(batch.get(0).serializedMessage).isNotEmpty();
    requests.requestsOrdered(batch.toArray(new TOMMessage[0]));
    assertThat(requests.lanes()).isZero();
    assertThat(requests.hasUnproposed(Integer.MAX_VALUE)).isFalse();
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
    assertThat(requests.olderThan(second, arrived + second / 2)).isEmpty();
    assertThat(requests.olderThan(second, arrived + second)).containsExactly(old);
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
    assertThat(requests.hasUnproposed(Integer.MAX_VALUE)).isFalse();
    requests.forgetProposals();
    assertThat(requests.hasUnproposed(Integer.MAX_VALUE)).isTrue();
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
    assertThat(requests.forwarded(request(5, 1, 10))).isTrue();
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
