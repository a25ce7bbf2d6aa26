package io.lockstep.openflow.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what waits to be sent, in bytes: to one connection, to all switches together, and to all
 * connections in their handshake together. Who does not read while more is written to it is cut
 * off; where the sum is too high, the connection with the most goes first. So peers that do not
 * read cannot take the memory of the others, however many they are, and those that have not even
 * completed a handshake cannot take that of the switches.
 *
 * <p>Bytes are netty's: a message's length and 96 bytes. The buffers behind them are up to 2.5
 * times as large. Sums may be exceeded by {@link #LOOK_BYTES} and a message for each event loop.
 * Thread-safe.
 */
final class OutboundBudget {
  /** The sums are taken again after so many bytes were written. */
  static final int LOOK_BYTES = 256 * 1024;

  /** What a connection may have waiting where more than half of the budget is used. */
  static final int TIGHT_BYTES = 64 * 1024;

  /** One connection may have this part of the sum. */
  private static final int SWITCH_PART = 4;

  private static final int HANDSHAKE_PART = 32;

  /** A connection. Any thread. */
  interface Line {
    /** Bytes that wait to be sent. */
    long waitingBytes();

    /** Whether the handshake is complete. */
    boolean isEstablished();

    /** Closes the connection; may be called again. */
    void cut(String reason);
  }

  private record Waiting(Line line, long bytes) {}

  private final long maxBytes;
  private final long maxHandshakeBytes;
  private final Set<Line> lines = ConcurrentHashMap.newKeySet();
  private final AtomicLong writtenSinceLook = new AtomicLong();
  private volatile boolean tight;

  /**
   * A budget without connections.
   *
   * @param maxBytes that wait for all switches
   * @param maxHandshakeBytes that wait for all connections in their handshake
   */
  OutboundBudget(long maxBytes, long maxHandshakeBytes) {
    this.maxBytes = maxBytes;
    this.maxHandshakeBytes = maxHandshakeBytes;
  }

  /** A connection opened. */
  void opened(Line line) {
    lines.add(line);
  }

  /** A connection closed. */
  void closed(Line line) {
    lines.remove(line);
  }

  /** Why a connection with so many bytes waiting has to go, or null. */
  @Nullable String tooMuch(long waitingBytes, boolean established) {
    long most = established ? maxBytes / SWITCH_PART : maxHandshakeBytes / HANDSHAKE_PART;
    return waitingBytes <= most
        ? null
        : "the switch does not read: "
            + waitingBytes
            + " bytes wait for it, more than "
            + most
            + (established ? "" : " before its handshake is complete");
  }

  /** Whether one more message may be queued for a connection that has so many bytes waiting. */
  boolean hasRoom(long waitingBytes) {
    return !tight || waitingBytes <= TIGHT_BYTES;
  }

  /** So many bytes were queued for some connection; cuts connections off where it is too much. */
  void written(long bytes) {
    if (writtenSinceLook.addAndGet(bytes) >= LOOK_BYTES) {
      look();
    }
  }

  /** What waits for all connections now. */
  long waitingBytes() {
    long sum = 0;
    for (Line line : lines) {
      sum += line.waitingBytes();
    }
    return sum;
  }

  private synchronized void look() {
    writtenSinceLook.set(0);
    keepWithin(maxHandshakeBytes, false, "all connections in their handshake");
    tight = keepWithin(maxBytes, true, "all switches") > maxBytes / 2;
  }

  /** Returns what is left. */
  private long keepWithin(long most, boolean established, String whose) {
    List<Waiting> queues = new ArrayList<>();
    long sum = 0;
    for (Line line : lines) {
      if (line.isEstablished() == established) {
        long bytes = line.waitingBytes();
        queues.add(new Waiting(line, bytes));
        sum += bytes;
      }
    }
    if (sum <= most) {
      return sum;
    }
    queues.sort((one, other) -> Long.compare(other.bytes(), one.bytes()));
    long left = sum;
    for (Waiting queue : queues) {
      if (left <= most) {
        break;
      }
      queue
          .line()
          .cut(
              "the switch does not read: "
                  + queue.bytes()
                  + " bytes wait for it, the most of "
                  + sum
                  + " bytes for "
                  + whose
                  + ", which may be "
                  + most);
      left -= queue.bytes();
    }
    return left;
  }
}
