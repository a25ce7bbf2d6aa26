package io.lockstep.core.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.packet.DroppedPackets.Count;
import io.lockstep.core.packet.DroppedPackets.Reason;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DroppedPacketsTest {
  private final DroppedPackets dropped = new DroppedPackets();

  private void drop(long dpid, long port, Reason reason) {
    dropped.ofSwitch(dpid).ofPort(port).count(reason);
  }

  private long sum() {
    return dropped.counts().stream().mapToLong(Count::packets).sum();
  }

  @Test
  void nothingIsShownBeforeADrop() {
    dropped.ofSwitch(1);
    assertThat(dropped.counts()).isEmpty();
  }

  @Test
  void countsTellSwitchPortAndReason() {
    drop(0x1f, 3, Reason.PORT_QUOTA);
    drop(0x1f, 3, Reason.PORT_QUOTA);
    drop(0x1f, 3, Reason.SWITCH_WAITS);
    drop(0x2, 1, Reason.PORT_QUOTA);
    assertThat(dropped.counts())
        .containsExactly(
            new Count("0000000000000002", "1", Reason.PORT_QUOTA, 1),
            new Count("000000000000001f", "3", Reason.PORT_QUOTA, 2),
            new Count("000000000000001f", "3", Reason.SWITCH_WAITS, 1));
  }

  @Test
  void whateverPortsAndSwitchesThereAreTheirNumberIsBoundedAndTheSumExact() {
    Random random = new Random(15);
    List<Reason> reasons = List.of(Reason.values());
    int drops = 200_000;
    for (int i = 0; i < drops; i++) {
      Reason reason = reasons.get(random.nextInt(reasons.size()));
      drop(random.nextInt(2_000), random.nextInt(), reason);
    }
    assertThat(sum()).isEqualTo(drops);
    assertThat(dropped.counts().size())
        .isLessThanOrEqualTo(
            (DroppedPackets.MAX_SWITCHES * (DroppedPackets.MAX_PORTS + 1) + 1)
                * Reason.values().length);
    assertThat(dropped.counts())
        .anyMatch(count -> count.dpid().equals("other"))
        .anyMatch(count -> !count.dpid().equals("other") && count.port().equals("other"));
  }

  /** A counter that goes down looks like a restart to whoever reads it. */
  @Test
  void countersNeverDecrease() {
    for (int port = 0; port < 3 * DroppedPackets.MAX_PORTS; port++) {
      drop(1, port, Reason.PORT_QUOTA);
      long other =
          dropped.counts().stream()
              .filter(count -> count.port().equals("other"))
              .mapToLong(Count::packets)
              .sum();
      assertThat(other).isEqualTo(Math.max(0, port + 1 - DroppedPackets.MAX_PORTS));
    }
  }
}
