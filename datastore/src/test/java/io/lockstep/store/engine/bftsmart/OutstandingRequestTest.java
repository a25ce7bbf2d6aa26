package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When the replies to one request agree; two are needed. */
class OutstandingRequestTest {
  private static final byte[] BYTES = {1, 2};

  private final OutstandingRequest request = new OutstandingRequest(new byte[] {7}, 0);

  private boolean agreed(int replica, int sequence) {
    return request.agreed(replica, sequence, 3, 40, new byte[32], BYTES.clone(), 2);
  }

  @Test
  void twoReplicasThatSayTheSameAgree() {
    assertThat(agreed(0, 9)).isFalse();
    assertThat(agreed(1, 9)).isTrue();
  }

  @Test
  void sameReplyOfOneReplicaCountsOnceHoweverOftenItComes() {
    for (int times = 0; times < 10; times++) {
      assertThat(agreed(0, 9)).isFalse();
    }
    assertThat(agreed(2, 9)).isTrue();
  }

  @Test
  void repliesToDifferentAttemptsDoNotAgree() {
    assertThat(agreed(0, 9)).isFalse();
    assertThat(agreed(1, 10)).isFalse();
    assertThat(agreed(2, 9)).isTrue();
  }

  @Test
  void repliesOfAReplicaToManyAttemptsAreAllKept() {
    for (int sequence = 9; sequence < 30; sequence++) {
      assertThat(agreed(0, sequence)).isFalse();
    }
    assertThat(agreed(1, 9)).isTrue();
  }
}
