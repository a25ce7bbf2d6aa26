package io.lockstep.deploy.placed;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.node.ControllerNode;
import io.lockstep.core.node.CoreComponents;
import io.lockstep.core.node.CoreTables;
import io.lockstep.core.node.NetworkConfig;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.core.placer.profile.SwitchProfile;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.openflow.channel.OpenFlowServer;
import io.lockstep.openflow.channel.OpenFlowServerConfig;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Nodes n1 to n3 over one store; switches 1 to 16 are one domain, preferred by n1, then n2. */
final class NodesInOneProcess implements AutoCloseable {
  private static final List<Member> MEMBERS =
      List.of(
          new Member("n1", "127.0.0.1", 0),
          new Member("n2", "127.0.0.1", 0),
          new Member("n3", "127.0.0.1", 0));

  final Map<String, Node> nodes = new LinkedHashMap<>();
  final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final LocalEngine engine = LocalEngine.start(new StoreStateMachine(CoreComponents.all()));
  private final AtomicLong nonces = new AtomicLong(1);
  private final SwitchProfiles profiles;

  /** With a profile configured for all switches. */
  NodesInOneProcess(SwitchProfile profile) throws IOException {
    this(new SwitchProfiles(List.of(new SwitchProfiles.Choice(1, 16, profile))));
  }

  NodesInOneProcess(SwitchProfiles profiles) throws IOException {
    this.profiles = profiles;
    for (Member member : MEMBERS) {
      nodes.put(member.nodeId(), new Node(member.nodeId()));
    }
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

    Node(String name) throws IOException {
      this.name = name;
      store =
          BatchingStoreClient.open(
              engine.connect(16),
              ClientOptions.of(name).withTimeToLiveMillis(1_500).withTables(CoreTables.all()),
              System::nanoTime,
              nonces::getAndIncrement);
      NetworkConfig usual = NetworkConfig.DEFAULT;
      NetworkConfig network =
          new NetworkConfig(usual.discovery(), usual.topology(), usual.packets(), 500, profiles);
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
                  new StoreFeed(store, store.loop()),
                  System::nanoTime,
                  System::currentTimeMillis,
                  (where, failure) -> fatal.add(failure)),
              List.of(NetworkRoom.serving(network, List.of())));
      node.start();
      server =
          new OpenFlowServer(
              OpenFlowServerConfig.defaults().withListen("127.0.0.1", 0), node.switches());
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

    /** Its connections are cut, whatever is on its way, and its session ends. */
    void kill() {
      nodes.remove(name, this);
      server.close();
      node.close();
      store.close();
    }
  }
}
