package io.lockstep.dataplane.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import io.lockstep.dataplane.openflow.ControllerRole;
import io.lockstep.dataplane.openflow.ScriptedController;
import io.lockstep.dataplane.openflow.ScriptedController.Session;
import io.lockstep.dataplane.topology.GeneratedTopology;
import io.lockstep.dataplane.topology.Topology;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.projectfloodlight.openflow.types.OFPort;

/** A thousand switches and four thousand hosts in one process, on two threads. */
@Tag("alone")
@Timeout(120)
class ThousandSwitchesIT {
  private static final int SWITCHES = 1000;

  /** Two ends of each connection are in this process. */
  private static final int FILES_PER_SWITCH = 2;

  private static final long BYTES_PER_SWITCH = 50_000;

  @Test
  void aThousandSwitchesTakeLittleOfTheProcess() {
    Topology topology = GeneratedTopology.parse("random:" + SWITCHES).build();
    int threadsBefore = ManagementFactory.getThreadMXBean().getThreadCount();
    long filesBefore = openFiles();
    long bytesBefore = usedBytes();
    try (ScriptedController controller = new ScriptedController();
        EmulatedNetwork network = EmulatedNetwork.start(topology, List.of(controller.address()))) {
      Await.until("all switches connected", () -> controller.switches() == SWITCHES);
      assertThat(network.hosts()).hasSize(4 * SWITCHES);
      assertThat(network.switches())
          .allSatisfy(each -> assertThat(each.roles()).containsExactly(ControllerRole.EQUAL));
      assertThat(ManagementFactory.getThreadMXBean().getThreadCount() - threadsBefore)
          .isLessThanOrEqualTo(8);
      assertThat(openFiles() - filesBefore).isLessThan(FILES_PER_SWITCH * SWITCHES + 100L);
      assertThat(usedBytes() - bytesBefore).isLessThan(BYTES_PER_SWITCH * SWITCHES);
      assertHostsReachEachOther(controller, network);
    }
  }

  /** Of one switch: an entry that floods in each of them would make frames circle. */
  private static void assertHostsReachEachOther(
      ScriptedController controller, EmulatedNetwork network) {
    for (int i = 0; i < SWITCHES; i++) {
      Session session = controller.nextSession();
      if (session.dpid() == SWITCHES) {
        session.send(Hub.missEntry(OFPort.FLOOD));
        session.barrier();
      }
    }
    assertThat(network.ping("h3997", "h4000", Duration.ofSeconds(60)).join().complete()).isTrue();
  }

  private static long openFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
