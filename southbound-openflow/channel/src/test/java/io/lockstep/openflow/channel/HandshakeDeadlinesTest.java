package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.openflow.channel.access.SwitchAccess;
import io.lockstep.openflow.codec.Hello;
import io.lockstep.openflow.codec.MessageDecoder;
import io.lockstep.openflow.codec.OpenFlowVersions;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFeaturesRequest;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.DatapathId;
import org.projectfloodlight.openflow.types.OFAuxId;

/** When a handshake ends for want of an answer; the test moves the time. */
class HandshakeDeadlinesTest {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);
  private static final int LIMIT = OpenFlowServerConfig.defaults().handshakeTimeoutMillis();

  private final ServerRoom room =
      new ServerRoom(
          OpenFlowServerConfig.defaults(),
          new RecordingObserver(),
          new SwitchRegistry(),
          new ConnectionLog(new RecordingLog(), System::nanoTime),
          new ChannelCounters(),
          SwitchAccess.anyone());
  private final HandshakeTurns turns = new HandshakeTurns();
  private final InetAddress address = InetAddress.getLoopbackAddress();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final Peer peer =
      new Peer(
          channel,
          new InetSocketAddress(address, 40_000),
          new OutboundBudget(1 << 20, 1 << 20),
          room.counters());

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private void connect() {
    // Only the test moves the time: a busy machine may take more than what is left of a deadline.
    channel.freezeTime();
    channel.pipeline().addLast(new HandshakeHandler(room, peer, new MessageDecoder(), turns));
    channel.pipeline().fireChannelActive();
  }

  private void pass(long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    channel.runPendingTasks();
  }

  private void hello() {
    channel.writeInbound(Hello.offering(1, OpenFlowVersions.SUPPORTED));
    channel.runPendingTasks();
  }

  private void features() {
    channel.writeInbound(
        OF.buildFeaturesReply()
            .setDatapathId(DatapathId.of(7))
            .setAuxiliaryId(OFAuxId.MAIN)
            .setNTables((short) 1)
            .build());
    channel.runPendingTasks();
  }

  private boolean wasAsked(Class<?> request) {
    channel.runPendingTasks();
    return channel.outboundMessages().stream().anyMatch(request::isInstance);
  }

  @Test
  void eachAnswerHasTheWholeTime() {
    connect();
    pass(LIMIT - 1);
    hello();
    pass(LIMIT - 1);
    features();
    pass(LIMIT - 1);
    assertThat(channel.isOpen()).as("three answers, nearly three deadlines").isTrue();
    assertThat(wasAsked(OFPortDescStatsRequest.class)).isTrue();
    pass(1);
    assertThat(channel.isOpen()).isFalse();
    assertThat(peer.closing().reason()).contains("waited 5000 ms for a port description");
  }

  @Test
  void noDeadlineRunsWhileTheSwitchWaitsForItsTurn() {
    List<HandshakeTurns.HandshakeTurn> others = new ArrayList<>();
    for (int i = 0; i < HandshakeTurns.AT_ONCE_FROM_ADDRESS; i++) {
      HandshakeTurns.HandshakeTurn other = turns.turn(address, () -> {});
      other.ask();
      others.add(other);
    }
    connect();
    hello();
    pass(100L * LIMIT);
    assertThat(channel.isOpen()).isTrue();
    assertThat(wasAsked(OFFeaturesRequest.class)).isFalse();
    others.get(0).end();
    assertThat(wasAsked(OFFeaturesRequest.class)).isTrue();
    pass(LIMIT);
    assertThat(channel.isOpen()).isFalse();
    assertThat(peer.closing().reason()).contains("for a features reply");
  }

  @Test
  void aConnectionThatEndsGivesItsTurnToTheNext() {
    connect();
    hello();
    List<String> begun = new ArrayList<>();
    for (int i = 0; i < HandshakeTurns.AT_ONCE_FROM_ADDRESS; i++) {
      turns.turn(address, () -> begun.add("other")).ask();
    }
    assertThat(begun).hasSize(HandshakeTurns.AT_ONCE_FROM_ADDRESS - 1);
    pass(LIMIT);
    assertThat(begun).hasSize(HandshakeTurns.AT_ONCE_FROM_ADDRESS);
  }
}
