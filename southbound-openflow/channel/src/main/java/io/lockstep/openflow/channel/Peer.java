package io.lockstep.openflow.channel;

import io.lockstep.openflow.channel.ConnectionLog.Severity;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The far end of one connection: writes to it with as few flushes as possible and remembers why it
 * was closed. Unless said otherwise, on the event loop.
 */
final class Peer {
  /** A flush after so many writes, so that a long batch of reads does not hold the first ones. */
  private static final int WRITES_PER_FLUSH = 64;

  private static final Closing BY_PEER =
      new Closing(Severity.INFO, "the switch closed the connection", null);

  private final Channel channel;
  private final InetSocketAddress address;
  private final String name;
  private boolean reading;
  private boolean flushScheduled;
  private int unflushed;
  private int nextXid;

  /** The first one wins. */
  private final AtomicReference<@Nullable Closing> closing = new AtomicReference<>();

  /** Why this side closes, with the fault where it is this program's. */
  record Closing(Severity severity, String reason, @Nullable Throwable cause) {}

  Peer(Channel channel, InetSocketAddress address) {
    this.channel = channel;
    this.address = address;
    this.name = address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  Channel channel() {
    return channel;
  }

  /** Address and port. */
  String name() {
    return name;
  }

  /** Address without port. */
  String host() {
    return address.getAddress().getHostAddress();
  }

  /** A transaction id that this connection did not use for the last four thousand million. */
  int newXid() {
    nextXid++;
    return nextXid;
  }

  /** Takes this many transaction ids in a row and returns the first. */
  int newXids(int count) {
    int first = nextXid + 1;
    nextXid += count;
    return first;
  }

  /** Queues a message; it leaves at the end of the current batch of reads or tasks. */
  void write(Object message) {
    channel.write(message, channel.voidPromise());
    unflushed++;
    if (unflushed >= WRITES_PER_FLUSH) {
      flush();
    } else if (!reading && !flushScheduled) {
      flushScheduled = true;
      channel.eventLoop().execute(this::flushScheduled);
    }
  }

  private void flushScheduled() {
    flushScheduled = false;
    flush();
  }

  /** Sends what is queued. */
  void flush() {
    if (unflushed > 0) {
      unflushed = 0;
      channel.flush();
    }
  }

  /** A batch of reads begins. */
  void readStarted() {
    reading = true;
  }

  /** A batch of reads ends. */
  void readComplete() {
    reading = false;
    flush();
  }

  /** Closes the connection; from any thread. Only the first reason counts. */
  void close(Severity severity, String reason) {
    close(severity, reason, null);
  }

  /** The same, for a fault of this program. */
  void close(Severity severity, String reason, @Nullable Throwable cause) {
    if (closing.compareAndSet(null, new Closing(severity, reason, cause))) {
      channel.close();
    }
  }

  /** Sends a last message and closes; from any thread. */
  void closeAfter(Object lastMessage, Severity severity, String reason) {
    if (closing.compareAndSet(null, new Closing(severity, reason, null))) {
      channel.writeAndFlush(lastMessage).addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** Whether this side decided to close; from any thread. */
  boolean isClosing() {
    return closing.get() != null;
  }

  /** Whether messages can be exchanged; from any thread. */
  boolean isOpen() {
    return channel.isActive() && !isClosing();
  }

  /** Why the connection ended; from any thread. */
  Closing closing() {
    Closing ours = closing.get();
    return ours == null ? BY_PEER : ours;
  }
}
