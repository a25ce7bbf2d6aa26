package io.lockstep.core.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.Decision;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Frames that end anywhere, and frames with any bytes: each is counted once, none harms the
 * dispatcher, and what comes next is decided as before.
 */
class HostileFramesTest extends PacketDispatcherFixture {
  private static final int MUTATIONS = 20_000;

  private PacketDispatcher dispatcher;

  @BeforeEach
  void dispatcher() {
    new App("app", packet -> read(packet.frame().length, packet.etherType(), packet.vlanId()));
    dispatcher = dispatcher(new PacketLimits(0, 0, 0, 1_024));
    mastery.grant(connection, 7);
  }

  private static Decision read(int length, int etherType, int vlanId) {
    assertThat(length).isGreaterThanOrEqualTo(14);
    assertThat(etherType).isBetween(0, 0xffff);
    assertThat(vlanId).isBetween(-1, 0xfff);
    return Decision.DROP;
  }

  /** ARP, IPv4 with options and TCP, a fragment, two tags, and LLDP of another system. */
  private static List<byte[]> seeds() {
    byte[] ip = Arrays.copyOf(ethernet(2, 1, 0x0800), 14 + 24 + 24);
    ByteBuffer.wrap(ip)
        .position(14)
        .put((byte) 0x46)
        .put((byte) 0)
        .putShort((short) 48)
        .putInt(0)
        .put((byte) 64)
        .put((byte) 6)
        .putShort((short) 0xbeef)
        .putInt(0x0a00_0001)
        .putInt(0x0a00_0002)
        .putInt(0x0101_0100)
        .putShort((short) 5_000)
        .putShort((short) 80);
    byte[] fragment = ip.clone();
    fragment[20] = 0x20;
    byte[] tagged = Arrays.copyOf(ethernet(2, 1, 0x88a8), 22 + 46);
    ByteBuffer.wrap(tagged)
        .position(14)
        .putShort((short) 7)
        .putInt(0x8100_0008)
        .putShort((short) 0x800);
    byte[] lldp = ethernet(0x0180_c200_000eL, 1, 0x88cc);
    ByteBuffer.wrap(lldp)
        .position(14)
        .putShort((short) (1 << 9 | 7))
        .put(new byte[7])
        .putShort((short) (2 << 9 | 3))
        .put(new byte[3])
        .putShort((short) (3 << 9 | 2));
    return List.of(Frames.arp(1, 1, 0x0a00_0001, 0, 0x0a00_0002), ip, fragment, tagged, lldp);
  }

  private static byte[] ethernet(long destination, long source, int etherType) {
    return Frames.ethernet(destination, source, etherType);
  }

  private void send(byte[] frame) {
    dispatcher.packetIn(connection, Frames.whole(1, frame));
  }

  private long results() {
    long sum = 0;
    for (PacketResult result : PacketResult.values()) {
      sum += result.isEnd() ? dispatcher.counters().of(result) : 0;
    }
    return sum;
  }

  private void allAreCountedAndTheNextIsDecided(long sent) {
    assertThat(dispatcher.counters().of(PacketResult.RECEIVED)).isEqualTo(sent);
    assertThat(results()).isEqualTo(sent);
    assertThat(dispatcher.counters().of(PacketResult.APPLICATION_FAILED)).isZero();
    long decided = dispatcher.counters().of(PacketResult.DECIDED);
    send(FRAME);
    assertThat(dispatcher.counters().of(PacketResult.DECIDED)).isEqualTo(decided + 1);
  }

  @Test
  void framesThatEndAnywhere() {
    long sent = 0;
    for (byte[] seed : seeds()) {
      for (int length = 0; length <= seed.length; length++) {
        send(Arrays.copyOf(seed, length));
        sent++;
      }
    }
    assertThat(dispatcher.counters().of(PacketResult.MALFORMED)).isPositive();
    allAreCountedAndTheNextIsDecided(sent);
  }

  @Test
  void framesWithAnyBytes() {
    Random random = new Random(17);
    List<byte[]> seeds = seeds();
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] frame = seeds.get(random.nextInt(seeds.size())).clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        frame[random.nextInt(frame.length)] = (byte) random.nextInt();
      }
      send(Arrays.copyOf(frame, random.nextInt(2) == 0 ? frame.length : random.nextInt(80)));
    }
    allAreCountedAndTheNextIsDecided(MUTATIONS);
  }
}
