package io.lockstep.openflow.channel;

import io.lockstep.openflow.channel.ConnectionLog.Severity;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Logs that a connection cannot be accepted, for example for lack of open files. The connection
 * waits, and those that are open go on. On the event loop that accepts.
 */
final class AcceptFaults extends ChannelInboundHandlerAdapter {
  private final ConnectionLog log;

  AcceptFaults(ConnectionLog log) {
    this.log = log;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    String text =
        "a connection of a switch waits, since it cannot be accepted: "
            + cause.getMessage()
            + "; remedy: allow this process more files (ulimit -n)";
    log.report(Severity.WARN, "any", text, null);
  }
}
