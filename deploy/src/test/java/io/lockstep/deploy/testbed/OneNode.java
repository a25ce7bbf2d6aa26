package io.lockstep.deploy.testbed;

import io.lockstep.apps.Applications;
import io.lockstep.apps.learningswitch.LearningSwitch;
import io.lockstep.apps.loadbalancer.LoadBalancer;
import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.host.DeviceAccess;
import io.lockstep.core.node.ControllerNode;
import io.lockstep.core.node.CoreComponents;
import io.lockstep.core.node.CoreTables;
import io.lockstep.core.node.NetworkConfig;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.core.node.NodeStatus;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.openflow.channel.OpenFlowServer;
import io.lockstep.openflow.channel.OpenFlowServerConfig;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One node with the product's applications, or others, over a store in the same process. It masters
 * the switches 1 to 16. Closing it fails where an invariant broke meanwhile.
 */
public final class OneNode implements AutoCloseable {
  private static final long SWITCHES = 16;
  private static final long PATIENCE_SECONDS = 30;

  private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final AtomicLong nonces = new AtomicLong(1);
  private final LocalEngine engine;
  private final BatchingStoreClient store;
  private final ControllerNode node;
  private final OpenFlowServer server;

  private OneNode(
      SwitchProfiles profiles, long readBackMillis, List<RankedApplication> applications)
      throws IOException {
    List<MicroComponent> components = new ArrayList<>(CoreComponents.all());
    components.addAll(Applications.microComponents());
    Map<String, TableSpec> tables = new HashMap<>(CoreTables.all());
    tables.putAll(Applications.tables());
    engine = LocalEngine.start(new StoreStateMachine(components));
    store =
        BatchingStoreClient.open(
            engine.connect(16),
            ClientOptions.of("n1").withTimeToLiveMillis(60_000).withTables(tables),
            System::nanoTime,
            nonces::getAndIncrement);
    NetworkConfig usual = NetworkConfig.DEFAULT;
    NetworkConfig network =
        new NetworkConfig(
            usual.discovery(),
            usual.topology(),
            usual.packets(),
            readBackMillis,
            usual.hostSilenceMillis(),
            profiles);
    node =
        new ControllerNode(
            new ControllerNode.Parts(
                new NodeConfig(
                    "test",
                    "n1",
                    List.of(new Member("n1", "127.0.0.1", 0)),
                    List.of(
                        new DomainConfig("d", List.of(new DpidRange(1, SWITCHES)), List.of("n1"))),
                    60_000),
                "test",
                store,
                store.loop(),
                new StoreFeed(store, store.loop()),
                System::nanoTime,
                System::currentTimeMillis,
                (where, failure) -> fatal.add(failure)),
            List.of(
                NetworkRoom.serving(network, applications, Map.of(), DeviceAccess.Factory.OWN)));
    node.start();
    server =
        new OpenFlowServer(
            OpenFlowServerConfig.defaults().withListen("127.0.0.1", 0), node.switches());
    server.start();
  }

  /** A running node whose switches take every rule. */
  public static OneNode start() throws IOException {
    return start(SwitchProfiles.NONE);
  }

  /** A running node that knows its switches' tables. */
  public static OneNode start(SwitchProfiles profiles) throws IOException {
    return start(profiles, NetworkConfig.DEFAULT.readBackMillis());
  }

  /** The same, with its time between two readings of a switch's entries. */
  public static OneNode start(SwitchProfiles profiles, long readBackMillis) throws IOException {
    return start(
        profiles,
        readBackMillis,
        List.of(
            new RankedApplication(new LoadBalancer(), 0),
            new RankedApplication(new LearningSwitch(LearningSwitch.Config.DEFAULT), 1)));
  }

  /** The same with other applications. */
  public static OneNode start(
      SwitchProfiles profiles, long readBackMillis, List<RankedApplication> applications)
      throws IOException {
    return new OneNode(profiles, readBackMillis, applications);
  }

  /** Where switches connect. */
  public InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
  }

  /** What Open vSwitch is to connect to. */
  public String controller() {
    return "tcp:127.0.0.1:" + server.port();
  }

  /** A service of the node. */
  public <T> T service(Class<T> type) {
    return node.services().get(type);
  }

  /** The node's status now. */
  public NodeStatus status() {
    try {
      return node.status().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the node does not answer", e);
    }
  }

  /** What the store replies to a command. */
  public Reply run(Command command) {
    try {
      return store.submit(command).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the store does not answer", e);
    }
  }

  /** What the status says of a switch's troubles; null where it does not know the switch. */
  public @Nullable String trouble(long dpid) {
    return status().switches().stream()
        .filter(one -> one.dpid() == dpid)
        .map(NodeStatus.SwitchInfo::trouble)
        .findFirst()
        .orElse(null);
  }

  @Override
  public void close() {
    server.close();
    node.close();
    store.close();
    engine.close();
    if (!fatal.isEmpty()) {
      throw new AssertionError("the node reported a broken invariant", fatal.get(0));
    }
  }
}
