package io.lockstep.core.node;

import static io.lockstep.core.state.Continuations.logFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.PacketView;
import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.host.DeviceAccess;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.packet.Frames;
import io.lockstep.core.packet.PacketCounters;
import io.lockstep.core.packet.PuntKeeper;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.onlab.packet.IpAddress;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.Host;
import org.onosproject.net.Link;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.topology.TopologyService;

/**
 * One node over one store, with three switches in a ring whose ports 1 and 2 are cabled. Each test
 * has its own, and a clock that is no faster than the machine's: they wait side by side.
 */
@Execution(ExecutionMode.CONCURRENT)
class NetworkRoomTest {
  private static final long HOST = 0x0200_0000_0001L;
  private static final long CLAIMED = 0x024c_0a00_0064L;
  private static final int SWITCHES = 3;

  /** Whom a host answers that the node asks. */
  private static final long PROBER = 0x024c_5350_0001L;

  private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final TestClock clock = new TestClock(this::threads);
  private final LocalEngine engine =
      LocalEngine.start(new StoreStateMachine(CoreComponents.all()), clock::millis);
  private final AtomicLong nonces = new AtomicLong(1);
  private final BatchingStoreClient store =
      BatchingStoreClient.open(
          engine.connect(16),
          ClientOptions.of("n1").withTables(CoreTables.all()),
          clock::nanos,
          nonces::getAndIncrement);
  private final ExecutorService switchLoop = Executors.newSingleThreadExecutor();
  private final ControllerNode node =
      new ControllerNode(
          new ControllerNode.Parts(
              new NodeConfig(
                  "test",
                  "n1",
                  List.of(new Member("n1", "127.0.0.1", 0)),
                  List.of(
                      new DomainConfig("d", List.of(new DpidRange(1, SWITCHES)), List.of("n1"))),
                  1_000),
              "test",
              store,
              store.loop(),
              new StoreFeed(store, store.loop()),
              clock::nanos,
              clock::millis,
              (where, failure) -> fatal.add(failure)),
          List.of(
              NetworkRoom.serving(
                  NetworkConfig.DEFAULT,
                  List.of(new RankedApplication(new Flooder(), 1)),
                  Map.of(),
                  DeviceAccess.Factory.OWN)));
  private final Map<Long, FakeSwitch> switches = new HashMap<>();
  private final List<SwitchPort> floodedTo = new CopyOnWriteArrayList<>();

  /** Whether hosts at ports 3 of switches 1 and 2 hand each other the probes that reach them. */
  private volatile boolean relayed;

  /** Switches whose host at port 3 answers when it is asked. */
  private final Set<Long> awake = ConcurrentHashMap.newKeySet();

  /** Floods everything, and answers for one address itself. */
  private static final class Flooder implements PacketApplication {
    @Override
    public String name() {
      return "flooder";
    }

    @Override
    public boolean claimsSource(PacketView packet, NetworkView network) {
      return packet.source().toLong() == CLAIMED;
    }

    @Override
    public Decision packetIn(PacketView packet, NetworkView network) {
      return network.onBroadcastTree(packet.deviceId(), packet.inPort())
          ? Decision.act(new Instruction.Flood())
          : Decision.DROP;
    }
  }

  NetworkRoomTest() throws IOException {
    node.start();
    for (long dpid = 1; dpid <= SWITCHES; dpid++) {
      FakeSwitch added = new FakeSwitch(dpid, 3, this::onSwitchLoop);
      added.onPacketOut = out -> carry(added, out);
      switches.put(dpid, added);
      onSwitchLoop(() -> node.switches().connected(added));
    }
  }

  private List<Executor> threads() {
    return List.of(switchLoop, store.loop(), this::onControlLoop);
  }

  private void onControlLoop(Runnable task) {
    logFailure("a task on the control loop", node.status().thenRun(task));
  }

  private void onSwitchLoop(Runnable task) {
    try {
      switchLoop.execute(task);
    } catch (RejectedExecutionException e) {
      // The test is over.
    }
  }

  private void carry(FakeSwitch from, PacketOut out) {
    for (PortNumber port : out.outPorts()) {
      long number = port.toLong();
      boolean lldp = out.data()[12] == (byte) 0x88;
      if (lldp && relayed && number == 3 && from.dpid() < 3) {
        deliver(3 - from.dpid(), 3, out.data());
      }
      if (out.data()[12] == 8 && out.data()[13] == 6 && awake.contains(from.dpid())) {
        deliver(from.dpid(), 3, hostsArp(from.dpid(), PROBER));
      }
      if (!lldp) {
        floodedTo.add(new SwitchPort(from.dpid(), number));
      }
      if (number == 1) {
        deliver(from.dpid() % SWITCHES + 1, 2, out.data());
      } else if (number == 2) {
        deliver((from.dpid() + SWITCHES - 2) % SWITCHES + 1, 1, out.data());
      }
    }
  }

  private void deliver(long dpid, long port, byte[] frame) {
    onSwitchLoop(
        () -> {
          FakeSwitch to = switches.get(dpid);
          if (to != null) {
            node.switches().packetIn(to, Frames.whole(port, frame));
          }
        });
  }

  @AfterEach
  void close() {
    switchLoop.shutdownNow();
    node.close();
    store.close();
    engine.close();
    assertThat(fatal).isEmpty();
  }

  private <T> T service(Class<T> type) {
    return node.services().get(type);
  }

  private boolean floodsFrom(long dpid) {
    NetworkRoom room = service(NetworkRoom.class);
    return room.network().isEdge(SwitchPort.device(dpid), PortNumber.portNumber(3));
  }

  private void awaitNetwork() {
    clock.await("all links are known", () -> service(LinkService.class).getLinkCount() == 6);
    clock.await("all edges are open", () -> floodsFrom(1) && floodsFrom(2) && floodsFrom(3));
    clock.await(
        "the tree is open",
        () ->
            service(NetworkRoom.class)
                    .network()
                    .floodPorts(SwitchPort.device(1), PortNumber.portNumber(3))
                    .size()
                == 2);
  }

  @Test
  void ringIsFoundAndABroadcastReachesEverySwitchOnce() {
    awaitNetwork();
    TopologyService topology = service(TopologyService.class);
    clock.await(
        "the topology shows it",
        () ->
            topology.currentTopology().linkCount() == 6
                && topology.currentTopology().clusterCount() == 1);
    deliver(1, 3, Frames.arp(1, HOST, 0x0a00_0001, 0, 0x0a00_0002));
    clock.await("it left at the other edges", () -> floodedTo.size() >= 4);
    clock.await("the host is known", () -> service(HostService.class).getHostCount() == 1);
    assertThat(floodedTo)
        .as("two cables of the tree, and the edges of the other two switches")
        .containsExactlyInAnyOrder(
            new SwitchPort(1, 1), new SwitchPort(1, 2), new SwitchPort(2, 3), new SwitchPort(3, 3));
    Host host = service(HostService.class).getHosts().iterator().next();
    assertThat(SwitchPort.of(host.location())).isEqualTo(new SwitchPort(1, 3));
    assertThat(host.ipAddresses()).containsExactly(IpAddress.valueOf("10.0.0.1"));
  }

  @Test
  void aSenderWithAnAddressOfAnApplicationIsNoHost() {
    awaitNetwork();
    deliver(1, 3, Frames.arp(1, CLAIMED, 0x0a00_0064, 0, 0x0a00_0002));
    deliver(1, 3, Frames.arp(1, HOST, 0x0a00_0001, 0, 0x0a00_0002));
    clock.await("another sender is one", () -> service(HostService.class).getHostCount() == 1);
    assertThat(service(HostService.class).getHosts())
        .allMatch(host -> host.mac().toLong() == HOST)
        .hasSize(1);
    assertThat(
            service(NetworkRoom.class)
                .counters()
                .packets()
                .of(PacketCounters.PacketResult.CLAIMED_SOURCE))
        .isEqualTo(1);
  }

  private FakeSwitch fake(long dpid) {
    FakeSwitch known = switches.get(dpid);
    if (known == null) {
      throw new IllegalArgumentException("no switch " + dpid);
    }
    return known;
  }

  @Test
  void portDownTakesItsLinksAndTheTreeHeals() {
    awaitNetwork();
    List<Object> reasons = new CopyOnWriteArrayList<>();
    service(TopologyService.class).addListener(event -> reasons.addAll(event.reasons()));
    onSwitchLoop(
        () -> node.switches().portStatus(fake(1), PortChange.MODIFIED, fake(1).setPort(1, false)));
    clock.await("the cable is gone", () -> service(LinkService.class).getLinkCount() == 4);
    clock.await("the topology names both links", () -> reasons.size() == 2);
    assertThat(reasons)
        .allSatisfy(
            reason ->
                assertThat(((LinkEvent) reason).type()).isEqualTo(LinkEvent.Type.LINK_REMOVED));
    Iterable<Link> left = service(LinkService.class).getActiveLinks();
    assertThat(left).noneMatch(link -> SwitchPort.of(link.src()).equals(new SwitchPort(1, 1)));
    clock.await(
        "the other cable takes over",
        () ->
            service(NetworkRoom.class)
                .network()
                .onBroadcastTree(SwitchPort.device(2), PortNumber.portNumber(1)));
  }

  private static byte[] hostsArp(long dpid, long to) {
    return Frames.arp(2, HOST + dpid, (int) (0x0a00_0000 + dpid), to, 0);
  }

  @Test
  void probesThatAwakeHostsRelayMakeNoLinkButATrouble() {
    awaitNetwork();
    awake.addAll(Set.of(1L, 2L));
    deliver(1, 3, hostsArp(1, HOST));
    deliver(2, 3, hostsArp(2, HOST));
    clock.await("both are known", () -> service(HostService.class).getHostCount() == 2);
    clock.await(
        "applications see both", () -> service(NetworkRoom.class).network().hosts().size() == 2);
    relayed = true;
    clock.await("the status says so", () -> trouble(2).contains("relays probes"));
    long end = clock.millis() + 15_000;
    clock.await("a while passes", () -> clock.millis() > end);
    assertThat(service(LinkService.class).getLinkCount()).isEqualTo(6);
    assertThat(floodsFrom(1) && floodsFrom(2)).as("the hosts keep their ports").isTrue();
    assertThat(service(HostService.class).getHostCount()).isEqualTo(2);

    awake.clear();
    clock.await("they are a link", () -> service(LinkService.class).getLinkCount() == 8);
    clock.await("no host is behind it", () -> service(HostService.class).getHostCount() == 0);
    clock.await(
        "applications see none", () -> service(NetworkRoom.class).network().hosts().isEmpty());
  }

  private String trouble(long dpid) {
    return node.status().join().switches().stream()
        .filter(one -> one.dpid() == dpid)
        .map(NodeStatus.SwitchInfo::trouble)
        .findFirst()
        .orElse("");
  }

  @Test
  void linksOfASwitchThatDisconnectedEndWithinThreeSeconds() {
    awaitNetwork();
    FakeSwitch lost = fake(3);
    long from = clock.millis();
    lost.open = false;
    onSwitchLoop(() -> node.switches().disconnected(lost, "its process ended"));
    clock.await("its links ended", () -> service(LinkService.class).getLinkCount() == 2);
    assertThat(clock.millis() - from).isLessThan(3_000);
  }

  private boolean isAt(long dpid) {
    for (Host host : service(HostService.class).getHosts()) {
      if (SwitchPort.of(host.location()).equals(new SwitchPort(dpid, 3))) {
        return true;
      }
    }
    return false;
  }

  private void passMillis(long millis) {
    long end = clock.millis() + millis;
    clock.await("a while passes", () -> clock.millis() > end);
  }

  @Test
  void hostOfASwitchThatIsOfflineIsNotHijackedAndCanObjectWhenItIsBack() {
    awaitNetwork();
    deliver(1, 3, hostsArp(1, HOST));
    clock.await("the host is known", () -> isAt(1));
    FakeSwitch lost = fake(1);
    lost.open = false;
    onSwitchLoop(() -> node.switches().disconnected(lost, "its process ended"));
    DeviceService devices = service(DeviceService.class);
    clock.await("it is offline", () -> !devices.isAvailable(lost.deviceId()));
    deliver(2, 3, hostsArp(1, HOST));
    passMillis(2_000);
    assertThat(isAt(1)).as("no node could ask").isTrue();

    awake.add(1L);
    lost.open = true;
    onSwitchLoop(() -> node.switches().connected(lost));
    clock.await("it is back", () -> devices.isAvailable(lost.deviceId()));
    for (int i = 0; i < 20; i++) {
      deliver(2, 3, hostsArp(1, HOST));
      passMillis(100);
      assertThat(isAt(1)).as("the host objects").isTrue();
    }
  }

  @Test
  void claimsAndFramesAreCounted() {
    awaitNetwork();
    NetworkRoom room = service(NetworkRoom.class);
    assertThat(room.counters().linkClaims().get("link")).isGreaterThanOrEqualTo(6);
    assertThat(room.counters().lldp().byVerdict().get("genuine")).isGreaterThanOrEqualTo(6);
    assertThat(room.counters().puntEntries()).containsKey(PuntKeeper.Event.MISSING);
  }

  @Test
  void intendedRuleIsInstalled() {
    FlowRule rule =
        DefaultFlowRule.builder()
            .forDevice(SwitchPort.device(2))
            .withSelector(DefaultTrafficSelector.emptySelector())
            .withTreatment(DefaultTrafficTreatment.builder().drop().build())
            .withPriority(7)
            .fromApp(new DefaultApplicationId(3, "org.example"))
            .makePermanent()
            .build();
    FlowRuleService rules = service(FlowRuleService.class);
    rules.applyFlowRules(rule);
    clock.await(
        "it is added",
        () -> {
          FlowEntry entry = rules.getFlowEntry(rule);
          return entry != null && entry.state() == FlowEntry.FlowEntryState.ADDED;
        });
    assertThat(fake(2).confirmed).anyMatch(mod -> mod.priority() == 7);
  }
}
