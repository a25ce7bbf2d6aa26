package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoggedFailuresTest {
  private final DefaultEventLoop loop = new DefaultEventLoop();
  private final LogLines lines = new LogLines();

  @AfterEach
  void end() {
    lines.close();
    // Does not fail: it completes when the loop has ended.
    var unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  @Test
  void periodicTaskThatFailsIsLoggedAndRunsAgain() {
    AtomicInteger runs = new AtomicInteger();
    LoggedFailures.every(
        loop,
        "counting",
        1,
        () -> {
          if (runs.incrementAndGet() < 3) {
            throw new IllegalStateException("run " + runs);
          }
        });
    Await.until(Duration.ofSeconds(20), () -> runs + " runs", () -> runs.get() > 5);
    assertThat(lines.containing("counting failed")).hasSize(2);
    assertThat(lines.containing("IllegalStateException: run 1")).isNotEmpty();
  }

  @Test
  void taskThatFailsIsLogged() {
    LoggedFailures.after(
        loop,
        "waiting",
        1,
        () -> {
          throw new IllegalStateException("it does not wait");
        });
    lines.await("waiting failed");
    lines.await("it does not wait");
  }

  @Test
  void channelThatCannotBeClosedIsLogged() {
    EmbeddedChannel channel =
        new EmbeddedChannel(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void close(ChannelHandlerContext context, ChannelPromise promise) {
                promise.setFailure(new IOException("it does not close"));
              }
            });
    LoggedFailures.close(channel);
    channel.runPendingTasks();
    assertThat(lines.containing("cannot close")).hasSize(1);
    assertThat(lines.containing("it does not close")).isNotEmpty();
  }
}
