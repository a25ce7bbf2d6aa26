package io.lockstep.openflow.channel;

import io.lockstep.openflow.channel.ConnectionLog.Severity;
import io.lockstep.openflow.channel.access.Credential;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The far end of one connection: brings calls to its event loop, writes to it with as few flushes
 * as possible, and remembers why it was closed. Unless said otherwise, on the event loop.
 */
final class Peer implements OutboundBudget.Line {
  /** Calls of other threads that the event loop has not come to yet. */
  static final int MAX_HANDOFFS = 4096;

  /** Why something was not sent to an open connection. */
  static final String TOO_MUCH = "not sent: too much is queued for this switch";

  /** A flush after so many writes, so that a long batch of reads does not hold the first ones. */
  private static final int WRITES_PER_FLUSH = 64;

  /** The same with TLS, which queues what is not flushed where it is not counted. */
  private static final int TLS_WRITES_PER_FLUSH = 16;

  private static final CloseReason BY_PEER =
      new CloseReason(Severity.INFO, "the switch closed the connection", null);

  private final Channel channel;
  private final InetSocketAddress address;
  private final String name;
  private final OutboundBudget budget;
  private final ChannelCounters counters;
  private Credential credential;
  private int writesPerFlush = WRITES_PER_FLUSH;
  private volatile boolean established;
  private boolean reading;
  private boolean flushScheduled;
  private int unflushed;
  private int nextXid;
  private final AtomicInteger handoffs = new AtomicInteger();

  /** The first one wins. */
  private final AtomicReference<@Nullable CloseReason> closing = new AtomicReference<>();

  /** Why this side closes, with the fault where it is this program's. */
  record CloseReason(Severity severity, String reason, @Nullable Throwable cause) {}

  Peer(
      Channel channel, InetSocketAddress address, OutboundBudget budget, ChannelCounters counters) {
    this.budget = budget;
    this.counters = counters;
    this.channel = channel;
    this.address = address;
    this.credential = new Credential.Address(address.getAddress());
    this.name = address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  Channel channel() {
    return channel;
  }

  MessageCounters messages() {
    return counters.messages();
  }

  /** Address and port. */
  String name() {
    return name;
  }

  /** Address without port. */
  InetAddress address() {
    return address.getAddress();
  }

  /** The same as text. */
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

  /** What the connection showed of itself, before it may speak. */
  void showed(Credential shown) {
    credential = shown;
    writesPerFlush =
        shown instanceof Credential.Certificate ? TLS_WRITES_PER_FLUSH : WRITES_PER_FLUSH;
  }

  /** Its certificate or, without TLS, its address. */
  Credential credential() {
    return credential;
  }

  /** From now on the bounds of a switch hold, no longer those of a handshake. */
  void establish() {
    established = true;
  }

  @Override
  public boolean isEstablished() {
    return established;
  }

  @Override
  public long waitingBytes() {
    ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
    return queue == null ? 0 : queue.totalPendingWriteBytes();
  }

  @Override
  public void cut(String reason) {
    if (close(Severity.WARN, reason, null)) {
      counters.unread(established);
    }
  }

  /** Closes the connection for what it does not send; from any thread. */
  void leaveUnfinished(String reason) {
    if (close(Severity.WARN, reason, null)) {
      counters.unfinished();
    }
  }

  /**
   * Runs a task on the event loop, at once where this is the loop; from any thread. False where too
   * much waits for it already. What a task that was handed over throws ends this connection.
   */
  boolean onLoop(Runnable task) {
    EventLoop loop = channel.eventLoop();
    if (loop.inEventLoop()) {
      task.run();
      return true;
    }
    if (handoffs.incrementAndGet() > MAX_HANDOFFS || loop.isShuttingDown()) {
      handoffs.decrementAndGet();
      return false;
    }
    try {
      loop.execute(
          () -> {
            handoffs.decrementAndGet();
            guarded(task);
          });
      return true;
    } catch (RejectedExecutionException e) {
      handoffs.decrementAndGet();
      return false;
    }
  }

  /** Why nothing can be sent, after {@link #hasRoom} or {@link #isOpen} said so. */
  String whyNotSent() {
    return isOpen() ? TOO_MUCH : "not sent: the connection is closed: " + closing().reason();
  }

  /** Runs code of the node; what it throws ends this connection and nothing else. */
  void guarded(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      close(Severity.WARN, "the node failed on this switch: " + e, e);
    }
  }

  /** Whether more may be queued now; from any thread. */
  boolean hasRoom() {
    return channel.isWritable() && budget.hasRoom(waitingBytes());
  }

  /**
   * Queues a message; it leaves at the end of the current batch of reads or tasks. Cuts the
   * connection off where too much waits for it.
   */
  void write(Object message) {
    long before = waitingBytes();
    // A void promise hands a failure to the handlers, as exceptionCaught.
    ChannelFuture unused = channel.write(message, channel.voidPromise());
    unflushed++;
    long waiting = waitingBytes();
    if (budget.tooMuch(waiting, established) != null) {
      flush();
      String tooMuch = budget.tooMuch(waitingBytes(), established);
      if (tooMuch != null) {
        cut(tooMuch);
        return;
      }
    }
    budget.written(Math.max(0, waiting - before));
    if (unflushed >= writesPerFlush) {
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
      long before = waitingBytes();
      channel.flush();
      // With TLS only the records count that a flush makes.
      long more = waitingBytes() - before;
      if (more > 0) {
        budget.written(more);
      }
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

  /** The same, for a fault of this program; true where this is the first reason. */
  boolean close(Severity severity, String reason, @Nullable Throwable cause) {
    boolean first = closing.compareAndSet(null, new CloseReason(severity, reason, cause));
    if (first) {
      closeNow();
    }
    return first;
  }

  /** Closes the channel, whatever still waits to be sent; from any thread. */
  void closeNow() {
    closeNow(channel);
  }

  /** The same of a channel that has no peer yet. */
  static void closeNow(Channel channel) {
    // Netty ends a channel also where closing it fails, and its close future reports the end.
    ChannelFuture unused = channel.close();
  }

  /** Sends a last message and closes; from any thread. */
  void closeAfter(Object lastMessage, Severity severity, String reason) {
    if (closing.compareAndSet(null, new CloseReason(severity, reason, null))) {
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

  /** Whether the switch or the network ended the connection; from any thread. */
  boolean closedByPeer() {
    return closing.get() == null;
  }

  /** Why the connection ended; from any thread. */
  CloseReason closing() {
    CloseReason ours = closing.get();
    return ours == null ? BY_PEER : ours;
  }
}
