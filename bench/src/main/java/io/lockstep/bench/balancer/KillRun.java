package io.lockstep.bench.balancer;

import io.lockstep.apps.loadbalancer.state.ConnectionRecord;
import io.lockstep.apps.loadbalancer.state.OrderCheck;
import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.LastingConnections;
import io.lockstep.dataplane.network.LastingConnections.Kept;
import io.lockstep.dataplane.network.LastingConnections.State;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.dataplane.topology.Topology.SwitchSpec;
import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.status.AdminClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to one virtual IP from all three domains of an emulated network, each mastered
 * by a node of its own, kills the master of the first domain in the middle, asks all connections
 * whether they go on, and compares their members with the records in the store. Used by one thread.
 */
final class KillRun {
  private static final String VIP = "10.0.0.100";
  private static final int MEMBER_PORT = 8_080;
  private static final int SWITCHES_PER_DOMAIN = 3;
  private static final int HOSTS_PER_SWITCH = 4;
  private static final int MEMBERS = 4;
  private static final int SUBNET = 24;
  private static final int PER_SECOND = 2_500;
  private static final long PATIENCE_SECONDS = 600;
  private static final long ASK_AGAIN_MILLIS = 500;

  private final int wanted;
  private final PrintWriter out;

  KillRun(int wanted, PrintWriter out) {
    this.wanted = wanted;
    this.out = out;
  }

  KillPoint run() throws BenchException, InterruptedException, IOException {
    RunDirectory directory = RunDirectory.create("load-balancer-kill");
    Topology topology = topology();
    try (NodeProcesses nodes =
        new NodeProcesses(
            directory.path(),
            domains(topology),
            NodeProcesses.WITHOUT_QUOTAS + "state: memory\n")) {
      try (EmulatedNetwork network = EmulatedNetwork.start(topology, nodes.controllers())) {
        nodes.awaitMasters(TimeUnit.SECONDS.toMillis(60));
        KillPoint point = run(nodes, network);
        if (point.pass()) {
          directory.remove();
        } else {
          out.println("logs: " + directory.path());
        }
        return point;
      }
    } catch (TimeoutException | ExecutionException | ConfigException e) {
      throw new BenchException(e.getMessage() + " (logs: " + directory.path() + ")", e);
    }
  }

  /** Three domains with members and clients in each. */
  static Topology topology() {
    return Topologies.threeDomains(SWITCHES_PER_DOMAIN, HOSTS_PER_SWITCH);
  }

  /** Whether the host of this number is a member; all others are clients. */
  static boolean isMember(int host, int hosts) {
    return host % (hosts / MEMBERS) == 0;
  }

  /** The domains of a topology, each with another node as its first master. */
  static List<DomainPlan> domains(Topology topology) {
    List<DomainPlan> domains = new ArrayList<>();
    for (String name : topology.domains()) {
      List<Long> dpids =
          topology.switches().stream()
              .filter(one -> one.domain().equals(name))
              .map(SwitchSpec::dpid)
              .toList();
      domains.add(new DomainPlan(name, dpids, domains.size()));
    }
    return domains;
  }

  private KillPoint run(NodeProcesses nodes, EmulatedNetwork network)
      throws BenchException,
          InterruptedException,
          TimeoutException,
          ExecutionException,
          ConfigException {
    List<EmulatedHost> hosts = List.copyOf(network.hosts());
    awaitHosts(nodes, hosts);
    List<EmulatedHost> members = new ArrayList<>();
    List<EmulatedHost> clients = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      (isMember(i, hosts.size()) ? members : clients).add(hosts.get(i));
    }
    ServiceSetup setup = new ServiceSetup(nodes.plan().adminEndpoint(2));
    setup.addPool("web");
    for (int i = 0; i < members.size(); i++) {
      setup.addMember("m" + i, "web", members.get(i).address().toString());
    }
    setup.addVip("web", "web", VIP, SUBNET, 1 << 17);
    long begin = System.nanoTime();
    int perClient = (wanted + clients.size() - 1) / clients.size();
    try (LastingConnections connections =
        network.keepConnections(Ipv4.parse(VIP), 80, clients, members, MEMBER_PORT)) {
      connections.open(perClient, Math.max(1, PER_SECOND / clients.size()));
      int all = perClient * clients.size();
      await("half of the connections are open", () -> count(connections, State.OPEN) >= all / 2);
      long killedAt = count(connections, State.OPEN);
      nodes.kill(0);
      out.println(nodes.plan().nodeId(0) + " is killed; " + killedAt + " connections are open");
      out.flush();
      await(
          "all connections are open",
          () -> connections.connections().size() == all && count(connections, State.OPENING) == 0);
      connections.talkNow();
      await(
          "all connections are answered",
          () ->
              connections.connections().stream()
                  .noneMatch(one -> one.state() == State.OPEN && one.waits()));
      double seconds = (System.nanoTime() - begin) / 1e9;
      return judge(nodes, connections.connections(), killedAt, seconds);
    }
  }

  private KillPoint judge(NodeProcesses nodes, List<Kept> all, long killedAt, double seconds)
      throws BenchException,
          InterruptedException,
          TimeoutException,
          ExecutionException,
          ConfigException {
    Map<List<Integer>, ConnectionRecord> records;
    try (StoredConnections stored = StoredConnections.open(nodes)) {
      records = stored.records();
    }
    OrderCheck order = OrderCheck.of(records.values(), Map.of());
    long otherMember = 0;
    long open = 0;
    for (Kept one : all) {
      if (one.state() == State.OPEN) {
        open++;
        @Nullable ConnectionRecord record =
            records.get(List.of(one.client().value(), one.clientPort()));
        otherMember += record == null || !record.member().equals("m" + one.server()) ? 1 : 0;
      }
    }
    long broken = all.stream().filter(one -> one.state() == State.BROKEN).count();
    order.wrong().forEach(out::println);
    boolean pass = open == all.size() && broken == 0 && otherMember == 0 && order.wrong().isEmpty();
    KillPoint point =
        new KillPoint(
            all.size(),
            open,
            broken,
            otherMember,
            order.epochs(),
            order.missing(),
            order.wrong().size(),
            killedAt,
            nodes.plan().nodeId(0),
            Math.round(seconds * 10) / 10.0,
            pass);
    out.println(point);
    return point;
  }

  private void awaitHosts(NodeProcesses nodes, List<EmulatedHost> hosts)
      throws BenchException, InterruptedException {
    AdminClient admin = new AdminClient(nodes.plan().adminEndpoint(2), 2_000);
    await(
        "all hosts are known",
        () -> {
          hosts.forEach(EmulatedHost::announce);
          try {
            return admin.report().hosts().size() == hosts.size();
          } catch (IOException notNow) {
            return false;
          }
        });
  }

  private static long count(LastingConnections connections, State state) {
    return connections.connections().stream().filter(one -> one.state() == state).count();
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(String what, Condition condition)
      throws BenchException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.holds()) {
      if (System.nanoTime() > deadline) {
        throw new BenchException("not within " + PATIENCE_SECONDS + " s: " + what);
      }
      Thread.sleep(ASK_AGAIN_MILLIS);
    }
  }
}
