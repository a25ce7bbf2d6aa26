package io.lockstep.bench.jraft;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;

/** The requests of one connection of frames. */
final class RequestHandler extends SimpleChannelInboundHandler<ByteBuf> {
  private final Requests requests;

  RequestHandler(Requests requests) {
    this.requests = requests;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
    int number = frame.readInt();
    byte[] request = new byte[frame.readableBytes()];
    frame.readBytes(request);
    requests.carryOut(request, (status, answer) -> answer(context, number, status, answer));
  }

  private static void answer(ChannelHandlerContext context, int number, int status, byte[] answer) {
    ByteBuf out = context.alloc().buffer(4 + FrameFormat.ANSWER_HEADER_BYTES + answer.length);
    out.writeInt(FrameFormat.ANSWER_HEADER_BYTES + answer.length);
    out.writeInt(number).writeByte(status).writeBytes(answer);
    context.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }
}
