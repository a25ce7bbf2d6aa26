package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import bftsmart.consensus.messages.MessageFactory;
import bftsmart.tom.core.messages.ForwardedMessage;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.leaderchange.LCMessage;
import bftsmart.tom.util.TOMUtil;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;
import org.jspecify.annotations.Nullable;

/**
 * Encodes messages between replicas: a kind and its fields, big-endian. A message has no sender: it
 * is the peer at the other end of the link. Nothing here uses Java serialization.
 *
 * <p>Stateless. A malformed message raises {@link CorruptedFrameException} or {@link
 * IndexOutOfBoundsException} before this class allocates anything for it.
 */
final class LinkCodec {
  private static final int CONSENSUS = 1;
  private static final int LEADER_CHANGE = 2;
  private static final int FORWARDED = 3;

  private LinkCodec() {}

  /** Appends a message. */
  static void encode(SystemMessage message, ByteBuf out) {
    if (message instanceof InstanceMessage consensus) {
      out.writeByte(CONSENSUS).writeInt(consensus.type());
      out.writeLong(consensus.instance()).writeInt(consensus.epoch());
      writeBytes(out, consensus.value());
    } else if (message instanceof LCMessage change) {
      out.writeByte(LEADER_CHANGE).writeByte(change.getType()).writeInt(change.getReg());
      writeBytes(out, change.getPayload());
    } else if (message instanceof ForwardedMessage forwarded) {
      out.writeByte(FORWARDED);
      writeBytes(out, forwarded.getRequest().serializedMessage);
    } else if (message instanceof PeerMessage peer) {
      NoteCodec.encode(peer.note(), out);
    } else {
      throw new IllegalArgumentException("not for a link: " + message.getClass());
    }
  }

  /**
   * Reads one message that fills the buffer.
   *
   * @param sender the peer at the other end of the link
   */
  static SystemMessage decode(int sender, ByteBuf in) {
    int kind = in.readByte();
    SystemMessage message =
        switch (kind) {
          case CONSENSUS -> decodeConsensus(sender, in);
          case LEADER_CHANGE -> decodeLeaderChange(sender, in);
          case FORWARDED -> decodeForwarded(sender, in);
          default -> new PeerMessage(sender, NoteCodec.decode(kind, in));
        };
    if (in.isReadable()) {
      throw new CorruptedFrameException(in.readableBytes() + " bytes after kind " + kind);
    }
    return message;
  }

  private static InstanceMessage decodeConsensus(int sender, ByteBuf in) {
    int type = in.readInt();
    long instance = in.readLong();
    int epoch = in.readInt();
    byte[] value = readBytes(in);
    if (type != MessageFactory.PROPOSE && type != MessageFactory.ACCEPT) {
      throw new CorruptedFrameException("consensus message of type " + type);
    }
    if (instance < 0 || epoch < 0 || value == null) {
      throw new CorruptedFrameException("consensus message " + instance + ", epoch " + epoch);
    }
    return new InstanceMessage(sender, type, instance, epoch, value);
  }

  private static LCMessage decodeLeaderChange(int sender, ByteBuf in) {
    int type = in.readUnsignedByte();
    int regency = in.readInt();
    byte[] payload = readBytes(in);
    if (type != TOMUtil.STOP && type != TOMUtil.STOPDATA && type != TOMUtil.SYNC) {
      throw new CorruptedFrameException("leader change message of type " + type);
    }
    return new LCMessage(sender, type, regency, payload);
  }

  private static ForwardedMessage decodeForwarded(int sender, ByteBuf in) {
    byte[] serialized = readBytes(in);
    TOMMessage request = serialized == null ? null : TOMMessage.bytesToMessage(serialized);
    if (request == null || request.getContent() == null) {
      throw new CorruptedFrameException("malformed forwarded request");
    }
    request.serializedMessage = serialized;
    return new ForwardedMessage(sender, request);
  }

  static void writeBytes(ByteBuf out, byte @Nullable [] bytes) {
    if (bytes == null) {
      out.writeInt(-1);
    } else {
      out.writeInt(bytes.length).writeBytes(bytes);
    }
  }

  static byte @Nullable [] readBytes(ByteBuf in) {
    int length = in.readInt();
    if (length == -1) {
      return null;
    }
    if (length < 0 || length > in.readableBytes()) {
      throw new CorruptedFrameException("length " + length + " of " + in.readableBytes());
    }
    byte[] bytes = new byte[length];
    in.readBytes(bytes);
    return bytes;
  }
}
