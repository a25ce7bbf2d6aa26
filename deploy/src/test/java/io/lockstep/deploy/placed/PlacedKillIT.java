package io.lockstep.deploy.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.placed.oracle.Churn;
import io.lockstep.deploy.placed.oracle.LogicalTable;
import io.lockstep.deploy.placed.oracle.WatchedModel;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.ClusterProcesses;
import io.lockstep.deploy.testbed.NodeProcess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The process that is master of a placed switch is killed between two flow-mods of its plans, again
 * and again, while an application in a process of its own changes its rules: three real nodes, and
 * the emulated switch is looked at behind every flow-mod. {@code -Dplaced.kills=N} kills N times.
 */
class PlacedKillIT {
  private static final int KILLS = Integer.getInteger("placed.kills", 3);
  private static final int CHANGES = Integer.getInteger("placed.changes", 60);
  private static final int PACKETS_PER_STATE = 300;
  private static final int RULES = 16;
  private static final long SEED = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final DomainPlan ONE = new DomainPlan("one", List.of(1L), 0);

  @TempDir private Path directory;

  private final LogicalTable table = new LogicalTable();
  private final Random random = new Random(SEED);

  @ParameterizedTest
  @ValueSource(strings = {"ovs-small", "2920"})
  void masterIsKilledInTheMiddleOfPlans(String name) throws Exception {
    Files.writeString(directory.resolve("small.yaml"), Models.smallText(name));
    try (ClusterProcesses cluster =
            ClusterProcesses.prepare(
                directory, List.of(ONE), "switches: [{switches: [1], profile: small.yaml}]\n");
        EmulatedNetwork network =
            new EmulatedNetwork(
                new TopologyBuilder("one")
                    .addSwitch("s1", 1, "one", Models.smallEmulated(name))
                    .build(),
                NetworkOptions.ordinary(addresses(cluster)))) {
      WatchedModel model = new WatchedModel(network.switchNamed("s1"), table, new Random(SEED + 1));
      cluster.startAll();
      cluster.awaitReady();
      network.start();
      cluster.awaitMaster(ONE);
      try (RemoteApplication application = new RemoteApplication(cluster.plan())) {
        Churn churn = new Churn(table, ModelBench.DEVICE, random, application::rules);
        await(cluster, model, churn, "the switch is ready", model::sendsUp);
        model.packetsPerState = PACKETS_PER_STATE;
        churn.fill(RULES);
        for (int kill = 0; kill < KILLS; kill++) {
          killAmidChanges(cluster, model, churn);
        }
        await(cluster, model, churn, "all is decided", () -> churn.undecided() == 0);
        if (Models.isVisible(name)) {
          await(cluster, model, churn, "all rules are there", () -> churn.refused().isEmpty());
        }
        model.look(PACKETS_PER_STATE);
        assertThat(model.wrong()).isEmpty();
        WatchedModel.Counts counts = model.counts();
        assertThat(counts.mismatches()).isZero();
        ModelResults.add(
            "kill -9",
            name,
            KILLS * CHANGES / 3,
            KILLS,
            table.size(),
            churn.refused().size(),
            counts);
      }
    }
  }

  /** The master dies at one of the next flow-mods, before the switch answers it. */
  private void killAmidChanges(ClusterProcesses cluster, WatchedModel model, Churn churn) {
    NodeProcess victim = cluster.awaitMaster(ONE);
    AtomicInteger left = new AtomicInteger(1 + random.nextInt(12));
    AtomicBoolean killed = new AtomicBoolean();
    model.refuses =
        mod -> {
          if (left.decrementAndGet() == 0) {
            victim.kill();
            killed.set(true);
          }
          return Optional.empty();
        };
    for (int i = 0; i < CHANGES / 3 || !killed.get(); i++) {
      churn.change(RULES);
      int mayWait = random.nextInt(6);
      await(cluster, model, churn, "changes are made", () -> churn.undecided() <= mayWait);
      assertThat(model.wrong()).isEmpty();
    }
    assertThat(victim.running()).isFalse();
    NodeProcess next = cluster.awaitMaster(ONE);
    assertThat(next.id()).isNotEqualTo(victim.id());
    victim.start();
    victim.awaitReady();
  }

  private void await(
      ClusterProcesses cluster,
      WatchedModel model,
      Churn churn,
      String what,
      Callable<Boolean> condition) {
    Await.until(
        what,
        PATIENCE,
        condition,
        () -> churn.openRules() + "\n" + model.wrong() + "\n" + cluster.logs());
  }

  private static List<InetSocketAddress> addresses(ClusterProcesses cluster) {
    return IntStream.range(0, cluster.plan().nodes())
        .mapToObj(cluster.plan()::openflowPort)
        .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
        .toList();
  }
}
