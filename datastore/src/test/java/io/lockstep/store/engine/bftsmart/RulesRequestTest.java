package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import io.lockstep.store.engine.Rules;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RulesRequestTest {
  private static final byte[] RULES =
      ByteBuffer.allocate(12).putInt(0x4c4b5255).putInt(2).putInt(96).array();

  private static TOMMessage from(int sender, byte[] content) {
    return new TOMMessage(sender, 0, 0, 0, content, 0, TOMMessageType.ORDERED_REQUEST);
  }

  @Test
  void looksLikeThisInALogForEver() {
    TOMMessage request = from(-2, RULES);
    assertThat(RulesRequest.is(request)).isTrue();
    assertThat(RulesRequest.read(request)).isEqualTo(new Rules(2, 96));
  }

  @Test
  void noopsAndRequestsOfClientsAreNone() {
    assertThat(RulesRequest.is(from(-1, new byte[0]))).isFalse();
    assertThat(RulesRequest.is(from(-1, new byte[12]))).isFalse();
    assertThat(RulesRequest.is(from(5, RULES))).isFalse();
  }

  @Test
  void thoseOfALaterVersionAreRefusedWithTheRemedy() {
    assertThatThrownBy(() -> RulesRequest.read(from(-1, Arrays.copyOf(RULES, 13))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("run the release that the other nodes run");
  }

  /** Else a client, or one replica alone, could end all replicas with rules that none knows. */
  @Test
  void noneIsTakenThatWasSentOrForwarded() {
    PendingRequests pending =
        new PendingRequests(null, 0, ReplicaConfig.Limits.usual(), requests -> {});
    assertThat(pending.requestReceived(from(-3, RULES), true)).isFalse();
    assertThat(pending.size()).isZero();
    assertThat(pending.hasUnproposed(Integer.MAX_VALUE)).isFalse();
  }
}
