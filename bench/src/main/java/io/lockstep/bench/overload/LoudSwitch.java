package io.lockstep.bench.overload;

import io.lockstep.bench.overload.OverloadRow.Mode;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * One switch that sends without pause to one controller. Owned by the generator's thread; time is
 * an argument, in nanoseconds.
 */
final class LoudSwitch {
  /** A packet that is unanswered for so long is given up in latency mode. */
  static final long PATIENCE_NANOS = 1_000_000_000L;

  private static final int BATCH = 256;
  private static final int MAX_MESSAGE_BYTES = 1 << 16;
  private static final int CONTROL_BYTES = 256 << 10;

  private final LoudPackets packets;
  private final LoudPersona persona;
  private final Mode mode;
  private final SocketChannel channel;
  private final ByteBuffer in = ByteBuffer.allocateDirect(2 * MAX_MESSAGE_BYTES);

  /** Answers and announcements; they leave between two batches. Always ready to be read. */
  private final ByteBuffer control = ByteBuffer.allocate(CONTROL_BYTES).limit(0);

  /** Packet-ins; ready to be read. */
  private final ByteBuffer batch;

  private int number;
  private long sent;
  private long answered;
  private int awaited = LoudPackets.NO_BUFFER;
  private long awaitedSinceNanos;

  LoudSwitch(LoudPackets packets, LoudPersona persona, Mode mode, SocketChannel channel) {
    this.packets = packets;
    this.persona = persona;
    this.mode = mode;
    this.channel = channel;
    this.batch = ByteBuffer.allocateDirect(BATCH * packets.bytes()).limit(0);
    add(persona.hello());
  }

  /** Packet-ins that left so far, and those of them that were answered. */
  long sent() {
    return sent;
  }

  long answered() {
    return answered;
  }

  private void add(byte[] message) {
    control.compact();
    control.put(message);
    control.flip();
  }

  /** Shows where the hosts are that are sent to. */
  void announce() {
    ByteBuffer all = ByteBuffer.allocate(LoudPackets.DESTINATIONS * packets.bytes());
    for (int host = 0; host < LoudPackets.DESTINATIONS; host++) {
      packets.announce(all, ++number, host);
      sent++;
    }
    add(all.array());
  }

  /** Reads what there is. */
  void read() throws IOException {
    if (channel.read(in) < 0) {
      throw new EOFException("the controller closed the connection");
    }
    in.flip();
    int at = 0;
    while (in.limit() - at >= 8) {
      int length = in.getShort(at + 2) & 0xffff;
      if (in.limit() - at < length) {
        break;
      }
      read(at, length);
      at += length;
    }
    in.position(at);
    in.compact();
  }

  private void read(int at, int length) throws IOException {
    int type = in.get(at + 1);
    int buffer = packets.answered(in, at, length);
    if (buffer != LoudPackets.NO_BUFFER) {
      answered++;
      if (buffer == awaited) {
        awaited = LoudPackets.NO_BUFFER;
      }
    } else if (type != LoudPackets.TYPE_PACKET_OUT) {
      byte[] message = new byte[length];
      in.get(at, message);
      byte[] answer = persona.answer(message);
      if (answer.length > control.capacity() - control.remaining()) {
        throw new IOException("the controller asks more than it reads answers of");
      }
      add(answer);
    }
  }

  /**
   * Sends what the socket takes.
   *
   * @param loud whether packet-ins may be sent
   * @return what the selector is to look for
   */
  int write(boolean loud, long nowNanos) throws IOException {
    boolean may = loud && persona.isMastered();
    while (true) {
      if (batch.hasRemaining()) {
        channel.write(batch);
        if (batch.hasRemaining()) {
          return SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        }
      }
      if (control.hasRemaining()) {
        channel.write(control);
        if (control.hasRemaining()) {
          return SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        }
      }
      if (!may || !fill(nowNanos)) {
        return SelectionKey.OP_READ;
      }
    }
  }

  /** Makes the next packet-ins; false where none is due. */
  private boolean fill(long nowNanos) {
    boolean throughput = mode == Mode.THROUGHPUT;
    if (!throughput
        && awaited != LoudPackets.NO_BUFFER
        && nowNanos - awaitedSinceNanos < PATIENCE_NANOS) {
      return false;
    }
    int count = throughput ? BATCH : 1;
    batch.clear();
    for (int i = 0; i < count; i++) {
      number = number + 1 & Integer.MAX_VALUE;
      packets.put(batch, number);
    }
    batch.flip();
    sent += count;
    awaited = number;
    awaitedSinceNanos = nowNanos;
    return true;
  }
}
