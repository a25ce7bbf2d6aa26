package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.logging.BoundedLog;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundInvoker;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Starts work on an event loop and logs its failure. Netty keeps a failure in a future that no
 * caller here reads, and does not run a periodic task again after one.
 *
 * <p>Stateless; any thread.
 */
final class LoggedFailures {
  private static final BoundedLog log = BoundedLog.of(LoggedFailures.class);

  private LoggedFailures() {}

  /**
   * Runs a task soon and then again and again, with a pause of this length after each run. A
   * failure does not end the series.
   *
   * @param what names the task in the log
   */
  static void every(EventExecutor loop, String what, long pauseMillis, Runnable task) {
    // The task logs its failure itself.
    var unused =
        loop.scheduleWithFixedDelay(logged(what, task), 0, pauseMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * The same with a pause that changes.
   *
   * @param pauseMillis asked on the loop after each run
   */
  static void every(EventExecutor loop, String what, LongSupplier pauseMillis, Runnable task) {
    Runnable logged = logged(what, task);
    loop.execute(() -> runAgainAndAgain(loop, pauseMillis, logged));
  }

  private static void runAgainAndAgain(
      EventExecutor loop, LongSupplier pauseMillis, Runnable logged) {
    logged.run();
    if (!loop.isShuttingDown()) {
      // The task logs its failure itself.
      var unused =
          loop.schedule(
              () -> runAgainAndAgain(loop, pauseMillis, logged),
              pauseMillis.getAsLong(),
              TimeUnit.MILLISECONDS);
    }
  }

  /** Runs a task once, after a delay. */
  static void after(EventExecutor loop, String what, long delayMillis, Runnable task) {
    // The task logs its failure itself.
    var unused = loop.schedule(logged(what, task), delayMillis, TimeUnit.MILLISECONDS);
  }

  private static Runnable logged(String what, Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        log.error(what, "{} failed", what, e);
      }
    };
  }

  /**
   * Closes a channel at once, without the last words of TLS, which a peer that does not read would
   * hold up.
   */
  static void abort(Channel channel) {
    ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
    // From there on towards the socket, so the handler of TLS does not hear of it.
    close(tls == null ? channel : tls);
  }

  /** Closes a channel. */
  static void close(ChannelOutboundInvoker channel) {
    channel
        .close()
        .addListener(
            (ChannelFuture closed) -> {
              if (!closed.isSuccess()) {
                log.warn("close", "cannot close {}", closed.channel(), closed.cause());
              }
            });
  }
}
