package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.ChangeHints;
import io.netty.channel.Channel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The hints to one client. At most one is in the queue of its socket, so a client that does not
 * read holds no more memory; the newest index goes there when the client has taken the one before.
 * A busy replica sends one each {@value #GAP_MICROS} microseconds at most.
 *
 * <p>Owned by the channel's event loop, but for {@link #hint}.
 */
final class ClientHints {
  private static final long GAP_MICROS = 2_000;

  private final Channel channel;
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private volatile long newest;
  private ChangeHints.Following following = () -> {};
  private boolean queued;
  private boolean more;
  private boolean ended;
  private long sentNanos;

  ClientHints(Channel channel) {
    this.channel = channel;
  }

  /** Follows these tables in the place of those before, and says so to the client. */
  void follow(ChangeHints hints, FollowFrame tables) {
    following.end();
    following = hints.follow(tables.tables(), this::hint);
    send();
  }

  /** The connection has ended. */
  void end() {
    ended = true;
    following.end();
  }

  /** Any thread. */
  private void hint(long index) {
    newest = index;
    if (scheduled.compareAndSet(false, true)) {
      try {
        channel.eventLoop().execute(this::due);
      } catch (RejectedExecutionException loopEnded) {
        scheduled.set(false);
      }
    }
  }

  private void due() {
    long gapNanos = TimeUnit.MICROSECONDS.toNanos(GAP_MICROS);
    long sinceNanos = System.nanoTime() - sentNanos;
    if (sinceNanos < gapNanos && !ended) {
      // Runs on the loop that this object belongs to, and does not fail.
      var unused =
          channel
              .eventLoop()
              .schedule(this::sendNewest, gapNanos - sinceNanos, TimeUnit.NANOSECONDS);
    } else {
      sendNewest();
    }
  }

  private void sendNewest() {
    scheduled.set(false);
    send();
  }

  private void send() {
    if (ended) {
      return;
    }
    if (queued) {
      more = true;
      return;
    }
    queued = true;
    more = false;
    sentNanos = System.nanoTime();
    var out = channel.alloc().buffer(HintFrame.FRAME_BYTES);
    new HintFrame(newest).encode(out);
    channel
        .writeAndFlush(out)
        .addListener(
            written -> {
              queued = false;
              if (more && written.isSuccess()) {
                send();
              }
            });
  }
}
