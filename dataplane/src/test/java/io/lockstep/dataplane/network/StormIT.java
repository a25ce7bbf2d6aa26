package io.lockstep.dataplane.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.openflow.ScriptedController;
import io.lockstep.dataplane.openflow.ScriptedController.Session;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.dataplane.wire.LinkQuality;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Floods in rings without spanning tree: frames circulate and multiply, the process lives. */
class StormIT {
  @Test
  void stormIsBoundedAndEndsWithTheLoop() {
    // 40 links that could each carry 2000 frames a second; hubs in two joined rings multiply
    // frames.
    LinkQuality slow = new LinkQuality(0, 64, 2000);
    try (ScriptedController controller = new ScriptedController(Hub.byFlowEntry());
        EmulatedNetwork network =
            new EmulatedNetwork(
                Topologies.twoDomains(4, 1),
                NetworkOptions.ordinary(List.of(controller.address())).withLink(slow))) {
      network.start();
      List<Session> sessions = new ArrayList<>();
      network.switches().forEach(each -> sessions.add(controller.nextSession()));
      sessions.forEach(Session::barrier);
      network.hosts().forEach(host -> host.announce());
      Await.until("frames lost in the storm", () -> network.stats().framesLost() > 5000);
      // In the midst of it every controller is answered.
      sessions.forEach(Session::barrier);
      for (String cut : List.of("s1-s2", "s5-s6", "s1-s5")) {
        network.setLink(cut.substring(0, 2), cut.substring(3), false);
      }
      Await.until("silence", () -> isSilent(network));
      assertThat(network.ping("h1", "h8", Duration.ofSeconds(60)).join().complete()).isTrue();
    }
  }

  private static boolean isSilent(EmulatedNetwork network) {
    long before = network.stats().framesCarried();
    for (EmulatedSwitch each : network.switches()) {
      for (int turn = 0; turn < 3; turn++) {
        each.inspect(model -> 0).join();
      }
    }
    return network.stats().framesCarried() == before;
  }
}
