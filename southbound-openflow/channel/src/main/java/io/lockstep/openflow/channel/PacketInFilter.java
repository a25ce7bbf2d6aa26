package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.SwitchObserver;
import io.lockstep.openflow.channel.translate.PacketInHead;
import io.lockstep.openflow.codec.MessageDecoder;
import io.netty.buffer.ByteBuf;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * Drops packet-ins that the node has no share for where their bytes lie, so that a flood of them
 * costs little and what the switch says besides is reached soon. Owned by the event loop.
 */
final class PacketInFilter implements MessageDecoder.FrameFilter {
  private final SwitchObserver observer;
  private final SwitchSession session;
  private final ReadPace pace;

  PacketInFilter(SwitchObserver observer, SwitchSession session, ReadPace pace) {
    this.observer = observer;
    this.session = session;
    this.pace = pace;
  }

  @Override
  public boolean drops(OFVersion version, int type, ByteBuf in, int start, int length) {
    if (type != PacketInHead.TYPE) {
      return false;
    }
    long port = PacketInHead.port(version, in, start, length);
    if (port == PacketInHead.UNREADABLE
        || (session.hears() && !refused(version, in, start, length, port))) {
      return false;
    }
    pace.dropped(length);
    return true;
  }

  private boolean refused(OFVersion version, ByteBuf in, int start, int length, long port) {
    return observer.refuses(session, port, PacketInHead.kind(version, in, start, length));
  }
}
