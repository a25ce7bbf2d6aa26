package io.lockstep.bench.openflow;

import static io.lockstep.bench.openflow.SwitchPersona.FACTORY;

import io.lockstep.openflow.codec.Hello;
import io.lockstep.openflow.codec.MessageDecoder;
import io.lockstep.openflow.codec.MessageEncoder;
import io.lockstep.openflow.codec.OpenFlowVersions;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFType;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;

/** A controller of one screen: a learning switch, a hub, or a slave, on one event loop. */
final class TinyController implements AutoCloseable {
  /** What it does. */
  enum Manner {
    LEARN,
    FLOOD,
    SLAVE
  }

  private final NioEventLoopGroup group = new NioEventLoopGroup(1);
  private final Manner manner;
  private final AtomicLong packetIns = new AtomicLong();
  private final CountDownLatch slaveOf = new CountDownLatch(4);
  private volatile boolean silent;
  private volatile int mostOutstanding;
  private final Channel server;

  private TinyController(Manner manner, InetSocketAddress address) throws InterruptedException {
    this.manner = manner;
    this.server =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    MessageDecoder decoder = new MessageDecoder();
                    channel.pipeline().addLast(decoder, new MessageEncoder(), new Session(decoder));
                  }
                })
            .bind(address)
            .sync()
            .channel();
  }

  static TinyController listen(Manner manner) throws Exception {
    return listen(manner, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  static TinyController listen(Manner manner, InetSocketAddress address) throws Exception {
    return new TinyController(manner, address);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) server.localAddress();
  }

  long packetIns() {
    return packetIns.get();
  }

  /** The most packet-ins that came at once from one switch. */
  int mostOutstanding() {
    return mostOutstanding;
  }

  /** From now on packet-ins are not answered. */
  void fallSilent() {
    silent = true;
  }

  /** Waits until all of the plan's switches agreed to this controller's being a slave. */
  void awaitSlaveOf(int switches) throws InterruptedException {
    if (switches != 4 || !slaveOf.await(30, TimeUnit.SECONDS)) {
      throw new AssertionError("not the slave of " + switches + " switches");
    }
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private final class Session extends ChannelInboundHandlerAdapter {
    private final MessageDecoder decoder;
    private final Map<MacAddress, OFPort> ports = new HashMap<>();
    private int read;

    Session(MessageDecoder decoder) {
      this.decoder = decoder;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      write(context, Hello.offering(1, OpenFlowVersions.SUPPORTED));
      context.flush();
    }

    /** The end of the pipeline logs a failure. */
    private static void write(ChannelHandlerContext context, Object message) {
      context.write(message).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Hello) {
        decoder.negotiated(OFVersion.OF_13);
        write(context, FACTORY.buildFeaturesRequest().setXid(1).build());
        if (manner == Manner.SLAVE) {
          write(
              context,
              FACTORY
                  .buildRoleRequest()
                  .setXid(2)
                  .setRole(OFControllerRole.ROLE_SLAVE)
                  .setGenerationId(U64.of(1))
                  .build());
        }
      } else if (message instanceof OFPacketIn packetIn) {
        packetIns.incrementAndGet();
        mostOutstanding = Math.max(mostOutstanding, ++read);
        if (!silent && manner != Manner.SLAVE) {
          packetIn(context, packetIn);
        }
      } else if (message instanceof OFMessage other && other.getType() == OFType.ROLE_REPLY) {
        slaveOf.countDown();
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      read = 0;
      context.flush();
    }

    private void packetIn(ChannelHandlerContext context, OFPacketIn packetIn) {
      byte[] frame = packetIn.getData();
      MacAddress destination = MacAddress.of(Arrays.copyOfRange(frame, 0, 6));
      MacAddress source = MacAddress.of(Arrays.copyOfRange(frame, 6, 12));
      OFPort inPort = packetIn.getMatch().get(MatchField.IN_PORT);
      ports.put(source, inPort);
      OFPort port = manner == Manner.LEARN ? ports.get(destination) : null;
      List<OFAction> actions =
          List.of(FACTORY.actions().output(port == null ? OFPort.FLOOD : port, 0xffff));
      if (port != null) {
        write(
            context,
            FACTORY
                .buildFlowAdd()
                .setIdleTimeout(10)
                .setBufferId(OFBufferId.NO_BUFFER)
                .setMatch(
                    FACTORY
                        .buildMatch()
                        .setExact(MatchField.ETH_SRC, source)
                        .setExact(MatchField.ETH_DST, destination)
                        .build())
                .setInstructions(List.of(FACTORY.instructions().applyActions(actions)))
                .build());
      }
      write(
          context,
          FACTORY
              .buildPacketOut()
              .setBufferId(OFBufferId.NO_BUFFER)
              .setInPort(inPort)
              .setActions(actions)
              .setData(frame)
              .build());
    }
  }
}
