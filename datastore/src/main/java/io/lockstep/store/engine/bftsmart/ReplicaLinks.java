package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import io.lockstep.keys.HalfOpen;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.engine.bftsmart.library.ReplicaTransport;
import io.lockstep.store.logging.BoundedLog;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.ConnectException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links between replicas: one TCP connection for each pair, dialled by the higher id, and
 * dialled again after a short delay when it ends. A link is closed if it stalls, is replaced, or
 * carries a malformed message. Other links are not affected. {@link
 * io.lockstep.store.engine.bftsmart.library.ServersCommunicationLayerStandIn} lists the library's
 * faults (hazards 6 and 7).
 *
 * <p>With keys ({@link ReplicaConfig#keys}) links are encrypted, and each end shows the certificate
 * of the very node whose replica it is. <b>Without keys they are neither authenticated nor
 * encrypted</b>: then only the other replicas may reach the port.
 *
 * <p>Threads: the replica's loop. Messages go to the replica's inbox, on the loop.
 */
final class ReplicaLinks implements ReplicaTransport {
  private static final Logger log = LoggerFactory.getLogger(ReplicaLinks.class);
  private static final BoundedLog boundedLog = BoundedLog.of(ReplicaLinks.class);
  private static final int MAX_STRANGERS = 64;
  private static final int FIRST_PROBE_MILLIS = 10;
  private static final int LAST_PROBE_MILLIS = 2_000;

  /** Silent links are looked for so often within the time that they may be silent. */
  private static final int CHECKS = 5;

  /** A check that is later than this says nothing. */
  private static final int LATE_MILLIS = 750;

  private static final int FRAME_BYTES = 128;

  private final ReplicaConfig config;
  private final MachineView machines;
  private final Consumer<String> onSuperseded;
  private final int requestVersion;
  private final EventLoop loop;
  private final Consumer<SystemMessage> inbox;
  private final PeerLink[] links;
  private final RefusalLog refusals;

  /** Accepted connections before their handshake. */
  private final HalfOpen<Channel> strangers = new HalfOpen<>(MAX_STRANGERS);

  /** The time of the last check for silent links. Owned by the event loop. */
  private long checkedNanos = System.nanoTime();

  private volatile boolean closed;

  private ReplicaLinks(
      ReplicaConfig config,
      MachineView machines,
      Consumer<String> onSuperseded,
      int requestVersion,
      EventLoop loop,
      Consumer<SystemMessage> inbox) {
    this.config = config;
    this.machines = machines;
    this.onSuperseded = onSuperseded;
    this.requestVersion = requestVersion;
    this.loop = loop;
    this.inbox = inbox;
    this.refusals =
        new RefusalLog(log, "replica " + config.replicaId() + " refuses a replica link with");
    this.links = new PeerLink[config.members().size()];
    for (int i = 0; i < links.length; i++) {
      links[i] = new PeerLink(i, config.limits().maxLinkBytes());
    }
  }

  /**
   * Binds this replica's port and starts to dial the replicas with lower ids.
   *
   * @param machines which machine is accepted behind each id
   * @param onSuperseded gets the reason why this machine must end: another one has taken its place
   * @param requestVersion of the service's requests; replicas with another one are refused
   * @param loop ends when the links are closed
   * @param inbox gets the messages of peers
   * @throws IllegalStateException naming the address if the port cannot be bound
   */
  static ReplicaLinks open(
      ReplicaConfig config,
      MachineView machines,
      Consumer<String> onSuperseded,
      int requestVersion,
      EventLoop loop,
      Consumer<SystemMessage> inbox) {
    ReplicaLinks links =
        new ReplicaLinks(config, machines, onSuperseded, requestVersion, loop, inbox);
    Member self = config.self();
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(links.pipeline(LinkHandler.ANYONE))
            .bind(self.host(), self.replicaPort())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      links.close();
      throw new IllegalStateException(
          "replica " + self.id() + " cannot bind " + self.host() + ":" + self.replicaPort(),
          bound.cause());
    }
    for (int peer = 0; peer < self.id(); peer++) {
      links.dial(peer);
    }
    LoggedFailures.every(
        loop, "checking for silent links", links.checkMillis(), links::closeSilentLinks);
    return links;
  }

  private ChannelInitializer<SocketChannel> pipeline(int expectedPeer) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(SocketChannel channel) {
        FrameDecoder decoder =
            new FrameDecoder(config.limits().maxFrameBytes(config.members().size()));
        ChannelPipeline pipeline = channel.pipeline();
        LinkGuard guard =
            expectedPeer == LinkHandler.ANYONE
                ? LinkGuard.serve(config.keys(), pipeline)
                : LinkGuard.dial(config.keys(), pipeline);
        pipeline.addLast(decoder);
        pipeline.addLast(new LinkHandler(ReplicaLinks.this, decoder, guard, expectedPeer));
      }
    };
  }

  private void dial(int peer) {
    if (closed) {
      return;
    }
    Member member = machines.address(peer);
    new Bootstrap()
        .group(loop)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 500)
        .handler(pipeline(peer))
        .connect(member.host(), member.replicaPort())
        .addListener(
            (ChannelFuture connected) -> {
              if (connected.isSuccess()) {
                connected.channel().closeFuture().addListener(closed -> redial(peer));
              } else {
                noteRefusal(peer, connected.cause());
                redial(peer);
              }
            });
  }

  /**
   * Checks whether a process listens at the address of a peer without a link that dials by itself.
   * The end of a process is visible only a moment after its connections end.
   */
  private void probe(int peer, int waitMillis) {
    if (closed || links[peer].channel() != null) {
      return;
    }
    Member member = machines.address(peer);
    new Bootstrap()
        .group(loop)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 500)
        .handler(new ChannelInboundHandlerAdapter())
        .connect(member.host(), member.replicaPort())
        .addListener(
            (ChannelFuture connected) -> {
              if (connected.isSuccess()) {
                LoggedFailures.close(connected.channel());
              } else {
                noteRefusal(peer, connected.cause());
              }
              if (!closed) {
                int next = Math.min(2 * waitMillis, LAST_PROBE_MILLIS);
                LoggedFailures.after(
                    loop, "probing replica " + peer, waitMillis, () -> probe(peer, next));
              }
            });
  }

  /**
   * Reports a refused connection: the machine answers and no process listens. A time-out shows
   * neither.
   */
  private void noteRefusal(int peer, Throwable cause) {
    if (links[peer].channel() == null
        && cause instanceof ConnectException
        && !(cause instanceof ConnectTimeoutException)
        && String.valueOf(cause.getMessage()).contains("refused")) {
      deliver(new PeerMessage(peer, new PeerNote.Refused()));
    }
  }

  private void redial(int peer) {
    if (!closed) {
      LoggedFailures.after(
          loop, "dialling replica " + peer, links[peer].redialMillis(), () -> dial(peer));
    }
  }

  @Override
  public void send(int[] targets, SystemMessage message) {
    ByteBuf frame = null;
    for (int target : targets) {
      if (target == config.replicaId()) {
        deliver(message);
      } else {
        if (frame == null) {
          frame = frame(message);
        }
        links[target].send(frame.retainedDuplicate());
      }
    }
    if (frame != null) {
      frame.release();
    }
  }

  /** About how many bytes of memory a message takes; 0 if few. */
  static int weight(SystemMessage message) {
    return message instanceof InstanceMessage consensus ? consensus.value().length : 0;
  }

  private static ByteBuf frame(SystemMessage message) {
    // Off the heap and once for all targets, since a socket would copy it there for each.
    ByteBuf frame = PooledByteBufAllocator.DEFAULT.directBuffer(FRAME_BYTES + weight(message));
    frame.writeInt(0);
    LinkCodec.encode(message, frame);
    frame.setInt(0, frame.readableBytes() - 4);
    return frame;
  }

  /** Puts a message into this replica's inbox. Any thread. */
  void deliver(SystemMessage message) {
    inbox.accept(message);
  }

  ReplicaConfig config() {
    return config;
  }

  int requestVersion() {
    return requestVersion;
  }

  /** On the event loop. */
  MachineView machines() {
    return machines;
  }

  /** On the event loop: another replica knows that this machine has been replaced. */
  void superseded(String why) {
    onSuperseded.accept(why);
  }

  /** On the event loop: whether messages of this channel count. */
  boolean counts(int peer, Channel channel) {
    return links[peer].channel() == channel;
  }

  /**
   * On the event loop: ends the links to machines that have been replaced, or that this replica
   * does not know of. The next dial uses the present addresses.
   */
  void refresh() {
    for (int peer = 0; peer < links.length; peer++) {
      Channel channel = links[peer].channel();
      LinkHandler handler = channel == null ? null : channel.pipeline().get(LinkHandler.class);
      String refusal = handler == null ? null : handler.unfit();
      if (peer != config.replicaId() && (handler == null || refusal != null)) {
        machines.deafen(peer);
      }
      if (channel != null && refusal != null) {
        refusals.report(
            channel.remoteAddress(),
            "replica " + config.replicaId() + " closes its link with replica " + peer + " at",
            refusal);
        lost(peer, channel);
        LoggedFailures.close(channel);
      }
    }
  }

  /** On the event loop. */
  RefusalLog refusals() {
    return refusals;
  }

  /**
   * On the event loop: an accepted connection is there, of a peer that is not known yet. If there
   * are too many, another one ends.
   */
  void strangerCame(Channel channel) {
    Channel displaced = strangers.enter(channel, RefusalLog.machine(channel.remoteAddress()));
    if (displaced != null) {
      refusals.report(displaced.remoteAddress(), RefusalLog.DISPLACED);
      LinkGuard.displaced(config.keys());
      LoggedFailures.abort(displaced);
    }
  }

  /** On the event loop: it is known now, or has ended. */
  void strangerLeft(Channel channel) {
    // It may have lost its place before.
    var unused = strangers.leave(channel);
  }

  /** On the event loop: a handshake succeeded, and messages of this peer follow. */
  void established(int peer, Channel channel) {
    Channel before = links[peer].use(channel);
    if (before != null) {
      LoggedFailures.close(before);
    }
    boundedLog.info(
        config.replicaId() + " " + peer,
        "replica {}: link to replica {} is up",
        config.replicaId(),
        peer);
    deliver(new PeerMessage(peer, new PeerNote.LinkUp()));
  }

  /** On the event loop. */
  void lost(int peer, Channel channel) {
    if (links[peer].lost(channel) && !closed) {
      boundedLog.info(
          config.replicaId() + " " + peer,
          "replica {}: link to replica {} is down",
          config.replicaId(),
          peer);
      deliver(new PeerMessage(peer, new PeerNote.LinkDown()));
      if (peer > config.replicaId()) {
        probe(peer, FIRST_PROBE_MILLIS);
      }
    }
  }

  private long checkMillis() {
    return config.timing().linkTimeoutMillis() / CHECKS;
  }

  private void closeSilentLinks() {
    long silentNanos = TimeUnit.MILLISECONDS.toNanos(config.timing().linkTimeoutMillis());
    long now = System.nanoTime();
    boolean late = now - checkedNanos > TimeUnit.MILLISECONDS.toNanos(checkMillis() + LATE_MILLIS);
    checkedNanos = now;
    if (late) {
      // The loop was late, so it has not read what has arrived meanwhile.
      return;
    }
    for (PeerLink link : links) {
      Channel channel = link.channel();
      if (channel != null) {
        LinkHandler handler = channel.pipeline().get(LinkHandler.class);
        if (handler != null && now - handler.lastReadNanos() > silentNanos) {
          LoggedFailures.abort(channel);
        }
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    // Does not fail: it completes when the loop has ended.
    var unused = loop.shutdownGracefully(0, 500, TimeUnit.MILLISECONDS);
  }
}
