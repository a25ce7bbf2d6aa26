package io.lockstep.openflow.channel;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what all connections together hold of messages that have not arrived whole, in bytes: each
 * may be up to 64 KiB, and peers may begin one and never end it. Where the sum is too high, the
 * connection whose message has been unfinished for longest is cut off: that of a switch at work is
 * complete soon. Thread-safe; time is an argument, in nanoseconds.
 *
 * <p>Bytes are the messages'. The buffers behind them are up to twice as large.
 */
final class InboundBudget {
  /** Unfinished bytes of all connections, where nothing else is said. */
  static final long MAX_BYTES = 32L << 20;

  private final long maxBytes;
  private final AtomicLong bytesOfAll = new AtomicLong();
  private final Set<Share> shares = ConcurrentHashMap.newKeySet();

  /** Closes a connection; may be called again, and on any thread. */
  @FunctionalInterface
  interface Line {
    void cut(String reason);
  }

  /** What one connection holds. Its methods are called on its event loop. */
  final class Share {
    private final Line line;
    private long messages;
    private volatile long bytes;
    private volatile long sinceNanos;

    /** It is being closed, and holds no more. */
    private volatile boolean ended;

    private Share(Line line) {
      this.line = line;
    }

    /**
     * Something was read.
     *
     * @param completed messages of the connection so far
     * @param unfinishedBytes of the message that follows
     */
    void read(long completed, long unfinishedBytes, long nowNanos) {
      if (ended) {
        return;
      }
      if (bytes == 0 || completed != messages) {
        sinceNanos = nowNanos;
      }
      messages = completed;
      long more = unfinishedBytes - bytes;
      bytes = unfinishedBytes;
      if (bytesOfAll.addAndGet(more) > maxBytes && more > 0) {
        makeRoom();
      }
    }

    /** The connection ended. */
    void close() {
      ended = true;
      shares.remove(this);
      bytesOfAll.addAndGet(-bytes);
      bytes = 0;
    }
  }

  /**
   * A budget without connections.
   *
   * @param maxBytes of unfinished messages
   */
  InboundBudget(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** A connection opened. */
  Share opened(Line line) {
    Share share = new Share(line);
    shares.add(share);
    return share;
  }

  /** Unfinished bytes of all connections now. */
  long bytes() {
    return bytesOfAll.get();
  }

  /** Cuts one off, unless those that were cut off and are not closed yet leave enough room. */
  private void makeRoom() {
    Share oldest = null;
    long left = 0;
    for (Share share : shares) {
      if (!share.ended && share.bytes > 0) {
        left += share.bytes;
        if (oldest == null || share.sinceNanos - oldest.sinceNanos < 0) {
          oldest = share;
        }
      }
    }
    if (oldest != null && left > maxBytes) {
      oldest.ended = true;
      oldest.line.cut(
          "a message of the switch is unfinished for longest, "
              + oldest.bytes
              + " bytes of it, while all switches together left "
              + bytesOfAll.get()
              + " bytes unfinished, which may be "
              + maxBytes);
    }
  }
}
