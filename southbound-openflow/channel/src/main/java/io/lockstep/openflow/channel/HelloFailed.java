package io.lockstep.openflow.channel;

import io.lockstep.openflow.codec.Hello;
import io.lockstep.openflow.codec.OpenFlowVersions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.projectfloodlight.openflow.protocol.OFVersion;

/** The error that ends a connection without a common version (OpenFlow 1.3.5 section 7.4.4.1). */
final class HelloFailed {
  private static final int TYPE_ERROR = 1;
  private static final int HEAD_BYTES = 12;

  private HelloFailed() {}

  /** HELLO_FAILED/INCOMPATIBLE with a text, in a version that the switch can read. */
  static ByteBuf incompatible(Hello hello, String text) {
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    int highest =
        OpenFlowVersions.SUPPORTED.stream().mapToInt(OFVersion::getWireVersion).max().orElse(1);
    ByteBuf error = Unpooled.buffer(HEAD_BYTES + ascii.length);
    error.writeByte(Math.min(hello.wireVersion(), highest));
    error.writeByte(TYPE_ERROR);
    error.writeShort(HEAD_BYTES + ascii.length);
    error.writeInt((int) hello.xid());
    error.writeInt(0);
    error.writeBytes(ascii);
    return error;
  }
}
