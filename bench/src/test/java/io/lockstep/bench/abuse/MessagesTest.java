package io.lockstep.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessagesTest {
  static final List<Attack> ATTACKS = Attack.ALL;

  private static byte[] thousand(Consumer<ByteBuf> writer) {
    ByteBuf bytes = Unpooled.buffer();
    for (int i = 0; i < 1000; i++) {
      writer.accept(bytes);
    }
    return ByteBufUtil.getBytes(bytes);
  }

  /** What is sent to the nodes and what is discarded must be the same. */
  @ParameterizedTest
  @FieldSource("ATTACKS")
  void twoSequencesOfAnAttackAreEqual(Attack attack) {
    assertThat(thousand(attack.messages().get())).isEqualTo(thousand(attack.messages().get()));
  }

  /** These must be read as messages, or the decoder alone would be attacked. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "flow-removed",
        "port-status",
        "errors",
        "packet-ins",
        "addresses",
        "host-moves",
        "forged-probes",
        "malformed-frames",
        "stolen-addresses",
        "stolen-ips",
        "other-vlan",
        "echo-unread"
      })
  void messagesAreAsLongAsTheySay(String label) {
    Attack attack =
        Attack.ALL.stream().filter(one -> one.label().equals(label)).findAny().orElseThrow();
    Consumer<ByteBuf> writer = attack.messages().get();
    for (int i = 0; i < 1000; i++) {
      ByteBuf bytes = Unpooled.buffer();
      writer.accept(bytes);
      assertThat(bytes.getUnsignedByte(0)).isEqualTo((short) 4);
      assertThat(bytes.getUnsignedShort(2)).isEqualTo(bytes.readableBytes());
    }
  }

  /** Two attacks of one name would be told apart by nobody. */
  @Test
  void namesAreUnique() {
    assertThat(Attack.ALL.stream().map(Attack::label)).doesNotHaveDuplicates();
  }

  /** Else the attack would be one of garbage. */
  @Test
  void foreignWitnessSaysAWholeLine() {
    ByteBuf bytes = Unpooled.buffer();
    Messages.foreignWitness().accept(bytes);
    assertThat(bytes.toString(StandardCharsets.US_ASCII))
        .matches("lockstep-witness/1 [a-z]+ n1 \\d+\n");
  }
}
