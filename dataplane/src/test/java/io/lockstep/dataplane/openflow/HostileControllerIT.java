package io.lockstep.dataplane.openflow;

import static io.lockstep.dataplane.openflow.AgentFixture.OF;
import static io.lockstep.dataplane.openflow.AgentFixture.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.network.Await;
import io.lockstep.dataplane.openflow.ScriptedController.Session;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFBarrierReply;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;

/** Controllers that talk nonsense harm their own connection and nothing else. */
class HostileControllerIT {
  /** Requests of 32 KiB: 128 MiB in all. */
  private static final int OFFERED = 4096;

  private static final byte[] HELLO_13 = {4, 0, 0, 8, 0, 0, 0, 1};

  @Test
  void garbageClosesThatConnectionAndTheSwitchComesBack() {
    try (ScriptedController good = new ScriptedController();
        ScriptedController bad = new ScriptedController();
        AgentFixture fixture = new AgentFixture(QUICK, good.address(), bad.address())) {
      Session steady = good.nextSession();
      Random random = new Random(7);
      for (int round = 0; round < 5; round++) {
        Session victim = bad.nextSession();
        byte[] garbage = new byte[4096];
        random.nextBytes(garbage);
        // Another version, or a length below the header's: no decoder can go on from either.
        byte[] start = round % 2 == 0 ? new byte[] {4, 10, 0, 3} : new byte[] {77, 10, 0, 8};
        System.arraycopy(start, 0, garbage, 0, start.length);
        victim.send(Unpooled.wrappedBuffer(garbage));
        assertThat(victim.channel().closeFuture().awaitUninterruptibly(30, TimeUnit.SECONDS))
            .isTrue();
      }
      bad.nextSession();
      assertThat(steady.ask(OF.buildBarrierRequest())).isInstanceOf(OFBarrierReply.class);
      assertThat(good.accepted()).isEqualTo(1);
    }
  }

  /**
   * PBB_ISID (OXM field 37): a switch may leave the field out, and then says so (section 7.4.4).
   */
  @Test
  void matchOnAServiceInstanceIsRefusedAsAnUnknownField() {
    try (ScriptedController controller = new ScriptedController();
        AgentFixture fixture = new AgentFixture(QUICK, controller.address())) {
      Session session = controller.nextSession();
      byte[] exact = {(byte) 0x80, 0, 0x4a, 3, 0, 0x12, 0x34};
      byte[] masked = {(byte) 0x80, 0, 0x4b, 6, 0, 0x12, 0, 0, -1, 0};
      for (byte[] field : List.of(exact, masked)) {
        session.send(addOfBackbone(field));
        OFErrorMsg refusal = session.await(OFErrorMsg.class);
        assertThat(AgentFixture.error(refusal)).isEqualTo("BAD_MATCH 6");
        assertThat(refusal.getXid()).isEqualTo(77);
      }
      session.barrier();
      assertThat(controller.accepted()).as("it stays connected").isEqualTo(1);
    }
  }

  /** A field that the switch has, too short, too long, or with half a mask. */
  @Test
  void knownFieldOfAnotherLengthIsRefusedForItsLength() {
    byte[] shortType = {(byte) 0x80, 0, 0x0a, 1, 8};
    byte[] longType = {(byte) 0x80, 0, 0x0a, 3, 8, 0, 0};
    byte[] halfMask = {(byte) 0x80, 0, 0x07, 6, 0, 0, 0, 0, 0, 1};
    try (ScriptedController controller = new ScriptedController();
        AgentFixture fixture = new AgentFixture(QUICK, controller.address())) {
      Session session = controller.nextSession();
      for (byte[] field : List.of(shortType, longType, halfMask)) {
        assertThat(refusal(session, addOfBackbone(field))).isEqualTo("BAD_MATCH 1");
      }
      session.barrier();
      assertThat(controller.accepted()).as("it stays connected").isEqualTo(1);
    }
  }

  /** What is wrong with a field that an action sets is said of the action (section 7.4.4). */
  @Test
  void unknownFieldInAnActionIsRefusedAsABadAction() {
    byte[] serviceInstance = {(byte) 0x80, 0, 0x4a, 3, 0, 0x12, 0x34};
    byte[] vendor = {0, 1, 0x02, 4, 1, 2, 3, 4};
    byte[] longDscp = {(byte) 0x80, 0, 0x10, 2, 0, 7};
    byte[] maskedDscp = {(byte) 0x80, 0, 0x11, 2, 7, 7};
    try (ScriptedController controller = new ScriptedController();
        AgentFixture fixture = new AgentFixture(QUICK, controller.address())) {
      Session session = controller.nextSession();
      assertThat(refusal(session, addThatSets(serviceInstance))).isEqualTo("BAD_ACTION 13");
      assertThat(refusal(session, addThatSets(vendor))).isEqualTo("BAD_ACTION 13");
      assertThat(refusal(session, addThatSets(longDscp))).isEqualTo("BAD_ACTION 14");
      assertThat(refusal(session, addThatSets(maskedDscp))).isEqualTo("BAD_ACTION 15");
      assertThat(refusal(session, packetOutThatSets(serviceInstance))).isEqualTo("BAD_ACTION 13");
      session.barrier();
      assertThat(controller.accepted()).as("it stays connected").isEqualTo(1);
    }
  }

  private static String refusal(Session session, ByteBuf request) {
    session.send(request);
    return AgentFixture.error(session.await(OFErrorMsg.class));
  }

  /** A flow-mod that matches ETH_TYPE 0x800 and has one action. */
  private static ByteBuf addThatSets(byte[] field) {
    ByteBuf add = Unpooled.buffer();
    int actionBytes = actionBytes(field);
    add.writeByte(4).writeByte(14).writeShort(48 + 16 + 8 + actionBytes).writeInt(77);
    add.writeLong(0).writeLong(0).writeByte(0).writeByte(0).writeShort(0).writeShort(0);
    add.writeShort(5).writeInt(-1).writeInt(-1).writeInt(-1).writeShort(0).writeShort(0);
    add.writeShort(1).writeShort(10).writeInt(0x8000_0a02).writeShort(0x800).writeZero(6);
    add.writeShort(4).writeShort(8 + actionBytes).writeInt(0); // apply actions
    return writeAction(add, field);
  }

  private static ByteBuf packetOutThatSets(byte[] field) {
    ByteBuf out = Unpooled.buffer();
    int actionBytes = actionBytes(field);
    out.writeByte(4).writeByte(13).writeShort(24 + actionBytes).writeInt(77);
    out.writeInt(-1).writeInt(-3).writeShort(actionBytes).writeZero(6);
    return writeAction(out, field);
  }

  private static int actionBytes(byte[] field) {
    return (4 + field.length + 7) / 8 * 8;
  }

  private static ByteBuf writeAction(ByteBuf out, byte[] field) {
    out.writeShort(25).writeShort(actionBytes(field)).writeBytes(field);
    return out.writeZero(actionBytes(field) - 4 - field.length);
  }

  /** A flow-mod that matches ETH_TYPE 0x88e7 and one more field. */
  private static ByteBuf addOfBackbone(byte[] field) {
    ByteBuf add = Unpooled.buffer();
    int matchBytes = 4 + 6 + field.length;
    int padded = (matchBytes + 7) / 8 * 8;
    add.writeByte(4).writeByte(14).writeShort(48 + padded).writeInt(77);
    add.writeLong(0).writeLong(0).writeByte(0).writeByte(0).writeShort(0).writeShort(0);
    add.writeShort(5).writeInt(-1).writeInt(-1).writeInt(-1).writeShort(0).writeShort(0);
    add.writeShort(1).writeShort(matchBytes).writeInt(0x8000_0a02).writeShort(0x88e7);
    return add.writeBytes(field).writeZero(padded - matchBytes);
  }

  @Test
  void otherVersionIsRefusedWithAnError() throws IOException {
    try (RawController raw = new RawController();
        AgentFixture fixture = new AgentFixture(QUICK, raw.address())) {
      try (Socket socket = raw.accept()) {
        socket.getOutputStream().write(new byte[] {1, 0, 0, 8, 0, 0, 0, 9});
        byte[] answer = socket.getInputStream().readAllBytes(); // until the switch closes
        assertThat(answer[1]).as("HELLO first").isZero();
        int error = ((answer[2] & 0xff) << 8) | (answer[3] & 0xff);
        assertThat(answer[error]).isEqualTo((byte) 4);
        assertThat(answer[error + 1]).isEqualTo((byte) 1);
        assertThat(answer[error + 7]).as("xid").isEqualTo((byte) 9);
        assertThat(answer[error + 9]).as("HELLO_FAILED").isZero();
        assertThat(answer[error + 11]).as("INCOMPATIBLE").isZero();
      }
      raw.accept().close(); // it tries again
      assertThat(fixture.only().roles()).isEmpty();
    }
  }

  @Test
  void controllerWithoutHelloIsGivenUp() throws IOException {
    AgentSettings impatient = new AgentSettings(20, 100, 60_000, 300, 50, 60_000, 1 << 20);
    try (RawController raw = new RawController();
        AgentFixture fixture = new AgentFixture(impatient, raw.address());
        Socket noHello = raw.accept()) {
      assertThat(noHello.getInputStream().readAllBytes()).isNotEmpty(); // closed by the switch
      assertThat(fixture.only().counters().connections()).isZero();
    }
  }

  @Test
  void silentControllerIsGivenUp() throws IOException {
    // Between the first probe and the end there is time for a switch that has to wait for its turn.
    AgentSettings impatient = new AgentSettings(20, 100, 60_000, 60_000, 50, 4000, 1 << 20);
    try (RawController raw = new RawController();
        AgentFixture fixture = new AgentFixture(impatient, raw.address())) {
      try (Socket deaf = raw.accept()) {
        deaf.getOutputStream().write(HELLO_13);
        // Counted, for the connection may have ended before this looks.
        Await.until("ready", () -> fixture.only().counters().connections() == 1);
        byte[] all = deaf.getInputStream().readAllBytes();
        assertThat(all[all.length - 7]).as("an echo request at the end").isEqualTo((byte) 2);
      }
      Await.until("gone", () -> fixture.only().roles().isEmpty());
    }
  }

  @Test
  void messagesBeforeHelloAreRefused() throws IOException {
    try (RawController raw = new RawController();
        AgentFixture fixture = new AgentFixture(QUICK, raw.address());
        Socket socket = raw.accept()) {
      socket.getOutputStream().write(new byte[] {4, 5, 0, 8, 0, 0, 0, 1});
      byte[] answer = socket.getInputStream().readAllBytes();
      assertThat(answer).as("only the HELLO").hasSizeLessThanOrEqualTo(16);
      assertThat(fixture.only().counters().connections()).isZero();
    }
  }

  /** A controller that asks and never reads: what waits for it is bounded, the others go on. */
  @Test
  void controllerThatDoesNotReadIsHeldBack() throws IOException {
    AgentSettings small = new AgentSettings(20, 200, 60_000, 60_000, 60_000, 60_000, 64 * 1024);
    try (RawController raw = new RawController();
        ScriptedController good = new ScriptedController();
        AgentFixture fixture = new AgentFixture(small, good.address(), raw.address());
        Socket socket = raw.accept()) {
      Session steady = good.nextSession();
      socket.getOutputStream().write(HELLO_13);
      byte[] request = new byte[32 * 1024];
      request[0] = 4;
      request[1] = 2; // echo request: the answer is as long
      request[2] = (byte) (request.length >> 8);
      AtomicInteger written = new AtomicInteger();
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(() -> writeAll(socket, request, written));
      // 64 KiB of replies and the sockets' buffers fill up, nowhere near what is offered.
      int before = -1;
      while (written.get() > before) {
        before = written.get();
        writer.copy().completeOnTimeout(null, 1, TimeUnit.SECONDS).join();
      }
      assertThat(written).hasValueLessThan(OFFERED);
      steady.barrier();
    }
  }

  private static void writeAll(Socket socket, byte[] request, AtomicInteger written) {
    try {
      while (written.get() < OFFERED) {
        socket.getOutputStream().write(request);
        written.incrementAndGet();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the test is over
    }
  }

  private static final class RawController implements AutoCloseable {
    private final ServerSocket server;

    RawController() throws IOException {
      server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
      server.setSoTimeout(30_000);
    }

    InetSocketAddress address() {
      return (InetSocketAddress) server.getLocalSocketAddress();
    }

    Socket accept() throws IOException {
      Socket socket = server.accept();
      socket.setSoTimeout(30_000);
      return socket;
    }

    @Override
    public void close() {
      try {
        server.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
