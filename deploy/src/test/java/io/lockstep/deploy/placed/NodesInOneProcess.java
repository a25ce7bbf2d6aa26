package io.lockstep.deploy.placed;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.flow.IntendedRules;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.host.DeviceAccess;
import io.lockstep.core.node.ControllerNode;
import io.lockstep.core.node.CoreComponents;
import io.lockstep.core.node.CoreTables;
import io.lockstep.core.node.NetworkConfig;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.openflow.channel.OpenFlowServer;
import io.lockstep.openflow.channel.OpenFlowServerConfig;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRuleService;

/**
 * Nodes n1 to n3 over one store; switches 1 to 16 are one domain, preferred by n1, then n2. A node
 * that was killed can come back, at the same address.
 */
final class NodesInOneProcess implements AutoCloseable {
  private static final List<Member> MEMBERS =
      List.of(
          new Member("n1", "127.0.0.1", 0),
          new Member("n2", "127.0.0.1", 0),
          new Member("n3", "127.0.0.1", 0));

  final Map<String, Node> nodes = new ConcurrentSkipListMap<>();
  final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final LocalEngine engine = LocalEngine.start(new StoreStateMachine(CoreComponents.all()));
  private final AtomicLong nonces = new AtomicLong(1);
  private final Map<String, Integer> ports = new LinkedHashMap<>();
  private final SwitchProfiles profiles;
  private final LongSupplier wallMillis;

  /** All switches have one profile. */
  NodesInOneProcess(SwitchProfile profile) throws IOException {
    this(new SwitchProfiles(List.of(new SwitchProfiles.Choice(1, 16, profile))));
  }

  /** What an operator has configured. */
  NodesInOneProcess(SwitchProfiles profiles) throws IOException {
    this(profiles, System::currentTimeMillis);
  }

  /**
   * Nodes with what an operator has configured.
   *
   * @param wallMillis milliseconds since 1970, perhaps faster than they are: how often rules that
   *     were refused are tried again, and follow their traffic, depends on it
   */
  NodesInOneProcess(SwitchProfiles profiles, LongSupplier wallMillis) throws IOException {
    this.profiles = profiles;
    this.wallMillis = wallMillis;
    for (Member member : MEMBERS) {
      start(member.nodeId());
    }
  }

  /** Starts a node that does not run. */
  void start(String name) throws IOException {
    Node started = new Node(name, ports.getOrDefault(name, 0));
    ports.put(name, started.server.port());
    nodes.put(name, started);
  }

  /** Where switches connect to, also to nodes that do not run now. */
  List<InetSocketAddress> addresses() {
    return ports.values().stream()
        .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
        .toList();
  }

  /** The service of the last node; its view never goes back as long as that one is not killed. */
  IntendedRules rules() {
    return (IntendedRules) node("n3").node.services().get(FlowRuleService.class);
  }

  /** The node that masters a switch of whatever profile, as the store says; null for none. */
  @Nullable Node owner(DeviceId device) {
    NodeId owner = node("n3").node.services().get(MastershipService.class).getMasterFor(device);
    return owner == null ? null : nodes.get(owner.id());
  }

  /** What Open vSwitch is told. */
  String[] controllers() {
    return nodes.values().stream()
        .map(node -> "tcp:127.0.0.1:" + node.server.port())
        .toArray(String[]::new);
  }

  /** The node that masters a switch and has read it, with its report; null for none. */
  @Nullable String master(long dpid) {
    for (Node node : nodes.values()) {
      if (node.report(dpid) != null) {
        return node.name;
      }
    }
    return null;
  }

  PlacementReport report(long dpid) {
    return Objects.requireNonNull(
        node(Objects.requireNonNull(master(dpid))).report(dpid), "no master");
  }

  Node node(String name) {
    return Objects.requireNonNull(nodes.get(name));
  }

  @Override
  public void close() {
    List.copyOf(nodes.values()).forEach(Node::kill);
    engine.close();
    if (!fatal.isEmpty()) {
      throw new AssertionError("a node reported a broken invariant", fatal.get(0));
    }
  }

  /** One node. */
  final class Node {
    final String name;
    final BatchingStoreClient store;
    final ControllerNode node;
    final OpenFlowServer server;

    Node(String name, int port) throws IOException {
      this.name = name;
      store =
          BatchingStoreClient.open(
              engine.connect(16),
              ClientOptions.of(name).withTimeToLiveMillis(15_000).withTables(CoreTables.all()),
              System::nanoTime,
              nonces::getAndIncrement);
      NetworkConfig usual = NetworkConfig.DEFAULT;
      NetworkConfig network =
          new NetworkConfig(
              usual.discovery(),
              usual.topology(),
              usual.packets(),
              500,
              usual.hostSilenceMillis(),
              profiles);
      node =
          new ControllerNode(
              new ControllerNode.Parts(
                  new NodeConfig(
                      "test",
                      name,
                      MEMBERS,
                      List.of(
                          new DomainConfig(
                              "d", List.of(new DpidRange(1, 16)), List.of("n1", "n2"))),
                      60_000),
                  "test",
                  store,
                  store.loop(),
                  new StoreFeed(store, store.loop()),
                  System::nanoTime,
                  wallMillis,
                  (where, failure) -> fatal.add(failure)),
              List.of(NetworkRoom.serving(network, List.of(), Map.of(), DeviceAccess.Factory.OWN)));
      node.start();
      server =
          new OpenFlowServer(
              OpenFlowServerConfig.defaults().withListen("127.0.0.1", port), node.switches());
      server.start();
    }

    @Nullable PlacementReport report(long dpid) {
      try {
        return node.services()
            .get(NetworkRoom.class)
            .askRules(installer -> installer.reports())
            .get(30, TimeUnit.SECONDS)
            .get(dpid);
      } catch (Exception e) {
        throw new AssertionError(name + " does not answer", e);
      }
    }

    /** It gives the switch's domain to the next choice; it may still be at it. */
    void relinquish(DeviceId device) {
      node.services().get(MastershipService.class).relinquishMastership(device).join();
    }

    /** Its connections are cut, whatever is on its way, and its session ends. */
    void kill() {
      nodes.remove(name, this);
      server.close();
      node.close();
      store.close();
    }
  }
}
