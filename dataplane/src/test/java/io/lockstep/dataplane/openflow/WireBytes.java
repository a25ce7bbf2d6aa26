package io.lockstep.dataplane.openflow;

import io.lockstep.openflow.codec.MessageEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.projectfloodlight.openflow.protocol.OFMessage;

/** Messages as the octets they are on the wire. */
final class WireBytes {
  private WireBytes() {}

  static byte[] of(OFMessage message) {
    ByteBuf buffer = Unpooled.buffer();
    MessageEncoder.encode(message, buffer);
    return ByteBufUtil.getBytes(buffer);
  }
}
