package io.lockstep.bench.jraft;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.util.function.Supplier;

/**
 * The protocol between load and server. A request: length (4 bytes), number (4), operation. An
 * answer: length (4), number (4), status (1), answer. What is written while a read is handled goes
 * out at once at its end.
 */
final class FrameFormat {
  static final int PORT = 1;
  static final int DONE = 0;
  static final int NOT_LEADER = 1;
  static final int FAILED = 2;
  static final int REQUEST_HEADER_BYTES = 4;
  static final int ANSWER_HEADER_BYTES = 5;

  private static final int MAX_FRAME_BYTES = 1 << 20;
  private static final int FLUSH_AFTER = 256;

  private FrameFormat() {}

  /** A channel's handlers: frames in, and the handler of the side. */
  static ChannelInitializer<SocketChannel> with(Supplier<ChannelHandler> handler) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(SocketChannel channel) {
        channel.config().setTcpNoDelay(true);
        channel
            .pipeline()
            .addLast(
                new FlushConsolidationHandler(FLUSH_AFTER, true),
                new LengthFieldBasedFrameDecoder(MAX_FRAME_BYTES, 0, 4, 0, 4),
                handler.get());
      }
    };
  }
}
