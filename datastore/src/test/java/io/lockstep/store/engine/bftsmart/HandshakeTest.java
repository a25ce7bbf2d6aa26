package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandshakeTest {
  private static final Handshake HELLO =
      new Handshake(Handshake.REPLICA_LINK, Handshake.VERSION, 7, "añ", 1, 2);

  private static byte[] body(Handshake hello) {
    byte[] frame = RawClient.frame(hello);
    return Arrays.copyOfRange(frame, 4, frame.length);
  }

  private static ByteBuf in(byte[] body, int length) {
    return Unpooled.wrappedBuffer(body, 0, length);
  }

  @Test
  void versionSixLooksLikeThisAndComesBackAsItWas() {
    assertThat(HexFormat.of().formatHex(RawClient.frame(HELLO)))
        .isEqualTo(
            "00000014" // length
                + ("4c53524c" + "06") // purpose and version: here in every version
                + "00000007" // version of requests
                + ("00000001" + "00000002") // from and to
                + "61c3b1");
    assertThat(Handshake.decode(in(body(HELLO), 20))).isEqualTo(HELLO);
  }

  @Test
  void incarnationsStandAboveTheIds() {
    Handshake newcomer =
        new Handshake(Handshake.REPLICA_LINK, Handshake.VERSION, 7, "a", 2, 0, 0x7fffff, 3);
    assertThat(HexFormat.of().formatHex(body(newcomer)).substring(18, 34))
        .isEqualTo("7fffff02" + "00000300");
    assertThat(Handshake.decode(in(body(newcomer), 18))).isEqualTo(newcomer);
    assertThat(Handshake.decode(in(body(Handshake.ofClient("a", 1)), 18)))
        .isEqualTo(Handshake.ofClient("a", 1));
  }

  @Test
  void everyCutThatLeavesNoClusterIsNoHandshake() {
    for (int length = 0; length <= 17; length++) {
      assertThat(Handshake.decode(in(body(HELLO), length))).as("cut to " + length).isNull();
    }
  }

  @Test
  void anotherVersionIsKnownByItsFirstBytes() {
    for (int version : List.of(5, 7, 255)) {
      Handshake other = new Handshake(Handshake.CLIENT_LINK, version, 0, "a", 1, 2);
      for (int length = 5; length <= 18; length++) {
        Handshake read = Handshake.decode(in(body(other), length));
        assertThat(read).isEqualTo(new Handshake(Handshake.CLIENT_LINK, version, 0, "", -1, -1));
      }
    }
  }

  @Test
  void largestFitsItsBound() {
    Handshake largest = Handshake.ofClient("\u20ac".repeat(64), 0);
    assertThat(body(largest)).hasSizeLessThanOrEqualTo(Handshake.MAX_BYTES);
  }

  @Test
  void misfitsAreNamedTheFirstOneFirst() {
    assertThat(HELLO.misfit(Handshake.REPLICA_LINK, "añ", "this replica")).isNull();
    assertThat(HELLO.misfit(Handshake.CLIENT_LINK, "b", "this client"))
        .isEqualTo("uses the protocol between replicas: check the port");
    assertThat(Handshake.ofClient("a", 0).misfit(Handshake.REPLICA_LINK, "a", "this replica"))
        .isEqualTo("uses the protocol of clients: check the port");
  }
}
