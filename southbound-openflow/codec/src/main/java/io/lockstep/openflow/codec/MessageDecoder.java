package io.lockstep.openflow.codec;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * Cuts a byte stream into OpenFlow messages. Emits {@link Hello}, {@link OFMessage}, {@link
 * UnsupportedMessage}, {@link PartlyKnown}, or what the {@link ShortCut} made of a frame; each
 * message reaches the next handler before the next one is decoded. A malformed message raises
 * {@link MalformedMessageException} and the rest of the stream is discarded. One decoder serves one
 * connection, on its event loop.
 *
 * <p>States: {@code AWAIT_HELLO} (frames of any version, small), {@code NEGOTIATED} (one version,
 * up to 64 KiB), {@code FAILED}.
 */
public final class MessageDecoder extends ByteToMessageDecoder {
  /** Default bound for a message before the version is agreed. */
  public static final int DEFAULT_MAX_HELLO_BYTES = 1024;

  /** Length of every message's header (OpenFlow 1.3.5 section 7.1). */
  public static final int HEADER_BYTES = 8;

  private static final int TYPE_ERROR = 1;

  /** How openflowj says that it has no class for a code: what it is, where, and its value. */
  private static final Pattern UNKNOWN_VALUE =
      Pattern.compile(
          "Unknown value for discriminator (\\w+) of class OF(\\w+?)(?:Ver\\d+)?: (.+)");

  /** Decodes some frames without openflowj. Called on the event loop. */
  @FunctionalInterface
  public interface ShortCut {
    /**
     * Decodes a frame, or returns null to leave it to openflowj. Whatever it throws, other than a
     * {@link MalformedMessageException}, makes the frame malformed.
     *
     * @param frame the whole message from its header on, index 0; valid during the call
     */
    @Nullable Object decode(OFVersion version, int type, ByteBuf frame);
  }

  /** Drops some frames before anything is made of them. Called on the event loop. */
  @FunctionalInterface
  public interface FrameFilter {
    /**
     * Whether a frame is dropped. It counts as a message all the same.
     *
     * @param in has the whole message from {@code start} on; its indices must stay
     * @param length of the message in bytes, at least those of a header
     */
    boolean drops(OFVersion version, int type, ByteBuf in, int start, int length);
  }

  private enum State {
    AWAIT_HELLO,
    NEGOTIATED,
    FAILED
  }

  private final int maxHelloBytes;
  private final List<ShortCut> shortCuts;
  private final MeteredFrame metered = new MeteredFrame();

  private FrameFilter filter = (version, type, in, start, length) -> false;
  private State state = State.AWAIT_HELLO;
  private long messages;

  /** Not null in {@code NEGOTIATED}. */
  private @Nullable OFFactory factory;

  /** A decoder with the default bound and without short cuts. */
  public MessageDecoder() {
    this(DEFAULT_MAX_HELLO_BYTES);
  }

  /**
   * A decoder that waits for a HELLO.
   *
   * @param maxHelloBytes bound for messages until {@link #negotiated}, at least 8
   * @param shortCuts each frame is offered to them in this order
   */
  public MessageDecoder(int maxHelloBytes, ShortCut... shortCuts) {
    if (maxHelloBytes < HEADER_BYTES) {
      throw new IllegalArgumentException("maxHelloBytes " + maxHelloBytes + " < " + HEADER_BYTES);
    }
    this.maxHelloBytes = maxHelloBytes;
    this.shortCuts = List.of(shortCuts);
  }

  /** From the next message on, only this version is taken. On the event loop. */
  public void negotiated(OFVersion version) {
    if (state == State.AWAIT_HELLO) {
      factory = OFFactories.getFactory(version);
      state = State.NEGOTIATED;
    }
  }

  /** From the next message on, what this filter drops is not decoded. On the event loop. */
  public void filter(FrameFilter next) {
    filter = next;
  }

  /** Messages that were decoded so far. On the event loop. */
  public long messages() {
    return messages;
  }

  /** Bytes that were read of a message that is not whole yet. On the event loop. */
  public int unfinishedBytes() {
    return actualReadableBytes();
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (state == State.FAILED) {
      in.skipBytes(in.readableBytes());
      return;
    }
    try {
      while (in.readableBytes() >= HEADER_BYTES) {
        int length = checkHeader(in);
        if (in.readableBytes() < length) {
          return;
        }
        messages++;
        if (!isDropped(in, length)) {
          out.add(decodeFrame(in.readSlice(length)));
          return;
        }
        in.skipBytes(length);
      }
    } catch (MalformedMessageException e) {
      state = State.FAILED;
      in.skipBytes(in.readableBytes());
      throw e;
    }
  }

  private boolean isDropped(ByteBuf in, int length) {
    OFFactory agreed = factory;
    int start = in.readerIndex();
    return agreed != null
        && filter.drops(agreed.getVersion(), in.getUnsignedByte(start + 1), in, start, length);
  }

  @Override
  protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    decode(context, in, out);
    if (out.isEmpty() && state != State.FAILED && in.isReadable()) {
      state = State.FAILED;
      context.fireExceptionCaught(
          new MalformedMessageException(
              in.readableBytes(), "the stream ends inside a message", in, in.readerIndex()));
      in.skipBytes(in.readableBytes());
    }
  }

  /** Checks the header at the reader index, which stays, and returns the message's length. */
  private int checkHeader(ByteBuf in) {
    int start = in.readerIndex();
    int version = in.getUnsignedByte(start);
    int type = in.getUnsignedByte(start + 1);
    int length = in.getUnsignedShort(start + 2);
    if (length < HEADER_BYTES) {
      throw new MalformedMessageException(
          2, "length " + length + " is less than the header's " + HEADER_BYTES, in, start);
    }
    if (state == State.AWAIT_HELLO && length > maxHelloBytes) {
      throw new MalformedMessageException(
          2,
          "length " + length + " exceeds " + maxHelloBytes + " before the version is agreed",
          in,
          start);
    }
    if (version == 0) {
      throw new MalformedMessageException(0, "version 0", in, start);
    }
    if (type == Hello.TYPE) {
      return length;
    }
    if (factory == null) {
      if (OpenFlowVersions.supported(version) == null && type != TYPE_ERROR) {
        throw new MalformedMessageException(
            0, "message of " + OpenFlowVersions.name(version) + " where a HELLO is due", in, start);
      }
    } else if (version != factory.getVersion().getWireVersion()) {
      throw new MalformedMessageException(
          0,
          OpenFlowVersions.name(version)
              + " where "
              + OpenFlowVersions.name(factory.getVersion().getWireVersion())
              + " was agreed",
          in,
          start);
    }
    return length;
  }

  private Object decodeFrame(ByteBuf frame) {
    int type = frame.getUnsignedByte(1);
    if (type == Hello.TYPE) {
      return Hello.readFrom(frame);
    }
    OFVersion version = OpenFlowVersions.supported(frame.getUnsignedByte(0));
    if (version == null) {
      return unsupported(frame, "version", 0);
    }
    Object own = state == State.NEGOTIATED ? decodeByShortCut(version, type, frame) : null;
    if (own != null) {
      return own;
    }
    OFFactory reader = OFFactories.getFactory(version);
    Object decoded = decodeByOpenflowj(reader, frame);
    return decoded instanceof UnsupportedMessage unknown && FlowStatsFrame.is(frame)
        ? decodeEntries(reader, frame, unknown)
        : decoded;
  }

  /** One entry that openflowj does not know hides the others from its reader. */
  private Object decodeEntries(OFFactory reader, ByteBuf frame, UnsupportedMessage unknown) {
    if (!(decodeByOpenflowj(reader, FlowStatsFrame.head(frame)) instanceof OFFlowStatsReply head)) {
      return unknown;
    }
    List<OFFlowStatsEntry> known = new ArrayList<>();
    int left = 0;
    for (ByteBuf entry : FlowStatsFrame.entries(frame)) {
      if (decodeByOpenflowj(reader, entry) instanceof OFFlowStatsReply reply) {
        known.addAll(reply.getEntries());
      } else {
        left++;
      }
    }
    return new PartlyKnown(head.createBuilder().setEntries(known).build(), left, unknown);
  }

  private @Nullable Object decodeByShortCut(OFVersion version, int type, ByteBuf frame) {
    try {
      for (int i = 0; i < shortCuts.size(); i++) {
        Object decoded = shortCuts.get(i).decode(version, type, frame);
        if (decoded != null) {
          return decoded;
        }
      }
      return null;
    } catch (MalformedMessageException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new MalformedMessageException(frame.readerIndex(), describe(e), frame, 0, e);
    }
  }

  /**
   * openflowj's generated readers answer bad input with OFParseError, null (inner structure longer
   * than the buffer), or whatever their array and buffer accesses and immutable builders throw
   * (index, argument, null and state errors). {@link MeteredFrame} bounds their work.
   */
  private Object decodeByOpenflowj(OFFactory factory, ByteBuf frame) {
    int length = frame.readableBytes();
    metered.load(frame);
    OFMessage message;
    try {
      message = factory.getReader().readFrom(metered);
    } catch (OFParseError | RuntimeException e) {
      if (isUnknownContent(e)) {
        return unsupported(frame, describe(e), metered.readerIndex());
      }
      throw new MalformedMessageException(metered.readerIndex(), describe(e), frame, 0, e);
    }
    if (message == null) {
      throw new MalformedMessageException(
          metered.readerIndex(), "a part is longer than the message", frame, 0);
    }
    if (metered.readerIndex() != length) {
      throw new MalformedMessageException(
          metered.readerIndex(),
          (length - metered.readerIndex()) + " bytes behind the end of the message's content",
          frame,
          0);
    }
    return message;
  }

  /** Whether openflowj only met a type or code it has no class for. */
  private static boolean isUnknownContent(Exception e) {
    String text = e.getMessage();
    return text != null
        && (text.contains("Unknown value for discriminator")
            || text.contains("Illegal wire value for type"));
  }

  private static UnsupportedMessage unsupported(ByteBuf frame, String reason, int offset) {
    byte[] head = new byte[Math.min(UnsupportedMessage.HEAD_BYTES, frame.writerIndex())];
    frame.getBytes(0, head);
    return new UnsupportedMessage(
        frame.getUnsignedByte(0),
        frame.getUnsignedByte(1),
        frame.getUnsignedInt(4),
        frame.writerIndex(),
        reason,
        offset,
        head);
  }

  private static String describe(Exception e) {
    String text = e.getMessage();
    if (text == null) {
      return e.getClass().getSimpleName();
    }
    Matcher unknown = UNKNOWN_VALUE.matcher(text);
    return unknown.matches()
        ? unknown.group(2) + " with " + unknown.group(1) + " " + unknown.group(3) + " is not known"
        : text;
  }
}
