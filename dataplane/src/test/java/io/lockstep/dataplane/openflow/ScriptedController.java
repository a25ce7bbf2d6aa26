package io.lockstep.dataplane.openflow;

import io.lockstep.openflow.codec.Hello;
import io.lockstep.openflow.codec.MessageDecoder;
import io.lockstep.openflow.codec.MessageEncoder;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFeaturesReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFType;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * A controller for tests: says HELLO, asks for features, then leaves everything to the test, which
 * sends messages and takes those that come. Echo requests are answered.
 */
public final class ScriptedController implements AutoCloseable {
  /** Builds messages. */
  public static final OFFactory FACTORY = OFFactories.getFactory(OFVersion.OF_13);

  private static final long DEADLINE_SECONDS = 30;

  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final OFFactory factory;
  private final Channel server;
  private final BiConsumer<Session, OFMessage> script;
  private final BlockingQueue<Session> sessions = new LinkedBlockingQueue<>();
  private final Map<Long, Session> byDpid = new ConcurrentHashMap<>();
  private final AtomicInteger accepted = new AtomicInteger();

  /** A controller that only records. */
  public ScriptedController() {
    this((session, message) -> {});
  }

  /**
   * @param script called on the controller's thread for the features reply and all that follows
   */
  public ScriptedController(BiConsumer<Session, OFMessage> script) {
    this(OFVersion.OF_13, script);
  }

  /** A controller that speaks one version and only records. */
  public ScriptedController(OFVersion version) {
    this(version, (session, message) -> {});
  }

  private ScriptedController(OFVersion version, BiConsumer<Session, OFMessage> script) {
    this.factory = OFFactories.getFactory(version);
    this.script = script;
    this.server =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accepted.incrementAndGet();
                    MessageDecoder decoder = new MessageDecoder();
                    Session session = new Session(channel, decoder);
                    channel.pipeline().addLast(decoder, new MessageEncoder(), session);
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel();
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) server.localAddress();
  }

  /** TCP connections accepted so far. */
  public int accepted() {
    return accepted.get();
  }

  /** Switches whose features have arrived and that are still connected. */
  public int switches() {
    return byDpid.size();
  }

  /** The next session whose features have arrived. */
  public Session nextSession() {
    try {
      Session session = sessions.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
      if (session == null) {
        throw new AssertionError("no switch connected in time");
      }
      return session;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  /** One switch's connection. */
  public final class Session extends ChannelInboundHandlerAdapter {
    private final Channel channel;
    private final MessageDecoder decoder;
    private final BlockingQueue<OFMessage> received = new LinkedBlockingQueue<>();
    private final Map<Long, CompletableFuture<OFMessage>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong nextXid = new AtomicLong(1000);
    private final AtomicInteger echoes = new AtomicInteger();
    private volatile long dpid;

    Session(Channel channel, MessageDecoder decoder) {
      this.channel = channel;
      this.decoder = decoder;
    }

    public long dpid() {
      return dpid;
    }

    /** Echo requests received. */
    public int echoes() {
      return echoes.get();
    }

    public Channel channel() {
      return channel;
    }

    /** Sends one message; one that cannot be written ends the connection. */
    public void send(OFMessage message) {
      write(message);
    }

    /** The same of bytes that need not be a message. */
    public void send(ByteBuf bytes) {
      write(bytes);
    }

    private void write(Object message) {
      channel.writeAndFlush(message).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    /** Closes the connection. */
    public void close() {
      // Netty ends a channel also where closing it fails.
      ChannelFuture unused = channel.close();
    }

    /** Sends a message with a fresh xid; completes with the first message of the same xid. */
    public OFMessage ask(OFMessage.Builder request) {
      long xid = nextXid.incrementAndGet();
      CompletableFuture<OFMessage> reply = new CompletableFuture<>();
      waiting.put(xid, reply);
      send(request.setXid(xid).build());
      return reply.orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS).join();
    }

    /** The same, checked for its class. */
    public <T extends OFMessage> T ask(OFMessage.Builder request, Class<T> reply) {
      return reply.cast(ask(request));
    }

    /** Waits until the switch has done everything sent before. */
    public void barrier() {
      ask(factory.buildBarrierRequest());
    }

    /** The next message of a class that fulfils a condition; what comes before it is dropped. */
    public <T extends OFMessage> T await(Class<T> type, Predicate<T> condition) {
      List<OFType> skipped = new ArrayList<>();
      try {
        while (true) {
          OFMessage message = received.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
          if (message == null) {
            throw new AssertionError("no " + type.getSimpleName() + "; skipped " + skipped);
          }
          if (type.isInstance(message) && condition.test(type.cast(message))) {
            return type.cast(message);
          }
          skipped.add(message.getType());
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    public <T extends OFMessage> T await(Class<T> type) {
      return await(type, any -> true);
    }

    /** A message already here, null when there is none. */
    public @Nullable OFMessage poll() {
      return received.poll();
    }

    /** What is already here. */
    public List<OFMessage> takeAll() {
      List<OFMessage> all = new ArrayList<>();
      received.drainTo(all);
      return all;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      write(Hello.offering(1, Set.of(factory.getVersion())));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Hello) {
        decoder.negotiated(factory.getVersion());
        send(factory.buildFeaturesRequest().setXid(2).build());
      } else if (message instanceof OFFeaturesReply features && dpid == 0) {
        dpid = features.getDatapathId().getLong();
        byDpid.put(dpid, this);
        script.accept(this, features);
        sessions.add(this);
      } else if (message instanceof OFMessage openFlow) {
        take(openFlow);
      }
    }

    private void take(OFMessage message) {
      if (message.getType() == OFType.ECHO_REQUEST) {
        echoes.incrementAndGet();
        send(factory.buildEchoReply().setXid(message.getXid()).setData(new byte[0]).build());
        return;
      }
      CompletableFuture<OFMessage> asked = waiting.remove(message.getXid());
      if (asked != null) {
        asked.complete(message);
      } else {
        received.add(message);
        script.accept(this, message);
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      byDpid.remove(dpid, this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      waiting.values().forEach(each -> each.completeExceptionally(cause));
      close();
    }
  }
}
