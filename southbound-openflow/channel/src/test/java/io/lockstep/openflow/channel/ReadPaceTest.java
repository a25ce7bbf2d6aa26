package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadPaceTest {
  private int reads;

  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new ChannelOutboundHandlerAdapter() {
            @Override
            public void read(ChannelHandlerContext context) throws Exception {
              reads++;
              super.read(context);
            }
          });
  private final ReadPace pace = new ReadPace(channel);

  /** Else the time that the machine takes is added to what the test lets pass. */
  ReadPaceTest() {
    channel.freezeTime();
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private void pass(long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }

  @Test
  void whatIsWithinItsShareIsReadWithoutAPause() {
    for (int i = 0; i < 1_000; i++) {
      pace.readComplete();
    }
    assertThat(channel.config().isAutoRead()).isTrue();
  }

  @Test
  void whatIsDroppedMakesAShortPause() {
    pace.dropped(ReadPace.DROPPED_BYTES - 1);
    pace.readComplete();
    assertThat(channel.config().isAutoRead()).isTrue();
    pace.dropped(1);
    pace.readComplete();
    assertThat(channel.config().isAutoRead()).isFalse();
    pass(ReadPace.PAUSE_MILLIS - 1);
    assertThat(channel.config().isAutoRead()).isFalse();
    pass(1);
    assertThat(channel.config().isAutoRead()).isTrue();
    pace.readComplete();
    assertThat(channel.config().isAutoRead()).as("the count begins anew").isTrue();
  }

  /** So many bytes a second are reached whatever is dropped: more than sockets keep. */
  @Test
  void megabytesASecondAreReadWhileAllIsDropped() {
    long bytesPerSecond = ReadPace.DROPPED_BYTES * 1_000L / ReadPace.PAUSE_MILLIS;
    assertThat(bytesPerSecond).isGreaterThan(8 << 20);
  }

  @Test
  void switchThatDoesNotReadIsReadOnceInAWhile() {
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(8, 16));
    ChannelFuture waiting = channel.write(Unpooled.buffer().writeZero(64));
    assertThat(waiting.isDone()).isFalse();
    assertThat(channel.isWritable()).isFalse();
    pace.writabilityChanged();
    assertThat(channel.config().isAutoRead()).isFalse();
    int before = reads;
    pass(ReadPace.UNREAD_MILLIS - 1);
    assertThat(reads).isEqualTo(before);
    pass(1);
    assertThat(reads).isEqualTo(before + 1);
    pass(ReadPace.UNREAD_MILLIS);
    assertThat(reads).isEqualTo(before + 2);
    channel.flush();
    pace.writabilityChanged();
    assertThat(channel.config().isAutoRead()).isTrue();
    int after = reads;
    pass(10L * ReadPace.UNREAD_MILLIS);
    assertThat(reads).isEqualTo(after);
  }
}
