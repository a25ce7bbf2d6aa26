package io.lockstep.openflow.channel;

import io.lockstep.openflow.codec.Hello;
import io.lockstep.openflow.codec.MessageDecoder;
import io.lockstep.openflow.codec.MessageEncoder;
import io.lockstep.openflow.codec.OpenFlowVersions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.projectfloodlight.openflow.protocol.OFBarrierRequest;
import org.projectfloodlight.openflow.protocol.OFDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFeaturesRequest;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketInReason;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFPortFeatures;
import org.projectfloodlight.openflow.protocol.OFTableFeaturesStatsRequest;
import org.projectfloodlight.openflow.protocol.OFTableStatsEntry;
import org.projectfloodlight.openflow.protocol.OFTableStatsRequest;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.DatapathId;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFAuxId;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;

/**
 * A switch that does what its test says, over a real socket. It reads only while the test waits for
 * a message, and answers echos meanwhile.
 */
final class ScriptedSwitch implements AutoCloseable {
  static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);
  static final OFFactory OF10 = OFFactories.getFactory(OFVersion.OF_10);
  static final int PATIENCE_MILLIS = 60_000;

  private final Socket socket;
  private final MessageDecoder decoder = new MessageDecoder();
  private final EmbeddedChannel inbound = new EmbeddedChannel(decoder);
  private final byte[] chunk = new byte[65_536];
  private boolean answersEchos = true;
  private OFFactory spoken = OF;

  private ScriptedSwitch(Socket socket) {
    this.socket = socket;
  }

  /** Over a socket that is connected, such as one of TLS. */
  static ScriptedSwitch over(Socket socket) {
    return new ScriptedSwitch(socket);
  }

  /** Connects from a loopback address. */
  static ScriptedSwitch connect(int port) {
    return connect(port, 1, 0);
  }

  private static InetAddress loopback(int host) throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) host});
  }

  /** Connects from 127.0.0.host; a receive buffer of 0 bytes leaves it to the system. */
  static ScriptedSwitch connect(int port, int host, int receiveBufferBytes) {
    ScriptedSwitch created = new ScriptedSwitch(new Socket());
    try {
      if (receiveBufferBytes > 0) {
        created.socket.setReceiveBufferSize(receiveBufferBytes);
      }
      created.socket.bind(new InetSocketAddress(loopback(host), 0));
      created.socket.connect(new InetSocketAddress(loopback(1), port), PATIENCE_MILLIS);
      created.socket.setTcpNoDelay(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return created;
  }

  ScriptedSwitch withoutEchoReplies() {
    answersEchos = false;
    return this;
  }

  void send(Object... messages) {
    ByteBuf bytes = Unpooled.buffer();
    for (Object message : messages) {
      MessageEncoder.encode(message, bytes);
    }
    sendRaw(ByteBufUtil.getBytes(bytes));
  }

  void sendHex(String hex) {
    sendRaw(ByteBufUtil.decodeHexDump(hex.replace(" ", "")));
  }

  void sendRaw(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the next message of a type; others are dropped, echos answered. */
  <T> T await(Class<T> type) {
    long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
    while (System.nanoTime() < deadline) {
      Object message = inbound.readInbound();
      if (message == null) {
        if (!read(deadline)) {
          throw new AssertionError("closed while waiting for " + type.getSimpleName());
        }
        continue;
      }
      if (answersEchos && message instanceof OFEchoRequest echo) {
        send(spoken.buildEchoReply().setXid(echo.getXid()).setData(echo.getData()).build());
      }
      if (type.isInstance(message)) {
        return type.cast(message);
      }
    }
    throw new AssertionError("no " + type.getSimpleName() + " in " + PATIENCE_MILLIS + " ms");
  }

  /** Waits until the controller closes the connection; returns what it sent before. */
  List<Object> awaitClosed() {
    List<Object> messages = new ArrayList<>();
    long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
    while (true) {
      Object message = inbound.readInbound();
      if (message != null) {
        messages.add(message);
      } else if (!read(deadline)) {
        return messages;
      } else if (System.nanoTime() >= deadline) {
        throw new AssertionError("still open after " + PATIENCE_MILLIS + " ms");
      }
    }
  }

  /** Reads some bytes; false where the connection is closed. */
  private boolean read(long deadlineNanos) {
    try {
      long left = Math.max(1, (deadlineNanos - System.nanoTime()) / 1_000_000L);
      socket.setSoTimeout((int) left);
      int count = socket.getInputStream().read(chunk);
      if (count < 0) {
        return false;
      }
      inbound.writeInbound(Unpooled.copiedBuffer(chunk, 0, count));
      return true;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Agrees on OpenFlow 1.3. */
  ScriptedSwitch hello() {
    send(Hello.offering(1, OpenFlowVersions.SUPPORTED));
    await(Hello.class);
    decoder.negotiated(OFVersion.OF_13);
    return this;
  }

  /** The whole handshake, with two ports. */
  ScriptedSwitch handshake(long dpid) {
    hello();
    features(dpid);
    ports();
    describe();
    return this;
  }

  /** Agrees on OpenFlow 1.0, as a switch that knows nothing else. */
  ScriptedSwitch hello10() {
    sendHex("0100000800000001");
    await(Hello.class);
    decoder.negotiated(OFVersion.OF_10);
    spoken = OF10;
    return this;
  }

  /** The whole handshake in OpenFlow 1.0, with two ports. */
  ScriptedSwitch handshake10(long dpid) {
    hello10();
    long xid = await(OFFeaturesRequest.class).getXid();
    send(
        OF10.buildFeaturesReply()
            .setXid(xid)
            .setDatapathId(DatapathId.of(dpid))
            .setNTables((short) 1)
            .setPorts(List.of(port10(1), port10(2)))
            .build());
    long described = await(OFDescStatsRequest.class).getXid();
    send(OF10.buildDescStatsReply().setXid(described).setMfrDesc("old").build());
    long asked = await(OFTableStatsRequest.class).getXid();
    OFTableStatsEntry table =
        OF10.buildTableStatsEntry()
            .setName("flows")
            .setWildcards(0x3f_ffff)
            .setMaxEntries(64)
            .build();
    send(OF10.buildTableStatsReply().setXid(asked).setEntries(List.of(table)).build());
    return this;
  }

  static OFPortDesc port10(int number) {
    return OF10.buildPortDesc()
        .setPortNo(OFPort.of(number))
        .setHwAddr(MacAddress.of(number))
        .setName("p" + number)
        .setCurr(EnumSet.of(OFPortFeatures.PF_100MB_FD))
        .build();
  }

  /** Takes a role request's barrier and answers it. */
  void answerBarrier() {
    send(OF10.buildBarrierReply().setXid(await(OFBarrierRequest.class).getXid()).build());
  }

  void features(long dpid) {
    long xid = await(OFFeaturesRequest.class).getXid();
    send(featuresReply(xid, dpid, OFAuxId.MAIN));
  }

  static OFMessage featuresReply(long xid, long dpid, OFAuxId auxiliaryId) {
    return OF.buildFeaturesReply()
        .setXid(xid)
        .setDatapathId(DatapathId.of(dpid))
        .setNTables((short) 4)
        .setAuxiliaryId(auxiliaryId)
        .build();
  }

  void ports() {
    long xid = await(OFPortDescStatsRequest.class).getXid();
    send(OF.buildPortDescStatsReply().setXid(xid).setEntries(List.of(port(1), port(2))).build());
  }

  static OFPortDesc port(int number) {
    return OF.buildPortDesc()
        .setPortNo(OFPort.of(number))
        .setHwAddr(MacAddress.of(number))
        .setName("p" + number)
        .setCurrSpeed(1_000_000)
        .build();
  }

  /** Describes itself, but not its tables. */
  void describe() {
    describeWithoutTables();
    long asked = await(OFTableFeaturesStatsRequest.class).getXid();
    sendHex(String.format("0401000c%08x00010002", asked)); // BAD_REQUEST, BAD_MULTIPART
  }

  /** Describes itself; the question for its tables is not answered. */
  void describeWithoutTables() {
    long xid = await(OFDescStatsRequest.class).getXid();
    send(
        OF.buildDescStatsReply()
            .setXid(xid)
            .setMfrDesc("tests")
            .setHwDesc("script")
            .setSwDesc("1.0")
            .setSerialNum("7")
            .setDpDesc("scripted")
            .build());
  }

  static OFMessage packetIn(int inPort, byte[] frame) {
    return OF.buildPacketIn()
        .setBufferId(OFBufferId.NO_BUFFER)
        .setTotalLen(frame.length)
        .setReason(OFPacketInReason.NO_MATCH)
        .setTableId(TableId.ZERO)
        .setMatch(OF.buildMatch().setExact(MatchField.IN_PORT, OFPort.of(inPort)).build())
        .setData(frame)
        .build();
  }

  /** Sends a packet-in and waits for the answer of {@link RecordingObserver#answering}. */
  void assertServed() {
    byte[] frame = {1, 2, 3, (byte) System.nanoTime()};
    send(packetIn(2, frame));
    OFPacketOut answer = await(OFPacketOut.class);
    if (!java.util.Arrays.equals(answer.getData(), frame)) {
      throw new AssertionError("another frame came back");
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    inbound.finishAndReleaseAll();
  }
}
