package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.consensus.messages.MessageFactory;
import bftsmart.tom.core.messages.ForwardedMessage;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.leaderchange.LCMessage;
import bftsmart.tom.util.TOMUtil;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages between replicas as bytes: a kind and its fields, big-endian. The sender is not in the
 * message; it is the peer that the link was established with. Nothing here uses Java serialization.
 *
 * <p>Stateless. A malformed message raises {@link CorruptedFrameException} or {@link
 * IndexOutOfBoundsException} before anything is allocated for it.
 */
final class LinkCodec {
  private static final int CONSENSUS = 1;
  private static final int LEADER_CHANGE = 2;
  private static final int FORWARDED = 3;
  private static final int BEAT = 4;
  private static final int FETCH_TAIL = 5;
  private static final int FETCH_SNAPSHOT = 6;
  private static final int TAIL = 7;
  private static final int SNAPSHOT_PIECE = 8;
  private static final int OTHER_HISTORY = 9;

  private LinkCodec() {}

  /** Appends a message. */
  static void encode(SystemMessage message, ByteBuf out) {
    if (message instanceof ConsensusMessage consensus) {
      if (consensus.getProof() != null) {
        throw new IllegalArgumentException("proofs are not used in crash mode: " + consensus);
      }
      out.writeByte(CONSENSUS).writeInt(consensus.getType());
      out.writeInt(consensus.getNumber()).writeInt(consensus.getEpoch());
      writeBytes(out, consensus.getValue());
    } else if (message instanceof LCMessage change) {
      out.writeByte(LEADER_CHANGE).writeByte(change.getType()).writeInt(change.getReg());
      writeBytes(out, change.getPayload());
    } else if (message instanceof ForwardedMessage forwarded) {
      out.writeByte(FORWARDED);
      writeBytes(out, forwarded.getRequest().serializedMessage);
    } else if (message instanceof PeerMessage peer) {
      encodeNote(peer.note(), out);
    } else {
      throw new IllegalArgumentException("not for a link: " + message.getClass());
    }
  }

  private static void encodeNote(PeerNote note, ByteBuf out) {
    if (note instanceof PeerNote.Beat beat) {
      out.writeByte(BEAT).writeInt(beat.regency()).writeBoolean(beat.operational());
      out.writeInt(beat.missed()).writeBoolean(beat.leaderSeen());
      out.writeLong(beat.decided()).writeLong(beat.applied()).writeBytes(beat.chain());
    } else if (note instanceof PeerNote.FetchTail fetch) {
      out.writeByte(FETCH_TAIL).writeLong(fetch.applied()).writeBytes(fetch.chain());
    } else if (note instanceof PeerNote.FetchSnapshot fetch) {
      out.writeByte(FETCH_SNAPSHOT).writeLong(fetch.instance()).writeInt(fetch.offset());
    } else if (note instanceof PeerNote.Tail tail) {
      out.writeByte(TAIL).writeInt(tail.decisions().size());
      for (OrderedState.Decision decision : tail.decisions()) {
        out.writeLong(decision.instance()).writeBytes(decision.chain());
        writeBytes(out, decision.value());
      }
    } else if (note instanceof PeerNote.SnapshotPiece piece) {
      out.writeByte(SNAPSHOT_PIECE).writeLong(piece.instance());
      out.writeInt(piece.totalBytes()).writeInt(piece.offset());
      writeBytes(out, piece.bytes());
    } else if (note instanceof PeerNote.OtherHistory) {
      out.writeByte(OTHER_HISTORY);
    } else {
      throw new IllegalArgumentException("not for a link: " + note);
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
          default -> new PeerMessage(sender, decodeNote(kind, in));
        };
    if (in.isReadable()) {
      throw new CorruptedFrameException(in.readableBytes() + " bytes after kind " + kind);
    }
    return message;
  }

  private static ConsensusMessage decodeConsensus(int sender, ByteBuf in) {
    int type = in.readInt();
    int number = in.readInt();
    int epoch = in.readInt();
    byte[] value = readBytes(in);
    if (type != MessageFactory.PROPOSE && type != MessageFactory.ACCEPT) {
      throw new CorruptedFrameException("consensus message of type " + type);
    }
    if (number < 0 || epoch < 0 || value == null) {
      throw new CorruptedFrameException("consensus message " + number + ", epoch " + epoch);
    }
    return new ConsensusMessage(type, number, epoch, sender, value);
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

  private static PeerNote decodeNote(int kind, ByteBuf in) {
    return switch (kind) {
      case BEAT ->
          new PeerNote.Beat(
              in.readInt(),
              in.readBoolean(),
              in.readInt(),
              in.readBoolean(),
              in.readLong(),
              in.readLong(),
              readChain(in));
      case FETCH_TAIL -> new PeerNote.FetchTail(in.readLong(), readChain(in));
      case FETCH_SNAPSHOT -> new PeerNote.FetchSnapshot(in.readLong(), in.readInt());
      case TAIL -> decodeTail(in);
      case SNAPSHOT_PIECE -> {
        long instance = in.readLong();
        int total = in.readInt();
        int offset = in.readInt();
        byte[] bytes = readBytes(in);
        if (bytes == null || offset < 0 || total - bytes.length < offset) {
          throw new CorruptedFrameException("snapshot piece at " + offset + " of " + total);
        }
        yield new PeerNote.SnapshotPiece(instance, total, offset, bytes);
      }
      case OTHER_HISTORY -> new PeerNote.OtherHistory();
      default -> throw new CorruptedFrameException("unknown kind " + kind);
    };
  }

  private static PeerNote.Tail decodeTail(ByteBuf in) {
    int count = in.readInt();
    if (count < 0 || count > in.readableBytes() / (8 + PeerNote.CHAIN_BYTES)) {
      throw new CorruptedFrameException(count + " decisions");
    }
    List<OrderedState.Decision> decisions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long instance = in.readLong();
      byte[] chain = readChain(in);
      byte[] value = readBytes(in);
      if (value == null) {
        throw new CorruptedFrameException("decision " + instance + " without a value");
      }
      decisions.add(new OrderedState.Decision(instance, chain, value));
    }
    return new PeerNote.Tail(decisions);
  }

  private static byte[] readChain(ByteBuf in) {
    byte[] chain = new byte[PeerNote.CHAIN_BYTES];
    in.readBytes(chain);
    return chain;
  }

  private static void writeBytes(ByteBuf out, byte @Nullable [] bytes) {
    if (bytes == null) {
      out.writeInt(-1);
    } else {
      out.writeInt(bytes.length).writeBytes(bytes);
    }
  }

  private static byte @Nullable [] readBytes(ByteBuf in) {
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
