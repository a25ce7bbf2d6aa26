package io.lockstep.deploy.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.InputCounters.Input;
import io.lockstep.deploy.testbed.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;

/** A switch reports removed flows as fast as its socket takes them: no node ends, it goes. */
class ReportFloodIT {
  private static final long INTENDED = 0xB000_0000_0000_0000L;
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");

  private static byte[] flood(int messages) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < messages; i++) {
      all.writeBytes(RawSwitch.flowRemoved(INTENDED + i));
    }
    return all.toByteArray();
  }

  @Test
  void removedFlowsWithoutEnd() throws Exception {
    // Its close fails where a node reported something fatal.
    try (NodesInOneProcess nodes = new NodesInOneProcess(SwitchProfiles.NONE)) {
      NodesInOneProcess.Node first = nodes.node("n1");
      NetworkRoom room = first.node.services().get(NetworkRoom.class);
      try (RawSwitch chatty = new RawSwitch(1, first.server.port())) {
        MastershipService roles = first.node.services().get(MastershipService.class);
        Await.until(
            "n1 masters the switch",
            Duration.ofSeconds(60),
            () -> roles.isLocalMaster(DEVICE),
            () -> "");
        byte[] flood = flood(ControlLoop.MAX_QUEUED + 1_000);
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<Boolean> held = room.askRules(installer -> awaitQuietly(release));
        chatty.send(flood);
        assertThat(chatty.awaitRead(77)).isTrue();
        release.countDown();
        assertThat(held.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(room.askRules(installer -> "alive").get(60, TimeUnit.SECONDS))
            .isEqualTo("alive");
        assertThat(nodes.fatal).isEmpty();
        assertThat(room.counters().inputs().of(Input.FLOW_REMOVED_DROPPED)).isPositive();
        sendUntilClosed(chatty, flood);
        assertThat(chatty.awaitClosed()).isTrue();
      }
      assertThat(first.server.counters().counts().reportFloods()).isEqualTo(1);
      assertThat(room.askRules(installer -> "alive").get(60, TimeUnit.SECONDS)).isEqualTo("alive");
    }
  }

  private static boolean awaitQuietly(CountDownLatch latch) {
    try {
      return latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void sendUntilClosed(RawSwitch chatty, byte[] flood) {
    try {
      while (true) {
        chatty.send(flood);
      }
    } catch (IOException closed) {
      assertThat(closed).isNotNull();
    }
  }
}
