package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.openflow.channel.ConnectionLog.Severity;
import io.lockstep.openflow.channel.translate.Dialect;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFVersion;

class PeerTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final Peer peer =
      new Peer(
          channel,
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000),
          new OutboundBudget(1 << 20, 1 << 20),
          new ChannelCounters());

  @Test
  void whatTheNodeThrowsEndsTheConnection() {
    IllegalStateException failure = new IllegalStateException("broken");
    peer.guarded(
        () -> {
          throw failure;
        });
    assertThat(peer.isOpen()).isFalse();
    assertThat(channel.isOpen()).isFalse();
    assertThat(peer.closing().severity()).isEqualTo(Severity.WARN);
    assertThat(peer.closing().cause()).isSameAs(failure);
  }

  @Test
  void anErrorFindsTheLastFlowModsSentWithoutABarrier() {
    FlowModSender sender =
        new FlowModSender(peer, Dialect.of(OFFactories.getFactory(OFVersion.OF_13)));
    int count = FlowModSender.MAX_RECENT + 44;
    for (int priority = 1; priority <= count; priority++) {
      sender.send(List.of(SessionIT.add(priority)), (mod, error) -> {});
    }
    assertThat(sender.takeRecent(44)).isNull();
    assertThat(sender.takeRecent(45)).isEqualTo(SessionIT.add(45));
    assertThat(sender.takeRecent(45)).isNull();
    assertThat(sender.takeRecent(count)).isEqualTo(SessionIT.add(count));
  }
}
