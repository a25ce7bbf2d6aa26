package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.Rules;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;
import io.lockstep.store.machine.ReplacedMachine;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes {@link PeerNote}s like {@link LinkCodec}: a kind and its fields, big-endian.
 *
 * <p>Stateless.
 */
final class NoteCodec {
  private static final int BEAT = 4;
  private static final int FETCH_TAIL = 5;
  private static final int FETCH_SNAPSHOT = 6;
  private static final int TAIL = 7;
  private static final int SNAPSHOT_PIECE = 8;
  private static final int OTHER_HISTORY = 9;
  private static final int REPORTED_HISTORY = 10;
  private static final int COMPARE = 11;
  private static final int COMMON = 12;
  private static final int SNAPSHOT_OFFER = 13;
  private static final int STARTS = 14;
  private static final int OFFER = 15;
  private static final int INCARNATIONS = 16;

  // The flags in a beat: bit 0, and a number of two bits. Other bits are for later releases.
  private static final int JOINED = 1;
  private static final int WILLINGNESS_SHIFT = 1;
  private static final int WILLINGNESS_MASK = 3;

  private static final int DECISION_BYTES = 8 + 4 + PeerNote.CHAIN_BYTES + 4;
  private static final int POINT_BYTES = 8 + PeerNote.CHAIN_BYTES;
  private static final int KNOWN_BYTES = 2 * (8 + 8) + 8 + 4 + 8;

  private NoteCodec() {}

  /** Appends a note. */
  static void encode(PeerNote note, ByteBuf out) {
    if (note instanceof PeerNote.Beat beat) {
      encodeBeat(beat, out);
    } else if (note instanceof PeerNote.Starts starts) {
      encodeStarts(starts, out);
    } else if (note instanceof PeerNote.ReportedHistory history) {
      out.writeByte(REPORTED_HISTORY).writeInt(history.regency()).writeLong(history.instance());
      out.writeInt(history.lastRegency());
      out.writeBytes(history.chain()).writeBytes(history.before());
    } else if (note instanceof PeerNote.FetchTail fetch) {
      out.writeByte(FETCH_TAIL).writeLong(fetch.last()).writeBytes(fetch.chain());
    } else if (note instanceof PeerNote.Tail tail) {
      out.writeByte(TAIL).writeInt(tail.decisions().size());
      tail.decisions().forEach(decision -> encodeDecision(decision, out));
    } else if (note instanceof PeerNote.OtherHistory other) {
      out.writeByte(OTHER_HISTORY).writeLong(other.instance()).writeInt(other.regency());
    } else if (note instanceof PeerNote.Compare compare) {
      out.writeByte(COMPARE).writeInt(compare.points().size());
      for (PeerNote.Point point : compare.points()) {
        out.writeLong(point.instance()).writeBytes(point.chain());
      }
    } else if (note instanceof PeerNote.Common common) {
      out.writeByte(COMMON).writeLong(common.instance());
    } else if (note instanceof PeerNote.SnapshotOffer offer) {
      out.writeByte(SNAPSHOT_OFFER).writeLong(offer.totalBytes());
      encodeDecision(offer.at(), out);
    } else if (note instanceof PeerNote.FetchSnapshot fetch) {
      out.writeByte(FETCH_SNAPSHOT).writeLong(fetch.instance()).writeLong(fetch.offset());
    } else if (note instanceof PeerNote.SnapshotPiece piece) {
      out.writeByte(SNAPSHOT_PIECE).writeLong(piece.instance()).writeLong(piece.offset());
      LinkCodec.writeBytes(out, piece.bytes());
    } else if (note instanceof PeerNote.Offer offer) {
      out.writeByte(OFFER).writeInt(offer.rules().number());
      out.writeInt(offer.rules().stateMegabytes());
    } else if (note instanceof PeerNote.Incarnations incarnations) {
      out.writeByte(INCARNATIONS).writeInt(incarnations.known().size());
      incarnations.known().forEach(out::writeInt);
    } else {
      throw new IllegalArgumentException("not for a link: " + note);
    }
  }

  private static void encodeBeat(PeerNote.Beat beat, ByteBuf out) {
    out.writeByte(BEAT).writeInt(beat.regency()).writeBoolean(beat.operational());
    out.writeInt(beat.missed()).writeBoolean(beat.leaderSeen()).writeByte(flags(beat));
    out.writeInt(beat.promised()).writeInt(beat.asking());
    out.writeLong(beat.last()).writeInt(beat.lastRegency()).writeBytes(beat.chain());
  }

  /** Releases that know only whether the sender has joined read any byte but 0 as that. */
  private static int flags(PeerNote.Beat beat) {
    return beat.joined() ? JOINED | beat.willingness().number() << WILLINGNESS_SHIFT : 0;
  }

  private static void encodeStarts(PeerNote.Starts starts, ByteBuf out) {
    out.writeByte(STARTS);
    encodeStart(starts.before(), out);
    out.writeInt(starts.known().size());
    for (PeerNote.Known known : starts.known()) {
      encodeStart(known.kept(), out);
      encodeStart(known.seen(), out);
      Progress furthest = known.furthest();
      out.writeLong(furthest.changes()).writeInt(furthest.generation());
      out.writeLong(furthest.durable());
    }
  }

  private static void encodeStart(Start start, ByteBuf out) {
    out.writeLong(start.number()).writeLong(start.nonce());
  }

  private static void encodeDecision(Decision decision, ByteBuf out) {
    out.writeLong(decision.instance()).writeInt(decision.regency()).writeBytes(decision.chain());
    LinkCodec.writeBytes(out, decision.value());
  }

  /** Reads the note of a kind. */
  static PeerNote decode(int kind, ByteBuf in) {
    return switch (kind) {
      case BEAT -> decodeBeat(in);
      case STARTS -> decodeStarts(in);
      case REPORTED_HISTORY ->
          new PeerNote.ReportedHistory(
              in.readInt(), in.readLong(), in.readInt(), readChain(in), readChain(in));
      case FETCH_TAIL -> new PeerNote.FetchTail(in.readLong(), readChain(in));
      case TAIL -> decodeTail(in);
      case OTHER_HISTORY -> new PeerNote.OtherHistory(in.readLong(), in.readInt());
      case COMPARE -> decodeCompare(in);
      case COMMON -> new PeerNote.Common(in.readLong());
      case SNAPSHOT_OFFER -> {
        long total = in.readLong();
        Decision at = decodeDecision(in);
        if (total < 0) {
          throw new CorruptedFrameException("snapshot of " + total + " bytes");
        }
        yield new PeerNote.SnapshotOffer(at, total);
      }
      case FETCH_SNAPSHOT -> new PeerNote.FetchSnapshot(in.readLong(), in.readLong());
      case SNAPSHOT_PIECE -> {
        long instance = in.readLong();
        long offset = in.readLong();
        byte[] bytes = LinkCodec.readBytes(in);
        if (bytes == null || offset < 0) {
          throw new CorruptedFrameException("snapshot piece at " + offset);
        }
        yield new PeerNote.SnapshotPiece(instance, offset, bytes);
      }
      case OFFER -> decodeOffer(in);
      case INCARNATIONS -> decodeIncarnations(in);
      default -> throw new CorruptedFrameException("unknown kind " + kind);
    };
  }

  private static PeerNote.Beat decodeBeat(ByteBuf in) {
    int regency = in.readInt();
    boolean operational = in.readBoolean();
    int missed = in.readInt();
    boolean leaderSeen = in.readBoolean();
    int flags = in.readUnsignedByte();
    boolean joined = flags != 0;
    return new PeerNote.Beat(
        regency,
        operational,
        missed,
        leaderSeen,
        joined,
        in.readInt(),
        in.readInt(),
        in.readLong(),
        in.readInt(),
        readChain(in),
        joined ? willingness(flags) : Willingness.WILLING);
  }

  private static Willingness willingness(int flags) {
    int number = flags >> WILLINGNESS_SHIFT & WILLINGNESS_MASK;
    Willingness willingness = Willingness.numbered(number);
    if (willingness == null) {
      throw new CorruptedFrameException("beat of willingness " + number);
    }
    return willingness;
  }

  private static PeerNote.Starts decodeStarts(ByteBuf in) {
    Start before = decodeStart(in);
    int count = count(in, KNOWN_BYTES);
    List<PeerNote.Known> known = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Start kept = decodeStart(in);
      Start seen = decodeStart(in);
      Progress furthest = new Progress(in.readLong(), in.readInt(), in.readLong());
      known.add(new PeerNote.Known(kept, seen, furthest));
    }
    return new PeerNote.Starts(before, known);
  }

  private static Start decodeStart(ByteBuf in) {
    long number = in.readLong();
    long nonce = in.readLong();
    // The next start needs a number, too.
    if (number < 0 || number == Long.MAX_VALUE) {
      throw new CorruptedFrameException("start " + number);
    }
    return new Start(number, nonce);
  }

  private static PeerNote.Offer decodeOffer(ByteBuf in) {
    int number = in.readInt();
    int stateMegabytes = in.readInt();
    if (number < 1 || stateMegabytes < 0 || stateMegabytes > Rules.MOST_MEGABYTES) {
      throw new CorruptedFrameException("rules " + number + ", " + stateMegabytes + " MB");
    }
    return new PeerNote.Offer(new Rules(number, stateMegabytes));
  }

  private static PeerNote.Incarnations decodeIncarnations(ByteBuf in) {
    int count = count(in, Integer.BYTES);
    List<Integer> known = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int incarnation = in.readInt();
      if (incarnation < 0 || incarnation > ReplacedMachine.MAX_INCARNATION) {
        throw new CorruptedFrameException("incarnation " + incarnation);
      }
      known.add(incarnation);
    }
    return new PeerNote.Incarnations(List.copyOf(known));
  }

  private static PeerNote.Tail decodeTail(ByteBuf in) {
    int count = count(in, DECISION_BYTES);
    List<Decision> decisions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      decisions.add(decodeDecision(in));
    }
    return new PeerNote.Tail(decisions);
  }

  private static PeerNote.Compare decodeCompare(ByteBuf in) {
    int count = count(in, POINT_BYTES);
    List<PeerNote.Point> points = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      points.add(new PeerNote.Point(in.readLong(), readChain(in)));
    }
    return new PeerNote.Compare(points);
  }

  /** Reads a number of elements and checks that the rest of the buffer can hold them. */
  private static int count(ByteBuf in, int elementBytes) {
    int count = in.readInt();
    if (count < 0 || count > in.readableBytes() / elementBytes) {
      throw new CorruptedFrameException(
          count + " elements of " + elementBytes + " bytes in " + in.readableBytes());
    }
    return count;
  }

  private static Decision decodeDecision(ByteBuf in) {
    long instance = in.readLong();
    int regency = in.readInt();
    byte[] chain = readChain(in);
    byte[] value = LinkCodec.readBytes(in);
    if (value == null) {
      throw new CorruptedFrameException("decision " + instance + " without a value");
    }
    return new Decision(instance, regency, chain, value);
  }

  private static byte[] readChain(ByteBuf in) {
    byte[] chain = new byte[PeerNote.CHAIN_BYTES];
    in.readBytes(chain);
    return chain;
  }
}
