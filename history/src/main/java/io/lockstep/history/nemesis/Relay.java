package io.lockstep.history.nemesis;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection between two replicas, through which all bytes go: it holds them back, loses them
 * or delays them, for each direction apart. Losing bytes of a stream ruins it, as a long partition
 * does: such connections are reset when the fault ends. A relay that failed itself throws at the
 * next call: the run would not have had the faults that it records.
 *
 * <p>Everything happens on one event loop; the methods can be called from any thread.
 */
final class Relay implements AutoCloseable {
  /** How long nobody listens after the target has refused a connection. */
  private static final int REFUSING_MILLIS = 100;

  /** What is on its way on a late link at most, for each direction. */
  private static final long MOST_LATE_BYTES = 8 << 20;

  private final EventLoop loop;
  private final int port;
  private final int targetPort;
  private final Random random;

  // Owned by the loop.
  private final Set<Leg> legs = new HashSet<>();
  private Treatment forward = Treatment.PASS;
  private Treatment backward = Treatment.PASS;
  private int delayMillis;
  private @Nullable Channel listener;
  private boolean closed;

  private volatile @Nullable Throwable failure;

  private Relay(EventLoop loop, int port, int targetPort, Random random) {
    this.loop = loop;
    this.port = port;
    this.targetPort = targetPort;
    this.random = random;
  }

  /**
   * A relay from one port of loopback to another.
   *
   * @param random of its own
   */
  static Relay open(EventLoopGroup group, int port, int targetPort, Random random)
      throws IOException {
    Relay relay = new Relay(group.next(), port, targetPort, random);
    ChannelFuture bound = relay.bind().awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException("relay cannot listen at port " + port, bound.cause());
    }
    return relay;
  }

  private ChannelFuture bind() {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel dialler) {
                    accepted(dialler);
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), port);
    return bound.addListener(
        (ChannelFuture done) -> {
          if (done.isSuccess() && !closed) {
            listener = done.channel();
          } else {
            close(done.channel());
          }
        });
  }

  /** Nobody listens at the target: so nobody does here, for a while. On the loop. */
  private void refuse() {
    Channel open = listener;
    if (open != null) {
      listener = null;
      close(open);
      schedule(this::listenAgain, TimeUnit.MILLISECONDS.toNanos(REFUSING_MILLIS));
    }
  }

  private void schedule(Runnable task, long nanos) {
    loop.schedule(task, nanos, TimeUnit.NANOSECONDS).addListener(this::noteFailure);
  }

  private void close(Channel channel) {
    channel.close().addListener(this::noteFailure);
  }

  /** The end of the loop cancels tasks. */
  private void noteFailure(Future<?> done) {
    if (!done.isSuccess() && !done.isCancelled()) {
      failure = done.cause();
    }
  }

  private void throwFailure() {
    Throwable cause = failure;
    if (cause != null) {
      throw new IllegalStateException("the relay at port " + port + " failed", cause);
    }
  }

  private void listenAgain() {
    if (!closed) {
      bind()
          .addListener(
              (ChannelFuture done) -> {
                if (!done.isSuccess()) {
                  schedule(this::listenAgain, TimeUnit.MILLISECONDS.toNanos(REFUSING_MILLIS));
                }
              });
    }
  }

  /**
   * Begins to treat what goes from the side that dials (forward) and to it (backward).
   *
   * @param mostMillis of a delay
   */
  void treat(Treatment towards, Treatment back, int mostMillis) {
    throwFailure();
    loop.execute(
        () -> {
          forward = towards;
          backward = back;
          delayMillis = mostMillis;
        });
  }

  /** Ends the fault: what was held goes through, and connections that lost bytes are reset. */
  void heal() {
    throwFailure();
    loop.execute(
        () -> {
          forward = Treatment.PASS;
          backward = Treatment.PASS;
          for (Leg leg : Set.copyOf(legs)) {
            leg.healed();
          }
        });
  }

  @Override
  public void close() {
    loop.execute(
        () -> {
          closed = true;
          Channel open = listener;
          if (open != null) {
            close(open);
          }
          Set.copyOf(legs).forEach(Leg::end);
        });
  }

  /** What the dialler says goes on once the target is reached. */
  private void accepted(SocketChannel dialler) {
    Leg there = new Leg(dialler, true);
    dialler.pipeline().addLast(there);
    legs.add(there);
    new Bootstrap()
        .group(loop)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.AUTO_READ, false)
        .handler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel target) {
                Leg back = new Leg(target, false);
                target.pipeline().addLast(back);
                legs.add(back);
                there.other = back;
                back.other = there;
              }
            })
        .connect(InetAddress.getLoopbackAddress(), targetPort)
        .addListener(
            (ChannelFuture connected) -> {
              if (connected.isSuccess()) {
                there.channel.read();
                connected.channel().read();
              } else {
                refuse();
                there.end();
              }
            });
  }

  /** One end of a connection; what it reads goes to the other. */
  private final class Leg extends ChannelInboundHandlerAdapter {
    private final Channel channel;
    private final boolean dialler;
    private @Nullable Leg other;
    private @Nullable Object held;
    private long dueNanos;
    private boolean ruined;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private long lateBytes;

    /** Bytes on their way. */
    private record Waiting(ByteBuf bytes, boolean readOn) {}

    Leg(Channel channel, boolean dialler) {
      this.channel = channel;
      this.dialler = dialler;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
      switch (dialler ? forward : backward) {
        case PASS -> {
          if (lateBytes > 0) {
            late((ByteBuf) bytes, 0);
          } else {
            pass(bytes);
          }
        }
        case HOLD -> held = bytes;
        case DROP -> {
          ReferenceCountUtil.release(bytes);
          ruined = true;
          channel.read();
        }
        case DELAY -> later((ByteBuf) bytes, random.nextInt(delayMillis + 1), true);
        case LATE -> late((ByteBuf) bytes, delayMillis);
      }
    }

    /**
     * Goes on reading: what is late does not hold up what follows, up to a bound. Nothing overtakes
     * what was late before it.
     */
    private void late(ByteBuf bytes, int byMillis) {
      boolean full = lateBytes + bytes.readableBytes() > MOST_LATE_BYTES;
      later(bytes, byMillis, full);
      if (!full) {
        channel.read();
      }
    }

    /**
     * Bytes go on after a time, behind all that wait already: each timer takes the first of them,
     * since two timers for the same moment can end in either order.
     *
     * @param readOn afterwards
     */
    private void later(ByteBuf bytes, int byMillis, boolean readOn) {
      long now = System.nanoTime();
      dueNanos = Math.max(dueNanos, now + TimeUnit.MILLISECONDS.toNanos(byMillis));
      waiting.add(new Waiting(bytes, readOn));
      lateBytes += bytes.readableBytes();
      schedule(this::passFirst, dueNanos - now);
    }

    private void passFirst() {
      Waiting first = waiting.remove();
      lateBytes -= first.bytes.readableBytes();
      pass(first.bytes, first.readOn);
    }

    private void pass(Object bytes) {
      pass(bytes, true);
    }

    private void pass(Object bytes, boolean readOn) {
      Leg to = other;
      if (to == null) {
        ReferenceCountUtil.release(bytes);
        return;
      }
      to.channel
          .writeAndFlush((ByteBuf) bytes)
          .addListener(
              written -> {
                if (!written.isSuccess()) {
                  end();
                } else if (readOn) {
                  channel.read();
                }
              });
    }

    void healed() {
      Object kept = held;
      held = null;
      if (ruined || (other != null && other.ruined)) {
        ReferenceCountUtil.release(kept);
        end();
      } else if (kept != null && lateBytes > 0) {
        late((ByteBuf) kept, 0);
      } else if (kept != null) {
        pass(kept);
      }
    }

    void end() {
      legs.remove(this);
      ReferenceCountUtil.release(held);
      held = null;
      close(channel);
      Leg to = other;
      other = null;
      if (to != null && to.other == this) {
        to.end();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      end();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      end();
    }
  }
}
