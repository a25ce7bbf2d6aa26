package io.lockstep.bench.overload;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The loud switches of one row, on one thread. All connect to one controller, as those of cbench
 * do. {@link #start} and {@link #close} are for one thread of the caller; the rest for any.
 */
final class LoudSwitches implements AutoCloseable {
  private static final long SELECT_MILLIS = 20;
  private static final long ANNOUNCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long CLOSE_MILLIS = 5_000;

  private final Selector selector;
  private final List<SelectionKey> keys = new ArrayList<>();
  private final List<LoudSwitch> switches = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "loud-switches");
  private volatile boolean loud;
  private volatile boolean closed;
  private volatile Counts counts = new Counts(0, 0);
  private volatile @Nullable IOException failure;
  private long announcedNanos;
  private boolean announced;

  /** Packet-ins of all switches so far; at most some milliseconds old. */
  record Counts(long sent, long answered) {}

  private LoudSwitches() throws IOException {
    selector = Selector.open();
  }

  /** Connects all switches; they are quiet before {@link #setLoud}. */
  static LoudSwitches start(OverloadRow row, long firstDpid, InetSocketAddress controller)
      throws IOException {
    LoudSwitches started = new LoudSwitches();
    try {
      for (int i = 0; i < row.switches(); i++) {
        started.connect(row, firstDpid + i, controller);
      }
    } catch (IOException e) {
      started.close();
      throw e;
    }
    started.thread.setDaemon(true);
    started.thread.start();
    return started;
  }

  private void connect(OverloadRow row, long dpid, InetSocketAddress controller)
      throws IOException {
    SocketChannel channel = SocketChannel.open(controller);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    keys.add(channel.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE));
    switches.add(
        new LoudSwitch(
            new LoudPackets(row.protocol(), dpid, row.manyPorts()),
            new LoudPersona(row.protocol(), dpid),
            row.mode(),
            channel));
  }

  /** From now on they send, or send no more. */
  void setLoud(boolean next) {
    loud = next;
    selector.wakeup();
  }

  /**
   * What was sent and answered so far.
   *
   * @throws IOException where a connection ended, why
   */
  Counts counts() throws IOException {
    IOException broken = failure;
    if (broken != null) {
      throw new IOException("a loud switch lost its controller: " + broken.getMessage(), broken);
    }
    return counts;
  }

  private void run() {
    try {
      while (!closed) {
        selector.select(SELECT_MILLIS);
        turn(System.nanoTime());
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  private void turn(long nowNanos) throws IOException {
    boolean announcing = loud && (!announced || nowNanos - announcedNanos >= ANNOUNCE_NANOS);
    if (announcing) {
      announced = true;
      announcedNanos = nowNanos;
    }
    long sent = 0;
    long answered = 0;
    for (int i = 0; i < switches.size(); i++) {
      LoudSwitch one = switches.get(i);
      SelectionKey key = keys.get(i);
      if (key.isReadable()) {
        one.read();
      }
      if (announcing) {
        one.announce();
      }
      boolean blocked = (key.interestOps() & SelectionKey.OP_WRITE) != 0 && !key.isWritable();
      if (!blocked) {
        key.interestOps(one.write(loud, nowNanos));
      }
      sent += one.sent();
      answered += one.answered();
    }
    selector.selectedKeys().clear();
    counts = new Counts(sent, answered);
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      thread.join(CLOSE_MILLIS);
      for (SelectionKey key : keys) {
        key.channel().close();
      }
      selector.close();
    } catch (IOException e) {
      throw new IllegalStateException("a loud switch does not close", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
