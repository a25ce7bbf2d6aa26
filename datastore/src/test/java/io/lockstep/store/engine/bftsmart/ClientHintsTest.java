package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.ChangeHints;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client that reads gets the newest index; one that does not holds one hint at most. */
class ClientHintsTest {
  private static final FollowFrame TABLES = FollowFrame.of(List.of("a"));

  private final List<LongConsumer> followers = new ArrayList<>();
  private final ArrayDeque<ChannelPromise> untaken = new ArrayDeque<>();
  private final List<Long> written = new ArrayList<>();
  private final EmbeddedChannel channel = new EmbeddedChannel(new Socket());
  private final ClientHints hints = new ClientHints(channel);
  private final ChangeHints service =
      new ChangeHints() {
        @Override
        public Following follow(Collection<String> tables, LongConsumer hint) {
          followers.add(hint);
          return () -> followers.remove(hint);
        }
      };

  /** Takes nothing before the test does. */
  private final class Socket extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      ByteBuf frame = (ByteBuf) message;
      frame.skipBytes(4);
      HintFrame hint = HintFrame.decode(frame);
      written.add(hint == null ? -1 : hint.index());
      frame.release();
      untaken.add(promise);
    }
  }

  private void take() {
    untaken.remove().setSuccess();
    channel.runPendingTasks();
  }

  private void hint(long index) {
    followers.get(0).accept(index);
    // A busy replica's hint has to wait for a moment.
    channel.runPendingTasks();
    channel.advanceTimeBy(1, TimeUnit.SECONDS);
    channel.runPendingTasks();
  }

  @AfterEach
  void close() {
    channel.releaseOutbound();
  }

  @Test
  void clientThatReadsGetsEachHint() {
    hints.follow(service, TABLES);
    assertThat(written).as("the acknowledgement").containsExactly(0L);
    take();
    hint(7);
    take();
    hint(8);
    assertThat(written).containsExactly(0L, 7L, 8L);
  }

  @Test
  void clientThatDoesNotReadHoldsOneHintAndGetsTheNewestLater() {
    hints.follow(service, TABLES);
    for (long index = 1; index <= 1_000; index++) {
      hint(index);
    }
    assertThat(untaken).hasSize(1);
    take();
    assertThat(written).containsExactly(0L, 1_000L);
    take();
    assertThat(written).as("nothing new").hasSize(2);
  }

  @Test
  void followsOnceHoweverOftenItAsksAndNotBehindItsEnd() {
    hints.follow(service, TABLES);
    hints.follow(service, TABLES);
    assertThat(followers).hasSize(1);
    LongConsumer hint = followers.get(0);
    hints.end();
    assertThat(followers).isEmpty();
    hint.accept(9);
    take();
    assertThat(written).containsExactly(0L);
  }
}
