package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.logging.BoundedLog;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing side of the link to one peer. Any thread queues frames, and the event loop writes
 * all queued frames with one flush. Without an established channel a frame is dropped; the
 * protocols above repair that. A peer that leaves too much queued loses its channel. Also holds the
 * delay before the next dial.
 */
final class PeerLink {
  private static final BoundedLog log = BoundedLog.of(PeerLink.class);

  private static final int FIRST_REDIAL_MILLIS = 10;
  private static final int LAST_REDIAL_MILLIS = 400;

  private final int peer;
  private final int maxQueuedBytes;
  private final ConcurrentLinkedQueue<ByteBuf> queue = new ConcurrentLinkedQueue<>();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private volatile @Nullable Channel channel;

  /** Owned by the event loop. */
  private int redialMillis = FIRST_REDIAL_MILLIS;

  PeerLink(int peer, int maxQueuedBytes) {
    this.peer = peer;
    this.maxQueuedBytes = maxQueuedBytes;
  }

  /** Takes ownership of a frame with its length prefix. Any thread. */
  void send(ByteBuf frame) {
    Channel to = channel;
    if (to == null || queuedBytes.get() > maxQueuedBytes) {
      frame.release();
      return;
    }
    queuedBytes.addAndGet(frame.readableBytes());
    queue.add(frame);
    if (scheduled.compareAndSet(false, true)) {
      to.eventLoop().execute(this::flush);
    }
  }

  /** On the event loop. */
  private void flush() {
    scheduled.set(false);
    Channel to = channel;
    ByteBuf frame;
    while ((frame = queue.poll()) != null) {
      queuedBytes.addAndGet(-frame.readableBytes());
      if (to == null) {
        frame.release();
      } else {
        // A failure reaches LinkHandler.exceptionCaught, as the promise says.
        var unused = to.write(frame, to.voidPromise());
      }
    }
    if (to == null) {
      return;
    }
    to.flush();
    ChannelOutboundBuffer waiting = to.unsafe().outboundBuffer();
    if (waiting != null && waiting.totalPendingWriteBytes() > maxQueuedBytes) {
      log.warn(
          peer,
          "link to replica {} closed: it left {} bytes unread",
          peer,
          waiting.totalPendingWriteBytes());
      LoggedFailures.abort(to);
    }
  }

  /** On the event loop: the delay before the next dial; grows until a link is established. */
  int redialMillis() {
    int now = redialMillis;
    redialMillis = Math.min(2 * now, LAST_REDIAL_MILLIS);
    return now;
  }

  /** On the event loop: sets the channel; returns the one that it replaces. */
  @Nullable Channel use(Channel established) {
    Channel before = channel;
    channel = established;
    redialMillis = FIRST_REDIAL_MILLIS;
    return before;
  }

  /** On the event loop: removes a closed channel; returns whether it was in use. */
  boolean lost(Channel closed) {
    if (channel == closed) {
      channel = null;
      return true;
    }
    return false;
  }

  @Nullable Channel channel() {
    return channel;
  }
}
