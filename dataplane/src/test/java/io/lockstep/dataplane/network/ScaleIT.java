package io.lockstep.dataplane.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.host.PingResult;
import io.lockstep.dataplane.openflow.ScriptedController;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.dataplane.topology.Topology;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two hundred switches in one process, on two threads. */
@Tag("alone")
class ScaleIT {
  private static final int SWITCHES = 200;

  @Test
  void twoHundredSwitchesConnectAndForward() {
    Topology topology = Topologies.linear(SWITCHES, 1);
    int threadsBefore = ManagementFactory.getThreadMXBean().getThreadCount();
    long bytesBefore = usedBytes();
    try (ScriptedController controller = new ScriptedController(Hub.byFlowEntry());
        EmulatedNetwork network = EmulatedNetwork.start(topology, List.of(controller.address()))) {
      Await.until("all switches connected", () -> controller.switches() == SWITCHES);
      for (int i = 0; i < SWITCHES; i++) {
        controller.nextSession().barrier();
      }
      assertThat(ManagementFactory.getThreadMXBean().getThreadCount() - threadsBefore)
          .isLessThanOrEqualTo(8);
      PingResult across =
          network.ping("h1", "h200", 3, Duration.ofMillis(100), Duration.ofSeconds(60)).join();
      assertThat(across.complete()).isTrue();
      assertThat(usedBytes() - bytesBefore).isLessThan(200_000_000L);
    }
  }

  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
