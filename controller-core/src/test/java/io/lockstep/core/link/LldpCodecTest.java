package io.lockstep.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.LldpCodec.Verdict;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LldpCodecTest {
  private static final SwitchPort SOURCE = new SwitchPort(0xff00_0000_0000_0001L, 0xffff_ff00L);
  private static final long NOW = 1_000_000;
  private final DiscoveryKey key = key(1, 7);
  private final LldpCodec codec = new LldpCodec(key, 10_000);

  static DiscoveryKey key(long clusterId, long seed) {
    byte[] secret = new byte[DiscoveryKey.SECRET_BYTES];
    new Random(seed).nextBytes(secret);
    return new DiscoveryKey(clusterId, secret);
  }

  @Test
  void probeSaysWhereItCameFrom() {
    assertThat(codec.decode(codec.encode(SOURCE, NOW), NOW + 5))
        .isEqualTo(new Verdict.Genuine(SOURCE));
  }

  @Test
  void frameIsLldpWithMandatoryTlvsInOrder() {
    byte[] frame = codec.encode(SOURCE, NOW);
    assertThat(Arrays.copyOf(frame, 6)).containsExactly(1, 0x80, 0xc2, 0, 0, 0x0e);
    assertThat(frame[6] & 3).as("locally administered, unicast").isEqualTo(2);
    assertThat(Arrays.copyOfRange(frame, 12, 14)).containsExactly(0x88, 0xcc);
    assertThat(frame[14] >> 1).as("chassis id").isEqualTo((byte) 1);
    assertThat(frame[frame.length - 1]).as("end").isZero();
    assertThat(frame.length).isLessThan(200);
  }

  @Test
  void probeCutAnywhereIsNeverGenuine() {
    byte[] frame = codec.encode(SOURCE, NOW);
    int endTlv = frame.length - 2;
    for (int length = 0; length < endTlv; length++) {
      assertThat(codec.decode(Arrays.copyOf(frame, length), NOW))
          .as("length %d", length)
          .isNotInstanceOf(Verdict.Genuine.class);
    }
  }

  @Test
  void probeChangedAnywhereBehindTheHeaderIsNeverGenuine() {
    byte[] frame = codec.encode(SOURCE, NOW);
    for (int at = 0; at < frame.length - 2; at++) {
      byte[] changed = frame.clone();
      changed[at] ^= 0x10;
      if (at != 12 && at != 13) {
        assertThat(codec.decode(changed, NOW))
            .as("byte %d", at)
            .isNotInstanceOf(Verdict.Genuine.class);
      }
    }
  }

  @Test
  void probeSignedWithAnotherKeyIsForged() {
    byte[] forged = new LldpCodec(key(1, 8), 10_000).encode(SOURCE, NOW);
    assertThat(codec.decode(forged, NOW)).isEqualTo(new Verdict.Forged());
  }

  @Test
  void probeOfAnotherClusterIsForeign() {
    byte[] foreign = new LldpCodec(key(2, 8), 10_000).encode(SOURCE, NOW);
    assertThat(codec.decode(foreign, NOW)).isEqualTo(new Verdict.Foreign());
  }

  @Test
  void replayedProbeIsStale() {
    byte[] old = codec.encode(SOURCE, NOW);
    assertThat(codec.decode(old, NOW + 10_000)).isInstanceOf(Verdict.Genuine.class);
    assertThat(codec.decode(old, NOW + 10_001)).isEqualTo(new Verdict.Stale(10_001));
    assertThat(codec.decode(old, NOW - 10_001)).isEqualTo(new Verdict.Stale(-10_001));
  }

  @Test
  void lldpOfAHostIsForeign() {
    byte[] frame = new byte[14 + 2 + 7 + 2 + 7 + 2 + 2 + 2];
    frame[15] = 7;
    frame[14] = 1 << 1;
    frame[14 + 9] = 2 << 1;
    frame[15 + 9] = 7;
    frame[14 + 18] = 3 << 1;
    frame[15 + 18] = 2;
    assertThat(codec.decode(frame, NOW)).isEqualTo(new Verdict.Foreign());
  }

  @Test
  void tlvsWithoutEndAreMalformed() {
    byte[] frame = new byte[1500];
    Arrays.fill(frame, (byte) 0);
    for (int at = 14; at < frame.length; at += 2) {
      frame[at] = (byte) (9 << 1);
    }
    assertThat(codec.decode(frame, NOW)).isEqualTo(new Verdict.Malformed());
  }

  @Test
  void randomBytesNeverThrow() {
    Random random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      byte[] frame = new byte[random.nextInt(120)];
      random.nextBytes(frame);
      assertThat(codec.decode(frame, NOW)).isNotInstanceOf(Verdict.Genuine.class);
    }
  }
}
