package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.SwitchObserver;
import io.lockstep.keys.HalfOpen;
import io.lockstep.openflow.channel.ConnectionLog.Severity;
import io.lockstep.openflow.channel.access.SwitchAccess;
import io.lockstep.openflow.channel.translate.PacketInReader;
import io.lockstep.openflow.channel.translate.TableFeaturesReader;
import io.lockstep.openflow.codec.MessageDecoder;
import io.lockstep.openflow.codec.MessageEncoder;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Listens for switches and tells an observer of them. {@link #start} and {@link #close} are called
 * by one thread, the owner's. Each connection belongs to one event loop, on which the observer
 * hears of it; what goes wrong on a connection ends that connection only, with its reason in the
 * log.
 */
public final class OpenFlowServer implements AutoCloseable {
  /** Read of one switch before the other ones of its event loop have their turn. */
  private static final int READ_BYTES = 16 << 10;

  /**
   * What the system keeps of one switch before it is read, about. Without a bound it is megabytes
   * of packet-ins, and an echo behind them waits for all of them. Accepted connections inherit it.
   */
  private static final int RECEIVE_BYTES = 256 << 10;

  private static final int BACKLOG = 1024;

  /** This part of all connections may be of peers that have not shown yet which switch they are. */
  private static final int STRANGERS_PART = 4;

  private static final long STOP_SECONDS = 5;

  private final OpenFlowServerConfig config;
  private final ServerRoom room;
  private final ConnectionCaps caps;
  private final OutboundBudget budget;
  private final InboundBudget inbound;
  private final MessageEncoder encoder = new MessageEncoder();
  private final Set<Peer> peers = ConcurrentHashMap.newKeySet();

  /** Connections that have not shown yet what lets them be a switch. */
  private final HalfOpen<Peer> strangers;

  private final Map<EventLoop, HandshakeTurns> handshakes = new ConcurrentHashMap<>();

  private @Nullable EventLoopGroup acceptor;
  private @Nullable EventLoopGroup workers;
  private @Nullable Channel listener;

  /** A server that does nothing yet, and that every connection may use. */
  public OpenFlowServer(OpenFlowServerConfig config, SwitchObserver observer) {
    this(config, SwitchAccess.anyone(), observer);
  }

  /**
   * A server that does nothing yet.
   *
   * @param access which connections may be which switch
   */
  public OpenFlowServer(OpenFlowServerConfig config, SwitchAccess access, SwitchObserver observer) {
    this(config, access, observer, ConnectionLog::toLogger, budget());
  }

  OpenFlowServer(OpenFlowServerConfig config, SwitchObserver observer, ConnectionLog.Sink sink) {
    this(config, observer, sink, budget());
  }

  private static InboundBudget budget() {
    return new InboundBudget(InboundBudget.MAX_BYTES);
  }

  OpenFlowServer(
      OpenFlowServerConfig config,
      SwitchObserver observer,
      ConnectionLog.Sink sink,
      InboundBudget inbound) {
    this(config, SwitchAccess.anyone(), observer, sink, inbound);
  }

  OpenFlowServer(
      OpenFlowServerConfig config,
      SwitchAccess access,
      SwitchObserver observer,
      ConnectionLog.Sink sink,
      InboundBudget inbound) {
    this.inbound = inbound;
    this.config = config;
    this.room =
        new ServerRoom(
            config,
            observer,
            new SwitchRegistry(),
            new ConnectionLog(sink, System::nanoTime),
            new ChannelCounters(),
            access);
    this.budget = new OutboundBudget(config.maxOutboundBytes(), config.maxHandshakeOutboundBytes());
    this.caps = new ConnectionCaps(config.maxConnections(), config.maxConnectionsPerAddress());
    this.strangers = new HalfOpen<>(Math.max(1, config.maxConnections() / STRANGERS_PART));
  }

  /**
   * Starts to listen.
   *
   * @throws IOException where the address cannot be listened on, with the address and a remedy
   */
  public void start() throws IOException {
    if (listener != null) {
      throw new IllegalStateException("already started");
    }
    InetSocketAddress address = new InetSocketAddress(config.address(), config.port());
    if (address.isUnresolved()) {
      throw new IOException(
          "cannot listen for switches on " + config.address() + ": no such host or address");
    }
    acceptor = new NioEventLoopGroup(1, new DefaultThreadFactory("openflow-accept", true));
    workers =
        new NioEventLoopGroup(config.eventLoops(), new DefaultThreadFactory("openflow", true));
    ChannelFuture bound =
        new ServerBootstrap()
            .group(acceptor, workers)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.SO_RCVBUF, RECEIVE_BYTES)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(
                ChannelOption.RCVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(512, 2_048, READ_BYTES).maxMessagesPerRead(1))
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(
                    config.outboundLowWaterBytes(), config.outboundHighWaterBytes()))
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    accepted(channel);
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    Throwable failure = bound.cause();
    if (failure != null) {
      close();
      throw notBound(failure);
    }
    listener = bound.channel();
    // Behind netty's own handler, which pauses for a second after a connection it cannot accept.
    listener.pipeline().addLast("faults", new AcceptFaults(room.log()));
  }

  private IOException notBound(Throwable failure) {
    String where = config.address() + ":" + config.port();
    if (failure instanceof BindException) {
      return new IOException(
          "cannot listen for switches on "
              + where
              + ": "
              + failure.getMessage()
              + "; stop the process that has the port (\"ss -ltnp sport = :"
              + config.port()
              + "\" shows it) or configure another port",
          failure);
    }
    return new IOException("cannot listen for switches on " + where + ": " + failure, failure);
  }

  /** The port listened on. */
  public int port() {
    if (listener == null) {
      throw new IllegalStateException("not started");
    }
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** Connections that were closed to protect the server. Thread-safe. */
  public ChannelCounters counters() {
    return room.counters();
  }

  /** Bytes that wait to be sent to all connections now. Thread-safe. */
  public long outboundBytes() {
    return budget.waitingBytes();
  }

  private void accepted(SocketChannel channel) {
    InetSocketAddress address = channel.remoteAddress();
    if (address == null) {
      Peer.closeNow(channel);
      return;
    }
    Peer peer = new Peer(channel, address, budget, room.counters());
    String refusal = caps.admit(address.getAddress());
    if (refusal != null) {
      room.counters().messages().connectionRefused();
      room.log()
          .report(
              Severity.WARN,
              peer.host(),
              "connection from " + peer.name() + " refused: " + refusal,
              null);
      Peer.closeNow(channel);
      return;
    }
    peers.add(peer);
    peer.messages().opened();
    budget.opened(peer);
    InboundBudget.Share unfinished = inbound.opened(peer::leaveUnfinished);
    channel
        .closeFuture()
        .addListener(
            closed -> {
              peers.remove(peer);
              peer.messages().closed();
              budget.closed(peer);
              unfinished.close();
              caps.release(address.getAddress());
            });
    HandshakeTurns turns =
        handshakes.computeIfAbsent(channel.eventLoop(), loop -> new HandshakeTurns());
    MessageDecoder decoder =
        new MessageDecoder(
            MessageDecoder.DEFAULT_MAX_HELLO_BYTES,
            PacketInReader::read,
            TableFeaturesReader::read);
    channel
        .pipeline()
        .addLast("decoder", decoder)
        .addLast(
            "unfinished",
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelReadComplete(ChannelHandlerContext context) {
                unfinished.read(decoder.messages(), decoder.unfinishedBytes(), System.nanoTime());
                context.fireChannelReadComplete();
              }
            })
        .addLast("encoder", encoder)
        .addLast("handshake", new HandshakeHandler(room, peer, decoder, turns));
    if (!room.access().isAnyone()) {
      strangerCame(peer);
      channel
          .pipeline()
          .addFirst("entry", new EntryHandler(room, peer, () -> strangers.leave(peer)));
    }
  }

  /** Counts a new connection as a stranger. Where there are too many, it closes another one. */
  private void strangerCame(Peer peer) {
    Peer displaced = strangers.enter(peer, peer.host());
    if (displaced != null) {
      displaced.close(Severity.WARN, "too many connections do not show which switch they are");
    }
    peer.channel().closeFuture().addListener(closed -> strangers.leave(peer));
  }

  /** Stops to listen, closes all connections and waits up to {@value #STOP_SECONDS} seconds. */
  @Override
  public void close() {
    if (listener != null) {
      listener.close().awaitUninterruptibly();
      listener = null;
    }
    peers.forEach(peer -> peer.close(Severity.INFO, "this controller stops"));
    peers.forEach(
        peer -> peer.channel().closeFuture().awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS));
    stop(acceptor);
    stop(workers);
    acceptor = null;
    workers = null;
  }

  private static void stop(@Nullable EventLoopGroup group) {
    if (group != null) {
      group
          .shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
          .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
    }
  }
}
