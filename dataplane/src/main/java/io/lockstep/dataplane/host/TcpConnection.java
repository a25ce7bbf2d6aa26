package io.lockstep.dataplane.host;

import io.lockstep.dataplane.packet.Endpoints;
import io.lockstep.dataplane.packet.TcpSegment;
import io.lockstep.dataplane.wire.NetworkClock;
import io.netty.util.concurrent.EventExecutor;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One end of a TCP connection that sends everything, closes its direction, and is done when the
 * other direction is closed too (RFC 9293, with a window of one segment). Owned by the host's loop.
 */
final class TcpConnection {
  static final int MAX_RECEIVED_BYTES = 1 << 20;

  private static final int SEGMENT_BYTES = 1400;
  private static final long FIRST_RETRY_NANOS = Duration.ofMillis(200).toNanos();
  private static final long MAX_RETRY_NANOS = Duration.ofSeconds(1).toNanos();
  private static final byte[] NOTHING = {};

  private final Endpoints ends;
  private final int localPort;
  private final int remotePort;
  private final EventExecutor loop;
  private final NetworkClock clock;
  private final Consumer<byte[]> out;
  private final Listener listener;
  private final Deque<Unsent> unsent = new ArrayDeque<>();
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private @Nullable TcpSegment unacknowledged;
  private NetworkClock.@Nullable Timer retryTimer;
  private long retryNanos = FIRST_RETRY_NANOS;
  private long nextToSend;
  private long nextExpected;
  private boolean synReceived;
  private boolean finReceived;
  private boolean finQueued;
  private boolean ended;
  private int retransmissions;

  TcpConnection(
      Endpoints ends,
      int localPort,
      int remotePort,
      long initialSequence,
      EventExecutor loop,
      NetworkClock clock,
      Consumer<byte[]> out,
      Listener listener) {
    this.ends = ends;
    this.localPort = localPort;
    this.remotePort = remotePort;
    this.nextToSend = initialSequence & 0xffff_ffffL;
    this.loop = loop;
    this.clock = clock;
    this.out = out;
    this.listener = listener;
  }

  /** Client: sends SYN, then the data, then FIN. */
  void connect(byte[] data) {
    unsent.add(new Unsent(TcpSegment.SYN, NOTHING));
    sendAllOf(data);
  }

  /** Queues the whole data and the end of this direction. */
  void sendAllOf(byte[] data) {
    for (int at = 0; at < data.length; at += SEGMENT_BYTES) {
      byte[] part = Arrays.copyOfRange(data, at, Math.min(data.length, at + SEGMENT_BYTES));
      unsent.add(new Unsent(TcpSegment.PSH, part));
    }
    unsent.add(new Unsent(TcpSegment.FIN, NOTHING));
    finQueued = true;
    sendNext();
  }

  void receive(TcpSegment segment) {
    if (segment.has(TcpSegment.RST)) {
      if (!ended) {
        ended = true;
        stop();
        listener.refused();
      }
      return;
    }
    if (segment.has(TcpSegment.ACK)) {
      acknowledge(segment.acknowledgement());
    }
    boolean consumes = segment.has(TcpSegment.SYN) || segment.has(TcpSegment.FIN);
    boolean wasIdle = unacknowledged == null;
    if (consumes || segment.payload().length > 0) {
      take(segment);
      if (!(wasIdle && unacknowledged != null)) {
        out.accept(segment(TcpSegment.ACK, nextToSend, NOTHING).encode());
      }
    }
    checkEnd();
  }

  private void take(TcpSegment segment) {
    if (segment.has(TcpSegment.SYN)) {
      if (!synReceived) {
        synReceived = true;
        nextExpected = plus(segment.sequence(), 1);
        if (unacknowledged == null && !finQueued) {
          unsent.add(new Unsent(TcpSegment.SYN, NOTHING)); // server: SYN/ACK
        }
        sendNext();
      }
      return;
    }
    if (!synReceived || segment.sequence() != nextExpected || finReceived) {
      return; // a repetition, or too early: acknowledged with what is expected
    }
    if (received.size() + segment.payload().length > MAX_RECEIVED_BYTES) {
      return; // never acknowledged: the exchange times out
    }
    received.writeBytes(segment.payload());
    nextExpected = plus(nextExpected, segment.payload().length);
    if (segment.has(TcpSegment.FIN)) {
      finReceived = true;
      nextExpected = plus(nextExpected, 1);
      listener.received(this, received.toByteArray());
    }
  }

  private void acknowledge(long number) {
    if (unacknowledged != null && number == nextToSend) {
      unacknowledged = null;
      stop();
      retryNanos = FIRST_RETRY_NANOS;
      sendNext();
    }
  }

  private void sendNext() {
    boolean mayCarryData = synReceived || (!unsent.isEmpty() && unsent.element().isSyn());
    if (unacknowledged != null || unsent.isEmpty() || !mayCarryData) {
      return;
    }
    Unsent next = unsent.remove();
    int ack = synReceived ? TcpSegment.ACK : 0;
    TcpSegment segment = segment(next.flags | ack, nextToSend, next.payload);
    int length = next.payload.length + (next.flags == TcpSegment.PSH ? 0 : 1);
    nextToSend = plus(nextToSend, length);
    unacknowledged = segment;
    out.accept(segment.encode());
    armRetry();
  }

  private void armRetry() {
    retryTimer = clock.schedule(loop, retryNanos, this::retry);
    retryNanos = Math.min(2 * retryNanos, MAX_RETRY_NANOS);
  }

  private void retry() {
    TcpSegment again = unacknowledged;
    if (again != null) {
      retransmissions++;
      out.accept(segment(again.flags(), again.sequence(), again.payload()).encode());
      armRetry();
    }
  }

  private void checkEnd() {
    if (!ended && finReceived && finQueued && unsent.isEmpty() && unacknowledged == null) {
      ended = true;
      listener.closed(this, received.toByteArray());
    }
  }

  private TcpSegment segment(int flags, long sequence, byte[] payload) {
    return new TcpSegment(ends, localPort, remotePort, sequence, nextExpected, flags, payload);
  }

  /** Sends nothing more of its own accord. */
  void stop() {
    if (retryTimer != null) {
      retryTimer.cancel();
      retryTimer = null;
    }
  }

  int retransmissions() {
    return retransmissions;
  }

  private static long plus(long sequence, int count) {
    return (sequence + count) & 0xffff_ffffL;
  }

  /** Hears what happens; each at most once. */
  interface Listener {
    /** The other end has sent everything. */
    void received(TcpConnection connection, byte[] data);

    /** Both directions are closed and acknowledged. */
    void closed(TcpConnection connection, byte[] data);

    /** The other end wants no such connection. */
    void refused();
  }

  private record Unsent(int flags, byte[] payload) {
    boolean isSyn() {
      return flags == TcpSegment.SYN;
    }
  }
}
