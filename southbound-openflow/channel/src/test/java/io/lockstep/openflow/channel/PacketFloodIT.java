package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketKind;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFBarrierRequest;
import org.projectfloodlight.openflow.protocol.OFEchoReply;

/**
 * Switches that send packet-ins without pause, of which the node takes few: what they say besides
 * is answered within a second, a quiet switch on the same event loop is served, and each packet is
 * read or refused.
 */
class PacketFloodIT {
  private static final long GREEDY = 7;
  private static final long QUIET = 8;
  private static final int BATCH = 500;
  private static final long FAIR_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final Choosy observer = new Choosy();
  private final RecordingLog log = new RecordingLog();
  private final OpenFlowServer server =
      new OpenFlowServer(
          OpenFlowServerConfig.defaults().withListen("127.0.0.1", 0).withEventLoops(1),
          observer,
          log);
  private ScriptedSwitch device;
  private LivingSwitch quiet;

  /** Takes one packet in a thousand of the greedy switch, and keeps none of them. */
  private static final class Choosy extends RecordingObserver {
    final AtomicLong refused = new AtomicLong();
    final AtomicLong read = new AtomicLong();

    @Override
    public boolean refuses(SwitchConnection connection, long port, PacketKind kind) {
      boolean too = connection.dpid() == GREEDY && (refused.get() + read.get()) % 1_000 != 0;
      refused.addAndGet(too ? 1 : 0);
      return too;
    }

    @Override
    public void packetIn(SwitchConnection connection, PacketIn packetIn) {
      if (connection.dpid() == GREEDY) {
        read.incrementAndGet();
      } else {
        super.packetIn(connection, packetIn);
      }
    }
  }

  @BeforeEach
  void start() throws IOException {
    server.start();
    ScriptedSwitch living = ScriptedSwitch.connect(server.port(), 9, 0).handshake(QUIET);
    observer.await(Connected.class);
    quiet = new LivingSwitch(living).begin();
    quiet.assertStillServed();
    device = ScriptedSwitch.connect(server.port()).withoutEchoReplies();
  }

  @AfterEach
  void quietSwitchIsStillServed() {
    try {
      quiet.assertStillServed();
    } finally {
      quiet.close();
      device.close();
      server.close();
    }
  }

  private SwitchConnection connected() {
    return observer
        .await(Connected.class, event -> event.connection().dpid() == GREEDY)
        .connection();
  }

  /** Sends batches of packet-ins on a thread of its own until it is told to stop; how many. */
  private CompletableFuture<Long> flood(byte[] packetIn, CompletableFuture<Void> stop) {
    byte[] batch = new byte[BATCH * packetIn.length];
    for (int i = 0; i < BATCH; i++) {
      System.arraycopy(packetIn, 0, batch, i * packetIn.length, packetIn.length);
    }
    return CompletableFuture.supplyAsync(
        () -> {
          long sent = 0;
          while (!stop.isDone()) {
            device.sendRaw(batch);
            sent += BATCH;
          }
          return sent;
        });
  }

  private void floodAndAskForEchoes(byte[] packetIn, byte[] echo) throws Exception {
    CompletableFuture<Void> stop = new CompletableFuture<>();
    CompletableFuture<Long> flood = flood(packetIn, stop);
    List<Long> nanos = new ArrayList<>();
    try {
      awaitRefused(200_000);
      for (int i = 0; i < 5; i++) {
        long begin = System.nanoTime();
        device.sendRaw(echo);
        device.await(OFEchoReply.class);
        nanos.add(System.nanoTime() - begin);
        quiet.assertStillServed();
      }
    } finally {
      stop.complete(null);
    }
    // The flood takes a core of the machine too, so some may be late; unfair turns take far longer.
    Collections.sort(nanos);
    assertThat(nanos.get(2)).as("%s", nanos).isLessThan(FAIR_NANOS);
    long sent = flood.get(60, TimeUnit.SECONDS);
    device.sendRaw(echo);
    device.await(OFEchoReply.class);
    assertThat(observer.refused.get() + observer.read.get()).isEqualTo(sent);
    assertThat(observer.read.get()).isPositive();
  }

  private void awaitRefused(long packets) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (observer.refused.get() < packets) {
      assertThat(System.nanoTime() - deadline)
          .as("%d refused", observer.refused.get())
          .isNegative();
      Thread.onSpinWait();
    }
  }

  @Test
  void greedySwitchOfVersion13() throws Exception {
    device.handshake(GREEDY);
    connected();
    byte[] packetIn =
        ByteBufUtil.decodeHexDump(
            "040a006600000000ffffffff003c0000000000000000000000"
                + "01000c8000000400000001000000000000"
                + "020000000001020000000002"
                + "0800"
                + "00".repeat(46));
    floodAndAskForEchoes(packetIn, ByteBufUtil.decodeHexDump("0402000800000007"));
  }

  @Test
  void greedySwitchOfVersion10() throws Exception {
    device.handshake10(GREEDY);
    SwitchConnection connection = connected();
    CompletableFuture<RoleOutcome> granted = connection.requestRole(SwitchRole.MASTER, 1);
    device.answerBarrier();
    assertThat(granted).succeedsWithin(60, TimeUnit.SECONDS);
    floodAndAskForEchoes(packetIn10(), ByteBufUtil.decodeHexDump("0102000800000007"));
  }

  private static byte[] packetIn10() {
    return ByteBufUtil.decodeHexDump(
        "010a004e00000000ffffffff003c00010000"
            + "020000000001020000000002"
            + "0800"
            + "00".repeat(46));
  }

  /**
   * A question of the node is answered in the midst of the flood, so its answer must be reached.
   */
  @Test
  void repliesOfAGreedySwitchAreReached() throws Exception {
    device.handshake10(GREEDY);
    SwitchConnection connection = connected();
    CompletableFuture<Void> stop = new CompletableFuture<>();
    CompletableFuture<Long> flood = flood(packetIn10(), stop);
    try {
      CompletableFuture<RoleOutcome> granted = connection.requestRole(SwitchRole.MASTER, 1);
      long xid = device.await(OFBarrierRequest.class).getXid();
      long begin = System.nanoTime();
      device.sendHex(String.format("01130008%08x", xid));
      assertThat(granted).succeedsWithin(60, TimeUnit.SECONDS);
      assertThat(System.nanoTime() - begin).isLessThan(FAIR_NANOS);
    } catch (UncheckedIOException e) {
      throw new AssertionError("the greedy switch was cut off", e);
    } finally {
      stop.complete(null);
    }
    assertThat(flood).succeedsWithin(60, TimeUnit.SECONDS);
  }
}
