package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.communication.SystemMessage;
import io.lockstep.store.KeptForms;
import io.lockstep.store.engine.Rules;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What replicas and clients send each other is written as it was, and what was sent is read. */
@ExtendWith(IsolatedLibrary.class)
class KeptMessagesTest {
  private static final List<Handshake> HANDSHAKES =
      List.of(
          new Handshake(Handshake.REPLICA_LINK, 6, 1, "campus", 2, 0),
          new Handshake(Handshake.CLIENT_LINK, 6, 0, "campus", -1, 1),
          new Handshake(Handshake.CLIENT_LINK, 6, 1, "campus", 1, -1));

  private static byte[] bytes(Consumer<ByteBuf> writer) {
    ByteBuf out = Unpooled.buffer();
    writer.accept(out);
    return ByteBufUtil.getBytes(out);
  }

  private static String name(int number, SystemMessage message) {
    Object named = message instanceof PeerMessage peer ? peer.note() : message;
    return String.format("%02d-%s", number, named.getClass().getSimpleName());
  }

  @Test
  void messagesBetweenReplicas() throws IOException {
    Map<String, byte[]> todays = new LinkedHashMap<>();
    for (SystemMessage message : LinkCodecTest.samples()) {
      todays.put(name(todays.size(), message), LinkCodecTest.encoded(message));
    }
    todays.put("rules", RulesRequest.of(1, new Rules(2, 96)).serializedMessage);
    KeptForms kept = KeptForms.of("messages");
    kept.areThoseOf(todays);
    int number = 0;
    for (SystemMessage message : LinkCodecTest.samples()) {
      byte[] old = kept.bytesOf(name(number++, message));
      assertThat(LinkCodecTest.encoded(LinkCodec.decode(2, Unpooled.wrappedBuffer(old))))
          .isEqualTo(old);
    }
  }

  @Test
  void handshakesAndFramesOfClients() throws IOException {
    Map<String, byte[]> todays = new LinkedHashMap<>();
    todays.put("replica-to-replica", bytes(HANDSHAKES.get(0)::encode));
    todays.put("client-to-replica", bytes(HANDSHAKES.get(1)::encode));
    todays.put("replica-to-client", bytes(HANDSHAKES.get(2)::encode));
    todays.put("follow", bytes(FollowFrame.of(List.of("a", "cluster.nodes"))::encode));
    todays.put("hint", bytes(new HintFrame(258)::encode));
    KeptForms kept = KeptForms.of("frames");
    kept.areThoseOf(todays);
    assertThat(
            List.of(
                Handshake.decode(frame(kept, "replica-to-replica")),
                Handshake.decode(frame(kept, "client-to-replica")),
                Handshake.decode(frame(kept, "replica-to-client"))))
        .isEqualTo(HANDSHAKES);
    assertThat(FollowFrame.decode(frame(kept, "follow")).tables())
        .containsExactly("a", "cluster.nodes");
    assertThat(HintFrame.decode(frame(kept, "hint"))).isEqualTo(new HintFrame(258));
  }

  /** Without the length before it. */
  private static ByteBuf frame(KeptForms kept, String name) {
    return Unpooled.wrappedBuffer(kept.bytesOf(name)).skipBytes(Integer.BYTES);
  }
}
