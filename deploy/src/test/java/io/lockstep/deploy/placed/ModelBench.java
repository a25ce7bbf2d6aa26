package io.lockstep.deploy.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.deploy.placed.oracle.Churn;
import io.lockstep.deploy.placed.oracle.LogicalTable;
import io.lockstep.deploy.placed.oracle.WantedRule;
import io.lockstep.deploy.placed.oracle.WatchedModel;
import io.lockstep.deploy.testbed.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;

/** Three nodes, one emulated switch that is watched, and an application that changes its rules. */
final class ModelBench implements AutoCloseable {
  static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final long DPID = 1;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** What the nodes take for a second, so that what they do every 10 or 15 s happens often. */
  private static final int HASTE = 20;

  /** The node that is never killed: the application runs there. */
  private static final String HOME = "n3";

  final NodesInOneProcess cluster;
  final LogicalTable table;
  final WatchedModel model;
  final Churn churn;
  private final EmulatedNetwork network;
  private final Random random;
  private @Nullable Thread killer;
  private @Nullable String killed;
  private int replaced;

  /** Begins; the switch is not looked at before {@link #watch}. */
  ModelBench(HardwareProfile emulated, SwitchProfiles configured, long seed) throws IOException {
    random = new Random(seed);
    boolean fixed = !emulated.groups().isEmpty();
    table = new LogicalTable(fixed ? WantedRule.Mark.PORT : WantedRule.Mark.NUMBER);
    long begun = System.currentTimeMillis();
    cluster =
        new NodesInOneProcess(
            configured, () -> begun + HASTE * (System.currentTimeMillis() - begun));
    network =
        new EmulatedNetwork(
            new TopologyBuilder("one").addSwitch("s1", DPID, "all", emulated).build(),
            NetworkOptions.ordinary(cluster.addresses()));
    model = new WatchedModel(network.switchNamed("s1"), table, new Random(seed + 1));
    churn = new Churn(table, DEVICE, random, cluster::rules);
    network.start();
  }

  /** With a switch of small tables, which the operator has described. */
  static ModelBench small(String name, long seed) throws IOException {
    return new ModelBench(Models.smallEmulated(name), Models.smallConfigured(name), seed);
  }

  /** Waits until the switch is mastered and made ready, and looks at it from then on. */
  void watch(boolean placed, int packetsPerState) {
    await("the switch is mastered", () -> cluster.owner(DEVICE) != null && model.sendsUp());
    await("it was read", () -> !placed || cluster.master(DPID) != null);
    model.packetsPerState = packetsPerState;
  }

  /** What the master says of the switch; null where it says nothing. */
  @Nullable PlacementReport report() {
    String master = cluster.master(DPID);
    return master == null ? null : cluster.node(master).report(DPID);
  }

  void await(String what, Callable<Boolean> condition) {
    Await.until(what, PATIENCE, condition, this::details);
  }

  private String details() {
    return churn.openRules() + "\n" + model.counts() + "\n" + model.wrong() + "\n" + cluster.fatal;
  }

  /** One change more, while a few others may be under way. */
  void change(int about) {
    churn.change(about);
    int mayWait = random.nextInt(6);
    await("changes are made", () -> churn.undecided() <= mayWait);
    assertThat(model.wrong()).isEmpty();
  }

  /** Another node becomes the switch's master, in the middle of whatever is under way. */
  void replaceMaster() throws IOException {
    NodesInOneProcess.Node master = cluster.owner(DEVICE);
    if (master == null) {
      return; // it is being replaced already
    }
    replaced++;
    if (replaced % 2 == 0 || master.name.equals(HOME)) {
      master.relinquish(DEVICE);
      return;
    }
    bringBack();
    killed = master.name;
    killer = new Thread(master::kill, "kill " + killed);
    killer.start();
  }

  private void bringBack() throws IOException {
    Thread ending = killer;
    String dead = killed;
    if (ending != null && dead != null) {
      try {
        ending.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      }
      cluster.start(dead);
      killer = null;
    }
  }

  /** Times another master was asked for. */
  int replaced() {
    return replaced;
  }

  /** Waits until the node has decided on everything and has nothing to do. */
  void settle(boolean placed) {
    await(
        "all is decided",
        () -> {
          PlacementReport report = report();
          boolean rests = !placed || (report != null && report.rests());
          return churn.undecided() == 0 && rests;
        });
    assertThat(model.wrong()).isEmpty();
  }

  /** Why rules are not in the switch, as the node says now. */
  List<String> refusals() {
    return churn.refused().stream()
        .map(cluster.rules()::error)
        .filter(why -> !why.isEmpty()) // else it was tried again meanwhile, and is there
        .toList();
  }

  /** Rules that are not in the switch at this moment, or of which it is not known. */
  int refusedNow() {
    return churn.undecided() + churn.refused().size();
  }

  @Override
  public void close() {
    network.close();
    try {
      bringBack();
    } catch (IOException e) {
      throw new AssertionError(e);
    } finally {
      cluster.close();
    }
  }
}
