package io.lockstep.bench.network;

import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.EmulatedSwitch;
import io.lockstep.dataplane.network.NewFlows;
import io.lockstep.dataplane.openflow.ControllerRole;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The phases of one run, in their order. Used by one thread. */
final class NetworkPhases {
  static final String CONNECT = "connect";
  static final String MASTERED = "mastered";
  static final String LINKED = "linked";
  static final String REST = "rest";
  static final String KILL = "kill";
  static final String STOP = "stop";
  static final String HAND_BACK = "handBack";

  /** The entries of a flow live 10 s, and are looked for every second or so. */
  private static final int NEW_SECONDS = 12;

  private static final Goal NOTHING = new Goal("nothing", List::of, List::of);

  private final NodeProcesses nodes;
  private final NodeViews views;
  private final PhaseRunner runner;
  private final EmulatedNetwork network;
  private final NetworkSettings settings;
  private final List<InetSocketAddress> controllers;
  private final Collection<EmulatedSwitch> switches;
  private final HostIntroduction introduction;

  /**
   * @param network not started yet
   */
  NetworkPhases(
      NodeProcesses nodes,
      NodeViews views,
      PhaseRunner runner,
      EmulatedNetwork network,
      NetworkSettings settings) {
    this.nodes = nodes;
    this.views = views;
    this.runner = runner;
    this.network = network;
    this.settings = settings;
    this.controllers = nodes.controllers();
    this.switches = network.switches();
    this.introduction = new HostIntroduction(network, views);
  }

  /**
   * Starts the network: connect, mastered, linked.
   *
   * @param failures gets what is wrong with the links
   */
  void comeUp(List<String> failures)
      throws BenchException, IOException, InterruptedException, PhaseException {
    Goal connected = new Goal("switches not connected", this::unconnected, views::unconnected);
    runner.measure(CONNECT, network::start, connected, null);
    Goal mastered = mastered("switches without a master that answers", switches, any -> true, null);
    runner.measure(MASTERED, () -> {}, mastered, null);
    try {
      Goal linked = new Goal("directions of links that are wrong", List::of, views::wrongLinks);
      runner.measure(LINKED, () -> {}, linked, null);
    } catch (PhaseException e) {
      failures.add(String.valueOf(e.getMessage()));
    }
  }

  /** A connection begins as equal; a node that has completed the handshake asks for a role. */
  private List<String> unconnected() {
    return switches.stream()
        .filter(
            one ->
                one.roles().size() < NodeProcesses.NODES
                    || one.roles().contains(ControllerRole.EQUAL))
        .map(EmulatedSwitch::name)
        .toList();
  }

  /**
   * Introduces the hosts, waits until their flows have expired, and rests.
   *
   * @return how many hosts are unknown to the node that is asked
   */
  int rest() throws BenchException, IOException, InterruptedException, PhaseException {
    runner.before(REST, this::awaitHome);
    int unknown = introduction.introduce();
    Goal expired =
        new Goal("switches whose flows do not expire", introduction::withFlows, List::of);
    runner.before(REST, () -> runner.await(expired));
    long millis = TimeUnit.SECONDS.toMillis(settings.restSeconds());
    runner.measure(REST, () -> Thread.sleep(millis), NOTHING, null);
    return unknown;
  }

  /** How many flows a second are new: each pair of hosts has its turn when its entries are gone. */
  int flowsPerSecond() {
    int hosts = introduction.talkers().size();
    return Math.max(1, Math.min(settings.flowsPerSecond(), hosts * (hosts - 1) / NEW_SECONDS));
  }

  /**
   * Kill, stop and handBack, with new flows meanwhile where there are hosts.
   *
   * @param seed of the order of the flows
   */
  void fail(long seed) throws BenchException, IOException, InterruptedException, PhaseException {
    List<EmulatedHost> talkers = introduction.talkers();
    if (talkers.size() < 2) {
      lose(() -> {});
      return;
    }
    try (NewFlows flows = network.startNewFlows(talkers, flowsPerSecond(), seed)) {
      runner.count(flows);
      lose(runner::awaitFlows);
    }
  }

  private void lose(PhaseRunner.Action awaitFlows)
      throws BenchException, IOException, InterruptedException, PhaseException {
    runner.before(KILL, awaitFlows);
    int killed = leader();
    leave(KILL, killed, () -> runner.kill(killed), List.of());
    runner.before(
        STOP,
        () -> {
          runner.start(killed);
          awaitHome();
          awaitFlows.run();
        });
    int stopped = leader();
    leave(STOP, stopped, () -> runner.terminate(stopped), List.of(stopped));
    MasterTimes times = new MasterTimes();
    String what = "switches that " + nodes.plan().nodeId(stopped) + " does not master again";
    Goal home = mastered(what, homeOf(stopped), node -> node == stopped, times);
    runner.measure(HAND_BACK, () -> runner.start(stopped), home, times);
  }

  /** The node whose replica leads the store; all its switches, and the store, lose it at once. */
  private int leader() {
    return Math.max(0, views.leader());
  }

  /**
   * A node leaves; all its switches get new masters.
   *
   * @param ending nodes whose processes are to have ended besides
   */
  private void leave(String phase, int node, PhaseRunner.Action action, List<Integer> ending)
      throws BenchException, IOException, InterruptedException, PhaseException {
    MasterTimes times = new MasterTimes();
    List<EmulatedSwitch> its = switches.stream().filter(one -> masterOf(one) == node).toList();
    Goal taken =
        mastered("switches without a new master that answers", its, other -> other != node, times);
    Goal ended =
        new Goal(
            taken.what(),
            taken.atSwitches(),
            () -> {
              List<String> missing = new ArrayList<>(taken.atNodes().get());
              ending.stream()
                  .filter(nodes::running)
                  .map(each -> nodes.plan().nodeId(each) + " itself, which still runs")
                  .forEach(missing::add);
              return missing;
            });
    runner.measure(phase, action, ended, times);
  }

  /** The number of the switch's master, as the switch sees it; -1 for none. */
  private int masterOf(EmulatedSwitch one) {
    InetSocketAddress master = one.master();
    return master == null ? -1 : controllers.indexOf(master);
  }

  /** Each of these switches has one of these nodes as its master, and that node says so, too. */
  private Goal mastered(
      String what, Collection<EmulatedSwitch> its, IntPredicate by, @Nullable MasterTimes times) {
    return new Goal(
        what,
        () -> {
          List<String> missing =
              its.stream()
                  .filter(one -> masterOf(one) < 0 || !by.test(masterOf(one)))
                  .map(EmulatedSwitch::name)
                  .toList();
          if (times != null) {
            times.seen(missing.size(), its.size(), System.nanoTime());
          }
          return missing;
        },
        () -> views.unmastered(its, by));
  }

  private List<EmulatedSwitch> homeOf(int node) {
    return switches.stream().filter(one -> views.home(one) == node).toList();
  }

  private void awaitHome() throws InterruptedException, PhaseException {
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      int home = node;
      String what = "switches that " + nodes.plan().nodeId(node) + " does not master";
      runner.await(mastered(what, homeOf(node), one -> one == home, null));
    }
  }
}
