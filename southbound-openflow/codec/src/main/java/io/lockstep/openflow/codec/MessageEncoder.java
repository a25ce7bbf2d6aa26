package io.lockstep.openflow.codec;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.EncoderException;
import io.netty.handler.codec.MessageToByteEncoder;
import org.projectfloodlight.openflow.protocol.OFMessage;

/**
 * Encodes {@link Hello} and openflowj's messages; buffers pass unchanged. Without state: one object
 * serves all channels.
 */
@Sharable
public final class MessageEncoder extends MessageToByteEncoder<Object> {
  /** The length field of the header has 16 bits. */
  public static final int MAX_MESSAGE_BYTES = 0xffff;

  @Override
  public boolean acceptOutboundMessage(Object message) {
    return message instanceof OFMessage || message instanceof Hello;
  }

  @Override
  protected void encode(ChannelHandlerContext context, Object message, ByteBuf out) {
    encode(message, out);
  }

  /**
   * Appends one message to a buffer.
   *
   * @throws EncoderException where it does not fit the protocol, for example is longer than the
   *     length field can say; the buffer is unchanged
   */
  public static void encode(Object message, ByteBuf out) {
    int start = out.writerIndex();
    try {
      if (message instanceof Hello hello) {
        hello.writeTo(out);
      } else {
        ((OFMessage) message).writeTo(out);
        if (out.getUnsignedByte(start) == NwTos.VERSION_10) {
          NwTos.forEach(
              out, start, out.writerIndex(), at -> out.setByte(at, NwTos.toWire(out.getByte(at))));
        }
      }
      int length = out.writerIndex() - start;
      if (length > MAX_MESSAGE_BYTES) {
        throw new IllegalArgumentException(
            "message of " + length + " bytes; OpenFlow allows " + MAX_MESSAGE_BYTES);
      }
    } catch (RuntimeException e) {
      out.writerIndex(start);
      throw new EncoderException("cannot encode: " + e.getMessage(), e);
    }
  }
}
