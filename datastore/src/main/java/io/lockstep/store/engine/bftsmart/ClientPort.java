package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.client.CommunicationSystemServerSide;
import bftsmart.communication.client.RequestReceiver;
import bftsmart.tom.core.messages.TOMMessage;
import io.lockstep.keys.HalfOpen;
import io.lockstep.store.engine.ChangeHints;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.bftsmart.ClientReplies.Outgoing;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.Decision;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port for clients. A request frame is (client, session, sequence, bytes), decoded by {@link
 * RequestFrameDecoder}. A reply frame is (session, sequence, regency, instance, chain hash, bytes),
 * encoded by {@link ClientReplies}. {@link
 * io.lockstep.store.engine.bftsmart.library.ClientSideFactoryStandIn} lists the faults of the
 * library's port (hazards 2 and 11). A client may also follow tables ({@link FollowFrame}) and gets
 * hints then ({@link ClientHints}).
 *
 * <p>While the replica recovers, it drops requests: other replicas answer them.
 *
 * <p>Threads: the replica's loop. The thread that finds a decision durable sends its replies.
 */
final class ClientPort implements CommunicationSystemServerSide, OrderedState.Replies {
  private static final Logger log = LoggerFactory.getLogger(ClientPort.class);
  private static final long STALLED_MILLIS = 10_000;
  private static final long CHECK_MILLIS = 100;
  private static final int MAX_STRANGERS = 128;

  /** Clients that follow tables; further ones have to ask. */
  static final int MAX_FOLLOWING = 64;

  /**
   * Largest read from a socket: the most that a connection costs while its request finds no room.
   */
  private static final int READ_BYTES = 16 << 10;

  private final ReplicaConfig config;
  private final EventLoop loop;
  private final Consumer<ClientRequest> receiver;
  private final Map<Long, ClientReplies> sessions = new ConcurrentHashMap<>();
  private final AtomicInteger connections = new AtomicInteger();

  /** Connections before their handshake. */
  private final HalfOpen<Channel> strangers = new HalfOpen<>(MAX_STRANGERS);

  private final RefusalLog refusals;
  private final ReplyBudgets replyBudgets;
  private final RequestBudgets requestBudgets;
  private volatile boolean accepting;

  /** Held while replies are sent, so that the loop outlives that. */
  private final Object sending = new Object();

  /** Guarded by {@link #sending}. */
  private boolean ended;

  /** Set before the port is opened. */
  private ChangeHints hints = ChangeHints.NONE;

  /** Connections that follow tables. Owned by the loop. */
  private int following;

  /**
   * @param receiver takes requests, on the loop
   */
  ClientPort(ReplicaConfig config, EventLoop loop, Consumer<ClientRequest> receiver) {
    this(config, loop, receiver, STALLED_MILLIS);
  }

  /**
   * Like the other constructor, with another bound on how long a client may leave replies unread.
   */
  ClientPort(
      ReplicaConfig config, EventLoop loop, Consumer<ClientRequest> receiver, long stalledMillis) {
    this.config = config;
    this.loop = loop;
    this.receiver = receiver;
    this.replyBudgets =
        new ReplyBudgets(config.limits().maxQueuedBytes(), stalledMillis, System::nanoTime);
    this.requestBudgets =
        new RequestBudgets(config.limits().maxPendingBytes(), loop, System::nanoTime);
    requestBudgets.onWaiting(
        new NeededLook(loop, "checking for stalled requests", CHECK_MILLIS, this::checkRequests)
            ::needed);
    replyBudgets.onWatched(
        new NeededLook(loop, "checking for unread replies", CHECK_MILLIS, this::checkReplies)
            ::needed);
    this.refusals = new RefusalLog(log, "replica " + config.replicaId() + " refuses client");
  }

  /**
   * Binds the port.
   *
   * @throws IllegalStateException naming the address if it cannot be bound
   */
  void open() {
    Member self = config.self();
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(
                ChannelOption.RCVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(512, 2048, READ_BYTES))
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    int most = config.limits().maxRequestBytes() + ClientConnection.HEADER_BYTES;
                    RequestFrameDecoder decoder =
                        new RequestFrameDecoder(config.replicaId(), most, requestBudgets);
                    LinkGuard guard = LinkGuard.serve(config.keys(), channel.pipeline());
                    channel.pipeline().addLast(decoder);
                    channel
                        .pipeline()
                        .addLast(new ClientConnection(ClientPort.this, decoder, guard));
                  }
                })
            .bind(self.host(), self.port())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IllegalStateException(
          "replica " + self.id() + " cannot bind " + self.host() + ":" + self.port(),
          bound.cause());
    }
  }

  private boolean checkRequests() {
    requestBudgets.tick();
    return requestBudgets.waiting() > 0;
  }

  private boolean checkReplies() {
    replyBudgets.tick();
    return replyBudgets.watches();
  }

  ReplicaConfig config() {
    return config;
  }

  /** On the event loop. */
  RefusalLog refusals() {
    return refusals;
  }

  /** Sets whether the port takes requests; false while the replica recovers. */
  void accept(boolean now) {
    accepting = now;
  }

  /**
   * On the event loop: a connection is there, of a client that is not known yet. If there are too
   * many, another one ends.
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

  /** Counts one more client, unless there are too many. */
  boolean admit() {
    if (connections.incrementAndGet() > config.limits().maxClientConnections()) {
      connections.decrementAndGet();
      return false;
    }
    return true;
  }

  void left() {
    connections.decrementAndGet();
  }

  /** Gives these hints to clients that follow tables; before {@link #open}. */
  void give(ChangeHints given) {
    hints = given;
  }

  /**
   * On the event loop: counts one more connection that follows tables, unless there are too many.
   */
  boolean admitFollower() {
    if (following >= MAX_FOLLOWING) {
      return false;
    }
    following++;
    return true;
  }

  /** On the event loop. */
  void followerLeft() {
    following--;
  }

  /** The hints of the service. */
  ChangeHints hints() {
    return hints;
  }

  /** On the event loop: sends the replies of this session to this client. */
  void bind(long session, ClientReplies client) {
    sessions.put(session, client);
  }

  /** On the event loop. */
  void unbind(long session, ClientReplies client) {
    sessions.remove(session, client);
  }

  /** On the event loop. */
  void received(ClientRequest request) {
    if (accepting) {
      receiver.accept(request);
    } else {
      request.leave();
    }
  }

  /** On the event loop. */
  RequestBudgets requestBudgets() {
    return requestBudgets;
  }

  /** Ignored: the library's receiver would wake its proposing thread; see {@link Proposals}. */
  @Override
  public void setRequestReceiver(RequestReceiver unused) {}

  @Override
  public void send(
      Decision decision, int regency, List<TOMMessage> requests, List<OrderedReply> replies) {
    IdentityHashMap<ClientReplies, List<Outgoing>> byClient = new IdentityHashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      TOMMessage request = requests.get(i);
      ClientReplies client = repliesOf(request.getSender(), request.getSession());
      if (replies.get(i).isDropped()) {
        replyBudgets.dropped();
      } else if (client != null) {
        byClient
            .computeIfAbsent(client, any -> new ArrayList<>())
            .add(
                new Outgoing(
                    decision,
                    regency,
                    request.getSession(),
                    request.getSequence(),
                    replies.get(i)));
      }
    }
    synchronized (sending) {
      // An ended replica's log still runs what waited for the disk. Clients ask the others.
      if (!ended) {
        byClient.forEach(ClientReplies::send);
      }
    }
  }

  /**
   * Sends no reply from now on, since the loop ends. Returns when none is being sent. Any thread.
   */
  void end() {
    accepting = false;
    synchronized (sending) {
      ended = true;
    }
  }

  /** The client that gets replies of this session, null if it has disconnected. Any thread. */
  @Nullable ClientReplies repliesOf(int client, int session) {
    return sessions.get(ClientConnection.sessionKey(client, session));
  }

  /** The bounds on the replies to all clients. */
  ReplyBudgets replyBudgets() {
    return replyBudgets;
  }

  /**
   * Ignored: the library sends replies one by one, {@link #send(Decision, int, List, List)} in
   * groups.
   */
  @Override
  public void send(int[] targets, TOMMessage message, boolean serializeClassHeaders) {}

  @Override
  public int[] getClients() {
    return new int[0];
  }

  /** Does nothing: the owner of the loop ends it, and with it the connections. */
  @Override
  public void shutdown() {}
}
