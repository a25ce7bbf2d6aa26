package io.lockstep.store.engine.bftsmart;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The first frame in each direction on every connection: what it is for, which cluster it belongs
 * to, who speaks, and to whom. It catches wrong configuration; it does not authenticate.
 *
 * @param purpose {@link #REPLICA_LINK} or {@link #CLIENT_LINK}
 * @param clusterId the sender's cluster
 * @param from the sender's replica id, -1 for a client
 * @param to the replica id that the sender means to talk to, -1 for a client
 */
record Handshake(int purpose, String clusterId, int from, int to) {

  static final int REPLICA_LINK = 0x4c53_524c;
  static final int CLIENT_LINK = 0x4c53_434c;

  /** Bytes in the largest handshake frame, its length prefix not counted. */
  static final int MAX_BYTES = 512;

  private static final int VERSION = 3;

  /** Appends the frame with its length prefix. */
  void encode(ByteBuf out) {
    byte[] cluster = clusterId.getBytes(StandardCharsets.UTF_8);
    out.writeInt(4 + 1 + 4 + 4 + cluster.length);
    out.writeInt(purpose).writeByte(VERSION).writeInt(from).writeInt(to).writeBytes(cluster);
  }

  /** Reads a frame without its length prefix; null where it is no handshake of ours. */
  static @Nullable Handshake decode(ByteBuf in) {
    if (in.readableBytes() < 13) {
      return null;
    }
    int purpose = in.readInt();
    if ((purpose != REPLICA_LINK && purpose != CLIENT_LINK) || in.readByte() != VERSION) {
      return null;
    }
    int from = in.readInt();
    int to = in.readInt();
    return new Handshake(
        purpose,
        in.readCharSequence(in.readableBytes(), StandardCharsets.UTF_8).toString(),
        from,
        to);
  }
}
