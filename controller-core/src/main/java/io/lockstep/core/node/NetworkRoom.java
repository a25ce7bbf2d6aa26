package io.lockstep.core.node;

import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.flow.IntendedRules;
import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.flow.RuleInstaller;
import io.lockstep.core.flow.RuleTables;
import io.lockstep.core.flow.placed.PlacementTables;
import io.lockstep.core.host.DeviceAccess;
import io.lockstep.core.host.HostDirectory;
import io.lockstep.core.host.HostTracker;
import io.lockstep.core.host.HostWriter;
import io.lockstep.core.host.NetworkHosts;
import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.link.DiscoveryKeyAgreement;
import io.lockstep.core.link.EdgeTable;
import io.lockstep.core.link.LinkDiscovery;
import io.lockstep.core.link.LinkSurroundings;
import io.lockstep.core.link.LldpReceiver;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.mastership.BoundedWriter;
import io.lockstep.core.mastership.DomainWriter;
import io.lockstep.core.mastership.GatheringWriter;
import io.lockstep.core.mastership.Ownership;
import io.lockstep.core.mastership.WriteBounds;
import io.lockstep.core.packet.ApplicationFailures;
import io.lockstep.core.packet.ApplicationStates;
import io.lockstep.core.packet.FrameView;
import io.lockstep.core.packet.NetworkPackets;
import io.lockstep.core.packet.PacketDispatcher;
import io.lockstep.core.packet.PacketHandlers;
import io.lockstep.core.packet.PacketKeep;
import io.lockstep.core.packet.PacketRequests;
import io.lockstep.core.packet.PacketSender;
import io.lockstep.core.packet.ProcessorChain;
import io.lockstep.core.packet.PuntKeeper;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketKind;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.SwitchTroubles;
import io.lockstep.core.state.TableView;
import io.lockstep.core.statistics.SwitchStatistics;
import io.lockstep.core.topology.TopologyTracker;
import io.lockstep.store.TableSpec;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.MacAddress;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.PortDescription;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.packet.PacketService;

/**
 * Links, topology, hosts, flow rules and the way of packets, put together. It offers onos-api's
 * link, topology, host, flow rule and packet services, and itself for those who want its numbers.
 */
public final class NetworkRoom implements NodeRoom {
  private static final long MINUTE_MILLIS = 60_000;

  private final NetworkConfig config;
  private final NodeContext node;
  private final ControlLoop loop;
  private final InputCounters inputs = new InputCounters();
  private final TableView<DirectedLink, Long> links;
  private final TableView<SwitchPort, Long> edges;
  private final LinkDiscovery discovery;
  private final HostTracker hostTracker;
  private final HostDirectory directory;
  private final NodeTopology map;
  private final TopologyTracker tracker;
  private final RuleInstaller installer;
  private final NetworkCounters counters;
  private final PacketDispatcher dispatcher;
  private final PacketKeep keep;
  private final SwitchTroubles troubles;
  private final PuntKeeper punts;

  /**
   * Makes the room in a node.
   *
   * @param tables of the applications
   * @param devices what happens in the store when a packet of a device came in
   */
  public static NodeRoom.Factory serving(
      NetworkConfig config,
      List<RankedApplication> applications,
      Map<String, TableSpec> tables,
      DeviceAccess.Factory devices) {
    return node -> new NetworkRoom(config, applications, tables, devices, node);
  }

  private NetworkRoom(
      NetworkConfig config,
      List<RankedApplication> applications,
      Map<String, TableSpec> tables,
      DeviceAccess.Factory devices,
      NodeContext node) {
    this.config = config;
    this.node = node;
    this.loop = node.state().loop();
    Alarm alarm = loop::schedule;
    troubles = new SwitchTroubles(node.nanoClock());
    DomainWriter writer = DomainWriter.through(node.store(), node.fencing());
    WriteBounds bounds = new WriteBounds(inputs);
    DomainWriter bounded =
        new BoundedWriter(new GatheringWriter(node.store(), node.fencing()), bounds);
    map = new NodeTopology(node, config.topology(), this::provenEdges);
    tracker = map.tracker();
    links = map.links();
    edges = node.state().declare(EdgeTable.NAME, new EdgeTable());
    discovery =
        new LinkDiscovery(
            new KnownLinks(),
            bounded,
            config.discovery(),
            loop,
            node.nanoClock(),
            node.wallMillis(),
            dpid -> node.ownership().owner(dpid) != null,
            inputs,
            troubles);
    LldpReceiver lldp = new LldpReceiver(discovery, node.wallMillis(), node.nanoClock());
    links.addListener((link, old, now) -> linkChanged(link, now != null));
    edges.addListener((port, old, now) -> tracker.changed());

    NetworkHosts hosts = new NetworkHosts(node.state(), node.events());
    hostTracker =
        new HostTracker(
            hosts,
            new HostTracker.Reach(
                node.mastery(),
                HostWriter.through(node.store(), node.fencing(), bounds),
                bounded,
                this::network,
                () -> edges.entries().keySet(),
                port -> edges.known(port) != null,
                this::asker,
                port -> node.fencing().fence(port.deviceId()) != null,
                new HostTracker.Leftovers(
                    port -> node.ownership().ownLeftovers(port.dpid()) != null,
                    HostWriter.through(
                        node.store(),
                        id -> node.ownership().ownLeftovers(SwitchPort.dpid(id)),
                        bounds)),
                new PacketPath(),
                devices.over(node.store(), node.traffic(), node.nanoClock())),
            loop,
            alarm,
            new HostTracker.Clocks(node.nanoClock(), node.wallMillis()),
            config.hostSilenceMillis());
    directory = new HostDirectory(node.typed());
    hosts.follow(hostTracker);
    hosts.publishPictures(tracker::hostsChanged, this::hostMoved, alarm);
    edges.addListener(
        (port, old, now) -> {
          if (old == null && now != null) {
            hostTracker.edgeOpened(port);
          }
        });

    RuleTables rules = new RuleTables(node.state());
    installer =
        new RuleInstaller(
            rules,
            new PlacementTables(node.state()),
            config.profiles(),
            node.store(),
            writer,
            loop,
            alarm,
            node.wallMillis(),
            inputs);
    IntendedRules intended =
        new IntendedRules(
            rules,
            installer,
            node.store(),
            node.services().get(SwitchStatistics.class)::tables,
            alarm,
            node.events());
    PacketRequests requests = new PacketRequests(NodeId.nodeId(node.config().nodeId()), intended);
    ApplicationFailures failures = new ApplicationFailures(node.wallMillis());
    PacketSender sender = new PacketSender(node.mastery(), this::network, node.nanoClock());
    ProcessorChain processors = new ProcessorChain(sender, failures, node.nanoClock());
    ApplicationStates states = new ApplicationStates(node.state(), node.typed(), node.wallMillis());
    dispatcher =
        new PacketDispatcher(
            node.mastery(),
            node.store(),
            this::network,
            new PacketHandlers(
                lldp, List.of(hostTracker), processors, applications, tables, states::isActive),
            installer,
            config.packets(),
            failures,
            alarm,
            node.nanoClock(),
            node.traffic());
    states.onActivation(dispatcher.events()::activated);
    keep = new PacketKeep(dispatcher, alarm, node.nanoClock());
    punts = new PuntKeeper(installer, troubles);
    counters =
        new NetworkCounters(
            dispatcher, failures, inputs, hostTracker, discovery, lldp, punts, installer);
    tracker.addListener(new PacketPath());
    new ApplicationPictures(
        node.state(),
        applications,
        failures,
        tracker::tablesChanged,
        dispatcher.events()::pictureChanged);

    // In this order: whose flow-mods are placed is known first, and what sends packets up next.
    // What was kept meanwhile is last.
    node.mastery().addListener(installer);
    node.mastery().addListener(punts);
    node.mastery().addListener(dispatcher);
    node.mastery().addListener(discovery);
    node.mastery().addListener(requests);
    node.mastery().addListener(hostTracker);
    node.mastery().addListener(keep);
    ServiceRegistry services = node.services();
    services.offer(HostService.class, hosts);
    services.offer(FlowRuleService.class, intended);
    services.offer(RoomRules.class, new RoomRules(rules));
    services.offer(PacketService.class, new NetworkPackets(processors, requests, sender));
    services.offer(ApplicationStates.class, states);
    services.offer(NetworkRoom.class, this);
  }

  private Collection<SwitchPort> provenEdges() {
    return discovery.provenEdges();
  }

  private void linkChanged(DirectedLink link, boolean present) {
    discovery.linkChanged(link, present);
    hostTracker.linkChanged(link.src(), present);
    hostTracker.linkChanged(link.dst(), present);
  }

  /**
   * A switch that has no master, or to which its master is not connected, is still at work: its
   * hosts are awake, and only not asked yet.
   */
  private HostTracker.@Nullable Asker asker(SwitchPort port) {
    Ownership.Owner owner = node.ownership().owner(port.dpid());
    if (owner == null) {
      return null;
    }
    TableView.Held<Long> connection = node.connections().held(owner.node(), port.dpid());
    return connection != null && connection.value() == owner.sessionId()
        ? new HostTracker.Asker(owner.fence(), connection.version())
        : null;
  }

  /** The network as applications see it now. Thread-safe. */
  public NetworkView network() {
    return tracker.picture();
  }

  /**
   * The same, with the switches that cannot rewrite packets, as they or their profiles say: for
   * nouns and resources.
   */
  public NetworkView shownNetwork() {
    return tracker
        .picture()
        .withoutRewriting(
            device -> {
              SwitchConnection connection = node.mastery().connected(device);
              return connection != null && !config.profiles().rewrites(connection);
            });
  }

  /** What was counted here. Thread-safe. */
  public NetworkCounters counters() {
    return counters;
  }

  /** Finds devices in the store. Thread-safe. */
  public HostDirectory directory() {
    return directory;
  }

  /** Asks the rules of the switches mastered here something, on the control loop. Any thread. */
  public <T> CompletableFuture<T> askRules(Function<RuleInstaller, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    loop.execute(() -> answer.complete(question.apply(installer)));
    return answer;
  }

  @Override
  public void start() {
    new DiscoveryKeyAgreement(node.typed(), new SecureRandom(), loop::schedule)
        .agree(discovery::start);
    loop.scheduleEvery(discovery::periodMillis, discovery::tick);
    loop.scheduleEvery(hostTracker.tickMillis(), hostTracker::tick);
    loop.scheduleEvery(HostTracker.SETTLE_MILLIS, hostTracker::settle);
    loop.scheduleEvery(HostTracker.MONITOR_MILLIS, hostTracker::askMonitored);
    loop.scheduleEvery(MINUTE_MILLIS, dispatcher.events()::minutePassed);
    loop.scheduleEvery(config.readBackMillis(), installer::readBack);
    loop.scheduleEvery(PuntKeeper.CHECK_MILLIS, punts::tick);
    DeviceService devices = node.services().get(DeviceService.class);
    devices.addListener(new DeviceNews(devices, loop, map.topology(), discovery));
  }

  @Override
  public String trouble(long dpid) {
    String rules = installer.trouble(dpid);
    String others = troubles.of(dpid);
    return rules.isEmpty() || others.isEmpty() ? rules + others : rules + "; " + others;
  }

  @Override
  public void packetIn(SwitchConnection connection, PacketIn packetIn) {
    keep.packetIn(connection, packetIn);
  }

  @Override
  public boolean refuses(SwitchConnection connection, long port, PacketKind kind) {
    return keep.refuses(connection, port, kind);
  }

  @Override
  public void portStatus(SwitchConnection connection, PortChange change, PortDescription port) {
    discovery.portStatus(connection, change, port);
    dispatcher.events().portStatus(connection, change, port);
  }

  @Override
  public void flowRemoved(SwitchConnection connection, FlowRemoved flowRemoved) {
    installer.flowRemoved(connection, flowRemoved);
  }

  /** What discovery needs to know. */
  private final class KnownLinks implements LinkSurroundings {
    @Override
    public Set<DirectedLink> links() {
      return links.entries().keySet();
    }

    @Override
    public Set<SwitchPort> edges() {
      return edges.entries().keySet();
    }

    @Override
    public void changed() {
      tracker.changed();
    }

    @Override
    public @Nullable SwitchConnection connected(long dpid) {
      return node.mastery().connected(SwitchPort.device(dpid));
    }

    @Override
    public boolean isConnectedElsewhere(long dpid) {
      return node.connections().nodesOf(dpid).stream()
          .anyMatch(other -> !other.equals(node.config().nodeId()));
    }

    @Override
    public boolean isHostAwake(SwitchPort port, @Nullable Long cameUpNanos) {
      return hostTracker.isHostAwake(port, cameUpNanos);
    }
  }

  private void hostMoved(SwitchPort from, MacAddress host) {
    dispatcher.events().hostMoved(from, host);
  }

  /** What others ask of the way of packets. */
  private final class PacketPath implements HostTracker.PacketPath, TopologyTracker.Listener {
    @Override
    public void decideAgain(FrameView packet) {
      dispatcher.decideAgain(packet);
    }

    @Override
    public void showSource(SwitchPort place, MacAddress source) {
      dispatcher.events().showSource(place, source);
    }

    @Override
    public void pathsChanged(Set<Long> dpids) {
      dispatcher.events().pathsChanged(dpids);
    }
  }
}
