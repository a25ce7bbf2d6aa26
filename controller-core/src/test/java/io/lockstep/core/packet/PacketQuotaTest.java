package io.lockstep.core.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.packet.PacketQuota.Outcome;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;

class PacketQuotaTest {
  private static final long SECOND = 1_000_000_000L;

  private final PacketQuota quota = new PacketQuota(PacketLimits.DEFAULT, 0);

  @Test
  void portWithoutRoomForFurtherAddressesIsHeldBackAndNoOther() {
    assertThat(admitted(1, 1_000, 0)).isEqualTo(1_000);
    quota.full(1, mac(0), 0);
    assertThat(admitted(1, 1_000, 1)).isEqualTo((int) FullPort.PER_SECOND);
    assertThat(admitted(2, 1_000, 1)).isEqualTo(1_000);
  }

  @Test
  void addressWithRoomComesThroughAtAFullPort() {
    quota.full(1, mac(0), 0);
    quota.hasRoom(1, mac(7));
    admitted(1, 1_000, 1);
    assertThat(quota.takeData(1, mac(7), 2)).isEqualTo(Outcome.WITHIN);
    quota.full(1, mac(7), 3);
    assertThat(quota.takeData(1, mac(7), 4)).isEqualTo(Outcome.PORT_FULL);
  }

  @Test
  void fullPortIsAsOthersAfterASecondWithoutAReport() {
    quota.full(1, mac(0), 0);
    quota.full(1, mac(1), SECOND / 2);
    admitted(1, 1_000, SECOND / 2);
    assertThat(admitted(1, 1_000, SECOND)).isLessThan(1_000);
    assertThat(admitted(1, 1_000, 3 * SECOND / 2)).isEqualTo(1_000);
  }

  @Test
  void addressesWithRoomAreBounded() {
    quota.full(1, mac(0), 0);
    for (int i = 0; i <= FullPort.MAX_KNOWN; i++) {
      quota.hasRoom(1, mac(i));
    }
    admitted(1, 1_000, 0);
    assertThat(quota.takeData(1, mac(0), 0)).isEqualTo(Outcome.PORT_FULL);
    assertThat(quota.takeData(1, mac(1), 0)).isEqualTo(Outcome.WITHIN);
  }

  @Test
  void noLimitIsNoneAtAFullPort() {
    PacketQuota none = new PacketQuota(PacketLimits.NONE, 0);
    none.full(1, mac(0), 0);
    for (int i = 0; i < 1_000; i++) {
      assertThat(none.takeData(1, mac(i), 0)).isEqualTo(Outcome.WITHIN);
    }
  }

  /** How many of so many packets of ever new addresses come through. */
  private int admitted(long port, int packets, long nowNanos) {
    int admitted = 0;
    for (int i = 0; i < packets; i++) {
      Outcome outcome = quota.takeData(port, mac(1_000_000 + i), nowNanos);
      admitted += outcome == Outcome.WITHIN ? 1 : 0;
    }
    return admitted;
  }

  private static MacAddress mac(long number) {
    return MacAddress.valueOf(0x0200_0000_0000L + number);
  }
}
