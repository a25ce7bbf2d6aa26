package io.lockstep.bench.openflow;

import io.lockstep.openflow.codec.MessageDecoder;
import io.lockstep.openflow.codec.MessageEncoder;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One played switch with its connections to all controllers; a lost connection is opened anew after
 * {@link #RECONNECT_MILLIS}. Its hosts answer ARP requests. Owned by the event loop.
 */
final class PlayedSwitch {
  static final int RECONNECT_MILLIS = 250;
  private static final int CONNECT_TIMEOUT_MILLIS = 3000;
  private static final int FIRST_PORT = 1024;
  private static final int LAST_PORT = 0xffff;
  private static final MessageEncoder ENCODER = new MessageEncoder();
  private static final AnswerReader ANSWERS = new AnswerReader();

  /** Hears of what concerns the load. */
  interface Listener {
    /** A packet-out or flow-mod came that may answer a packet-in. */
    void answered(int switchIndex, Answer answer);

    /** All that was readable has been told. */
    void readComplete();

    /** The switch failed, and plays no more. */
    void failed(Throwable cause);
  }

  private final LoadPlan plan;
  private final int index;
  private final EventLoop loop;
  private final Listener listener;
  private final SwitchPersona persona;
  private final List<SwitchChannel> channels = new ArrayList<>();
  private @Nullable IntConsumer relayed;

  /** The port of the last connection of each host; no port is used twice. */
  private final int[] nextPort;

  private long connectionsLost;
  private boolean closed;

  PlayedSwitch(LoadPlan plan, int index, EventLoop loop, Listener listener) {
    this.plan = plan;
    this.index = index;
    this.loop = loop;
    this.listener = listener;
    this.persona = new SwitchPersona(plan, index);
    this.nextPort = new int[plan.hosts()];
  }

  SwitchPersona persona() {
    return persona;
  }

  /** Connects, and stays connected until {@link #close}. */
  void connect(InetSocketAddress controller) {
    if (closed) {
      return;
    }
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    initialize(channel, controller);
                  }
                });
    ChannelFuture connecting = bootstrap.connect(controller);
    connecting.addListener(
        done -> {
          if (done.isSuccess()) {
            connecting.channel().closeFuture().addListener(gone -> reconnect(controller));
          } else {
            reconnect(controller);
          }
        });
  }

  private void initialize(SocketChannel channel, InetSocketAddress controller) {
    MessageDecoder decoder = new MessageDecoder(MessageDecoder.DEFAULT_MAX_HELLO_BYTES, ANSWERS);
    String name = String.format("switch %016x at %s", plan.dpid(index), controller);
    channel.pipeline().addLast(decoder, ENCODER, new SwitchChannel(this, decoder, name));
  }

  private void reconnect(InetSocketAddress controller) {
    if (!closed) {
      loop.schedule(() -> connect(controller), RECONNECT_MILLIS, TimeUnit.MILLISECONDS)
          .addListener(this::reportFailure);
    }
  }

  /** The end of the event loop cancels tasks. */
  private void reportFailure(Future<?> task) {
    if (!task.isSuccess() && !task.isCancelled()) {
      listener.failed(task.cause());
    }
  }

  /** Whether some controller would hear a packet-in now. */
  boolean isHeard() {
    for (SwitchChannel channel : channels) {
      if (channel.hearsPacketIns()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Sends a packet-in to each controller that hears it: the master, and all equals.
   *
   * @param destination a host, {@link LoadPlan#VIRTUAL} for a new connection to the virtual IP, or
   *     -1 to announce {@code source}
   */
  void packetIn(int source, int destination, int xid) {
    if (destination == LoadPlan.VIRTUAL) {
      // Tables are emptied long before a client has used all its ports.
      int next = nextPort[source] + 1;
      nextPort[source] = next < FIRST_PORT || next > LAST_PORT ? FIRST_PORT : next;
    }
    for (SwitchChannel channel : channels) {
      if (channel.hearsPacketIns()) {
        ByteBuf bytes = ByteBufAllocator.DEFAULT.ioBuffer(128);
        if (destination < 0) {
          PacketIns.announcement(bytes, plan, index, source, xid);
        } else if (destination == LoadPlan.VIRTUAL) {
          PacketIns.syn(bytes, plan, index, source, nextPort[source], xid);
        } else {
          PacketIns.flow(bytes, plan, index, source, destination, xid);
        }
        channel.write(bytes);
      }
    }
  }

  /** Sends further messages to each controller that hears packet-ins, as many as it takes. */
  void inject(Injection injection) {
    for (SwitchChannel channel : channels) {
      if (channel.hearsPacketIns()) {
        for (int i = 0; channel.isWritable() && i < injection.perTick(); i++) {
          ByteBuf bytes = ByteBufAllocator.DEFAULT.ioBuffer(128);
          injection.message().accept(bytes);
          channel.write(bytes);
        }
        channel.flush();
      }
    }
  }

  /** Forgets the permanent entries; how many there were. */
  int loseEntries() {
    return persona.loseEntries();
  }

  /**
   * From now on link probes that leave through one port come in at the next; null ends it.
   *
   * @param next is told the bytes of each message
   */
  void relayProbes(@Nullable IntConsumer next) {
    relayed = next;
  }

  void probed(Probe probe) {
    answered(probe.answer());
    if (!probe.asksForLink()) {
      hostAsked(probe);
      return;
    }
    IntConsumer relay = relayed;
    if (relay == null) {
      return;
    }
    int inPort = (int) (1 + probe.answer().outPort() % plan.ports());
    for (SwitchChannel channel : channels) {
      if (channel.hearsPacketIns()) {
        ByteBuf bytes = ByteBufAllocator.DEFAULT.ioBuffer(128);
        PacketIns.frame(bytes, inPort, probe.frame(), 1);
        relay.accept(bytes.readableBytes());
        channel.write(bytes);
      }
    }
  }

  /** A host that is asked for its address, at its own port, answers at once. */
  private void hostAsked(Probe probe) {
    int host = plan.host(index, probe.answer().destination());
    if (host < 0
        || probe.answer().outPort() != plan.port(host)
        || !probe.asksFor(plan.ip(index, host))) {
      return;
    }
    for (SwitchChannel channel : channels) {
      if (channel.hearsPacketIns()) {
        ByteBuf bytes = ByteBufAllocator.DEFAULT.ioBuffer(128);
        PacketIns.arpReply(bytes, plan, index, host, probe.answer().source(), 1);
        channel.write(bytes);
      }
    }
  }

  void flush() {
    for (SwitchChannel channel : channels) {
      channel.flush();
    }
  }

  /** Ends all connections; they are opened anew. */
  void reconnect() {
    List.copyOf(channels).forEach(SwitchChannel::close);
  }

  /** Connections that were open and are not any more. */
  long connectionsLost() {
    return connectionsLost;
  }

  /** From now on lost connections stay lost; the event loop's end closes the others. */
  void close() {
    closed = true;
  }

  void connected(SwitchChannel channel) {
    channels.add(channel);
  }

  void disconnected(SwitchChannel channel) {
    channels.remove(channel);
    if (!closed) {
      connectionsLost++;
    }
  }

  void answered(Answer answer) {
    listener.answered(index, answer);
  }

  void readComplete() {
    listener.readComplete();
  }
}
