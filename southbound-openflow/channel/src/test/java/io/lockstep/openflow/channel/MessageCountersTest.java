package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.openflow.channel.MessageCounters.Ending;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageCountersTest {
  private final MessageCounters counters = new MessageCounters();

  @Test
  void switchesAreThoseBehindTheirHandshakeThatDidNotEnd() {
    for (int i = 0; i < 3; i++) {
      counters.opened();
    }
    counters.handshake(true);
    counters.handshake(true);
    counters.handshake(false);
    counters.closed();
    assertThat(counters.counts().connections()).isEqualTo(2);
    assertThat(counters.counts().switches()).isEqualTo(2);
    counters.ended(Ending.SILENT);
    counters.closed();
    assertThat(counters.counts().connections()).isEqualTo(1);
    assertThat(counters.counts().switches()).isEqualTo(1);
    assertThat(counters.counts().failedHandshakes()).isEqualTo(1);
    assertThat(counters.counts().endings()).containsEntry("silent", 1L).containsEntry("fault", 0L);
  }

  @Test
  void outcomesOfABarrierAndRefusalsWithoutOneCountTogether() {
    counters.confirmed(
        List.of(
            new FlowModOutcome.Installed(),
            new FlowModOutcome.Refused("TABLE_FULL"),
            new FlowModOutcome.Unknown("lost")));
    counters.flowModsRefused(2);
    assertThat(counters.counts().flowModsInstalled()).isEqualTo(1);
    assertThat(counters.counts().flowModsRefused()).isEqualTo(3);
    assertThat(counters.counts().flowModsUnknown()).isEqualTo(1);
  }
}
