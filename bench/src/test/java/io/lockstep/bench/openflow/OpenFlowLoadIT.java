package io.lockstep.bench.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.process.CpuMeter;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The generator against a tiny controller over real sockets. */
@Tag("alone")
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class OpenFlowLoadIT {
  private static final LoadPlan PLAN = new LoadPlan(4, 4, 8, 1);
  private static final Schedule SHORT = new Schedule(200, 1000, 60_000);
  private static final CpuMeter NO_SERVERS = new CpuMeter(List.of());

  @Test
  void everyPacketInIsAnswered() throws Exception {
    try (TinyController controller = TinyController.listen(TinyController.Manner.LEARN);
        OpenFlowLoad load = OpenFlowLoad.start(PLAN, List.of(controller.address()))) {
      load.learn(60_000);
      for (int inFlight : new int[] {1, 16}) {
        LoadFigures point = load.measure(inFlight, SHORT, NO_SERVERS);
        assertThat(point.figures().lost()).isZero();
        assertThat(point.misdirected()).isZero();
        assertThat(point.counts().connectionsLost()).isZero();
        assertThat(point.figures().answered()).isPositive();
        assertThat(point.figures().p50Micros()).isPositive();
        assertThat(point.counts().byFlowMod()).isGreaterThanOrEqualTo(point.figures().answered());
        assertThat(controller.mostOutstanding()).isLessThanOrEqualTo(Learning.IN_PROGRESS);
      }
    }
  }

  @Test
  void onlyTheMasterIsLoaded() throws Exception {
    try (TinyController master = TinyController.listen(TinyController.Manner.LEARN);
        TinyController slave = TinyController.listen(TinyController.Manner.SLAVE);
        OpenFlowLoad load = OpenFlowLoad.start(PLAN, List.of(slave.address(), master.address()))) {
      slave.awaitSlaveOf(PLAN.switches());
      load.learn(60_000);
      long before = slave.packetIns();
      LoadFigures point = load.measure(4, SHORT, NO_SERVERS);
      assertThat(point.figures().lost()).isZero();
      assertThat(slave.packetIns()).isEqualTo(before);
    }
  }

  @Test
  void silenceIsLoss() throws Exception {
    try (TinyController controller = TinyController.listen(TinyController.Manner.LEARN);
        OpenFlowLoad load = OpenFlowLoad.start(PLAN, List.of(controller.address()))) {
      load.learn(60_000);
      controller.fallSilent();
      LoadFigures point = load.measure(3, new Schedule(0, 1000, 200), NO_SERVERS);
      assertThat(point.figures().answered()).isZero();
      assertThat(point.figures().lost()).isEqualTo(point.figures().sent()).isPositive();
    }
  }

  @Test
  void aControllerThatOnlyFloodsIsSaidToKnowNoHost() throws Exception {
    try (TinyController hub = TinyController.listen(TinyController.Manner.FLOOD);
        OpenFlowLoad load = OpenFlowLoad.start(PLAN, List.of(hub.address()))) {
      assertThatThrownBy(() -> load.learn(1_000))
          .isInstanceOf(TimeoutException.class)
          .hasMessageContaining("do not forward to 32 of 32 hosts; 4 of 4 switches");
    }
  }

  @Test
  void aLateControllerIsWaitedFor() throws Exception {
    InetSocketAddress address;
    try (TinyController gone = TinyController.listen(TinyController.Manner.LEARN)) {
      address = gone.address();
    }
    try (OpenFlowLoad load = OpenFlowLoad.start(PLAN, List.of(address))) {
      assertThatThrownBy(() -> load.learn(500))
          .isInstanceOf(TimeoutException.class)
          .hasMessageContaining("0 of 4 switches");
      try (TinyController late = TinyController.listen(TinyController.Manner.LEARN, address)) {
        load.learn(60_000);
        assertThat(late.packetIns()).isPositive();
      }
    }
  }
}
