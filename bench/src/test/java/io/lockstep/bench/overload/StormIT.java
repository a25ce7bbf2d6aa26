package io.lockstep.bench.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.openflow.Injection;
import io.lockstep.bench.openflow.LoadPlan;
import io.lockstep.bench.openflow.OpenFlowLoad;
import io.lockstep.bench.openflow.OpenFlowLoad.Paced;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.host.PingResult;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NewFlows;
import io.lockstep.dataplane.topology.GeneratedTopology;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.dataplane.topology.Topology.SwitchSpec;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.netty.buffer.ByteBuf;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Storms that a host or a switch makes: leases and the leader stay, and others are served. */
@Tag("alone")
class StormIT {
  private static final int READY_MILLIS = 120_000;
  private static final int LOOK_MILLIS = 50;
  private static final LoadPlan QUIET = new LoadPlan(1, 4, 16, 1);
  private static final LoadPlan HOSTILE = new LoadPlan(1, 4, 4, 2);

  @TempDir private Path directory;

  /** Each broadcast is a packet-in at every switch of the network. */
  @Test
  void thousandBroadcastsASecondOfOneHost() throws Exception {
    Topology topology = GeneratedTopology.parse("ring-of-rings:12").build();
    List<Long> dpids = topology.switches().stream().map(SwitchSpec::dpid).toList();
    try (NodeProcesses nodes =
            new NodeProcesses(directory, List.of(new DomainPlan("all", dpids, 0)), "");
        EmulatedNetwork network = EmulatedNetwork.start(topology, nodes.controllers())) {
      NodeReadings readings = new NodeReadings(nodes, directory);
      nodes.awaitMasters(READY_MILLIS);
      List<EmulatedHost> hosts = new ArrayList<>(network.hosts());
      awaitFlows(network);
      long leaders = readings.regency();
      EmulatedHost loud = hosts.remove(0);
      AtomicLong broadcasts = new AtomicLong();
      ScheduledExecutorService storm = Executors.newSingleThreadScheduledExecutor();
      try (NewFlows flows = network.startNewFlows(hosts, 20, 15)) {
        Future<?> storming =
            storm.scheduleAtFixedRate(
                () -> {
                  loud.announce();
                  broadcasts.incrementAndGet();
                },
                0,
                1,
                TimeUnit.MILLISECONDS);
        await("a storm", () -> broadcasts.get() > 3_000);
        flows.next("under the storm");
        await("more of it", () -> broadcasts.get() > 8_000);
        NewFlows.Window under = flows.next("decided by now");
        await("the last flows", () -> broadcasts.get() > 11_000);
        assertThat(storming.isDone()).isFalse();
        NewFlows.Counts counts = under.counts();
        assertThat(counts.sent()).isGreaterThan(50);
        assertThat(counts.missing()).as("%s", counts).isLessThan(counts.sent() / 10);
        assertThat(counts.p99Nanos()).as("%s", counts).isLessThan(TimeUnit.SECONDS.toNanos(1));
      } finally {
        storm.shutdownNow();
      }
      assertThat(readings.stepsDown()).isZero();
      assertThat(readings.regency()).isEqualTo(leaders);
    }
  }

  /** Until every host can be reached from every other. */
  private static void awaitFlows(EmulatedNetwork network) throws InterruptedException {
    await(
        "all pings",
        () ->
            network.pingAll(Duration.ofSeconds(2)).join().stream().allMatch(PingResult::complete));
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READY_MILLIS);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as(what).isNegative();
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** Ports of the hostile switch go down and up, twenty thousand times a second. */
  @Test
  void portStatusWithoutEnd() throws Exception {
    List<DomainPlan> domains =
        List.of(new DomainPlan("all", List.of(QUIET.firstDpid(), HOSTILE.firstDpid()), 0));
    try (NodeProcesses nodes = new NodeProcesses(directory, domains, "");
        OpenFlowLoad quiet = OpenFlowLoad.start(QUIET, nodes.controllers());
        OpenFlowLoad hostile = OpenFlowLoad.start(HOSTILE, nodes.controllers())) {
      NodeReadings readings = new NodeReadings(nodes, directory);
      nodes.awaitMasters(READY_MILLIS);
      quiet.learn(READY_MILLIS);
      long leaders = readings.regency();
      AtomicLong reports = new AtomicLong();
      hostile.inject(
          new Injection(0, 100, out -> portStatus(out, (int) (reports.getAndIncrement() % 4_096))));
      Paced under = quiet.pace(20, Schedule.ofSeconds(1, 5, 2_000));
      assertThat(reports.get()).isGreaterThan(10_000);
      assertThat(under.figures().lost()).isZero();
      assertThat(under.figures().p99Micros()).isLessThan(1e6);
      assertThat(readings.stepsDown()).isZero();
      assertThat(readings.regency()).isEqualTo(leaders);
    }
  }

  /** OFPT_PORT_STATUS of a port that goes down or up (OpenFlow 1.3.5 section 7.4.3). */
  private static void portStatus(ByteBuf out, int number) {
    int port = 1 + number / 2;
    out.writeInt(0x040c_0050).writeInt(0).writeByte(2).writeZero(7).writeInt(port).writeInt(0);
    out.writeInt(0x0200_0000).writeInt(port << 8).writeZero(16).writeInt(0);
    out.writeInt(number % 2 == 0 ? 1 : 4).writeZero(24);
  }
}
