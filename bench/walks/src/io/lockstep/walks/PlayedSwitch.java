package io.lockstep.walks;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFBadRequestCode;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketInReason;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFRoleRequest;
import org.projectfloodlight.openflow.protocol.OFStatsRequest;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.DatapathId;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFErrorCauseData;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/**
 * As much of an OpenFlow 1.3 switch as a node needs to master it. It keeps no entries. The switches
 * of {@code dataplane} belong to the product, so their files would count as well.
 *
 * <p>One thread reads; any thread may send.
 */
final class PlayedSwitch implements AutoCloseable {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);
  private static final int PORTS = 4;

  private final long dpid;
  private final Socket socket;
  private final OutputStream out;
  private volatile @Nullable Expected expected;

  private record Expected(
      Predicate<OFMessage> last, Runnable onLast, CompletableFuture<Void> seen) {}

  private PlayedSwitch(long dpid, Socket socket) throws IOException {
    this.dpid = dpid;
    this.socket = socket;
    out = socket.getOutputStream();
  }

  /** A switch that greets the controller and answers it from now on. */
  static PlayedSwitch connect(long dpid, InetSocketAddress controller) throws IOException {
    Socket socket = new Socket(controller.getAddress(), controller.getPort());
    socket.setTcpNoDelay(true);
    PlayedSwitch connected = new PlayedSwitch(dpid, socket);
    connected.send(OF.buildHello().build());
    Thread reader = new Thread(connected::read, "played-switch");
    reader.setDaemon(true);
    reader.start();
    return connected;
  }

  /** Hands a frame to the controller. */
  void packetIn(int port, byte[] frame) throws IOException {
    send(
        OF.buildPacketIn()
            .setBufferId(OFBufferId.NO_BUFFER)
            .setTotalLen(frame.length)
            .setReason(OFPacketInReason.NO_MATCH)
            .setTableId(TableId.ZERO)
            .setCookie(U64.ZERO)
            .setMatch(OF.buildMatch().setExact(MatchField.IN_PORT, OFPort.of(port)).build())
            .setData(frame)
            .build());
  }

  /**
   * Waits for a message of the controller.
   *
   * @param last sees all messages in order, and accepts the one that is waited for
   * @param onLast runs in the reading thread as soon as that one is read
   */
  CompletableFuture<Void> expect(Predicate<OFMessage> last, Runnable onLast) {
    Expected next = new Expected(last, onLast, new CompletableFuture<>());
    expected = next;
    return next.seen();
  }

  private void read() {
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        byte[] header = in.readNBytes(4);
        if (header.length < 4) {
          return;
        }
        ByteBuf message = Unpooled.buffer().writeBytes(header);
        message.writeBytes(in.readNBytes(message.getUnsignedShort(2) - header.length));
        OFMessage parsed = OFFactories.getGenericReader().readFrom(message);
        compare(parsed);
        answer(parsed);
      }
    } catch (IOException | OFParseError | RuntimeException e) {
      Expected waiting = expected;
      if (waiting != null) {
        waiting.seen().completeExceptionally(e);
      }
    }
  }

  private void compare(OFMessage message) {
    Expected waiting = expected;
    if (waiting != null && waiting.last().test(message)) {
      expected = null;
      waiting.onLast().run();
      waiting.seen().complete(null);
    }
  }

  private void answer(OFMessage request) throws IOException {
    long xid = request.getXid();
    switch (request.getType()) {
      case ECHO_REQUEST -> send(OF.buildEchoReply().setXid(xid).build());
      case BARRIER_REQUEST -> send(OF.buildBarrierReply().setXid(xid).build());
      case FEATURES_REQUEST ->
          send(
              OF.buildFeaturesReply()
                  .setXid(xid)
                  .setDatapathId(DatapathId.of(dpid))
                  .setNTables((short) 1)
                  .setCapabilities(Set.of())
                  .build());
      case ROLE_REQUEST -> {
        OFRoleRequest role = (OFRoleRequest) request;
        send(
            OF.buildRoleReply()
                .setXid(xid)
                .setRole(role.getRole())
                .setGenerationId(role.getGenerationId())
                .build());
      }
      case STATS_REQUEST -> send(statistics((OFStatsRequest<?>) request));
      default -> {}
    }
  }

  private static OFMessage statistics(OFStatsRequest<?> request) {
    long xid = request.getXid();
    return switch (request.getStatsType()) {
      case DESC -> OF.buildDescStatsReply().setXid(xid).build();
      case FLOW -> OF.buildFlowStatsReply().setXid(xid).setEntries(List.of()).build();
      case PORT_DESC -> OF.buildPortDescStatsReply().setXid(xid).setEntries(ports()).build();
      default ->
          OF.errorMsgs()
              .buildBadRequestErrorMsg()
              .setXid(xid)
              .setCode(OFBadRequestCode.BAD_STAT)
              .setData(OFErrorCauseData.NONE)
              .build();
    };
  }

  private static List<OFPortDesc> ports() {
    return IntStream.rangeClosed(1, PORTS)
        .mapToObj(
            port ->
                OF.buildPortDesc()
                    .setPortNo(OFPort.of(port))
                    .setHwAddr(MacAddress.of(0x02_00_00_00_01_00L + port))
                    .setName("p" + port)
                    .build())
        .toList();
  }

  private void send(OFMessage message) throws IOException {
    ByteBuf buffer = Unpooled.buffer();
    message.writeTo(buffer);
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.readBytes(bytes);
    synchronized (out) {
      out.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
