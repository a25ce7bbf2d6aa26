package io.lockstep.deploy.node;

import io.lockstep.core.audit.AuditTrail;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.link.DiscoveryConfig;
import io.lockstep.core.node.ControllerNode;
import io.lockstep.core.node.NetworkConfig;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.core.node.PathRoom;
import io.lockstep.core.node.StaticFlowRoom;
import io.lockstep.core.node.SummaryRoom;
import io.lockstep.core.operation.LivingReplicas;
import io.lockstep.core.packet.PacketLimits;
import io.lockstep.core.path.PathOffer;
import io.lockstep.core.probe.ProbeRoom;
import io.lockstep.core.recording.StoreTraffic;
import io.lockstep.core.staticflow.StaticFlows;
import io.lockstep.deploy.admin.AdminServer;
import io.lockstep.deploy.config.DomainsFile;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.process.OpenFiles;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.process.ProductVersion;
import io.lockstep.keys.LinkKeys;
import io.lockstep.openflow.channel.OpenFlowServer;
import io.lockstep.openflow.channel.OpenFlowServerConfig;
import io.lockstep.store.StoreClient;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.core.CauseNames;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.typed.Store;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onosproject.core.CoreService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A controller node with all its parts: admin HTTP, replica, store client, node, OpenFlow. They
 * start in this order, so that a node that cannot listen disturbs nobody, and switches come last;
 * they stop in the opposite one, once other nodes have this one's switches.
 */
public final class RunningNode implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RunningNode.class);

  /** What a take-over may need after the lease has run out. */
  private static final int TAKEOVER_MILLIS = 1_500;

  private final OpenParts openParts = new OpenParts();

  private RunningNode() {}

  /**
   * Starts a node; returns when everything listens, before the node takes part in its cluster.
   *
   * @throws OperatorException where a port is taken, with its key and the remedy
   */
  public static RunningNode start(NodeSettings settings) throws OperatorException {
    return start(settings, NodeAdditions.NONE);
  }

  /**
   * The same with what a measurement adds.
   *
   * @throws OperatorException as {@link #start(NodeSettings)}
   */
  public static RunningNode start(NodeSettings settings, NodeAdditions additions)
      throws OperatorException {
    PortCheck.forNode(settings);
    log.info(
        "node {} of cluster {}, Lockstep {}, Java {}",
        settings.nodeId(),
        settings.cluster(),
        ProductVersion.text(),
        Runtime.version());
    RunningNode running = new RunningNode();
    try {
      running.open(settings, additions);
      return running;
    } catch (OperatorException e) {
      running.close();
      throw e;
    } catch (IOException | IllegalStateException e) {
      running.close();
      throw OperatorException.of("the node does not start", e);
    }
  }

  private void open(NodeSettings settings, NodeAdditions additions)
      throws IOException, OperatorException {
    ProcessKeys keys = ProcessKeys.open(settings);
    openParts.add("keys", keys);
    RunningParts parts = new RunningParts(false);
    NodeReporter reporter = new NodeReporter(settings, parts);
    AdminServer admin = NodeAdmin.open(settings, keys.links(), reporter);
    admin.starting(true);
    openParts.add("admin HTTP", admin);
    parts.adminOpened(admin);
    StoreAccess store = openStore(settings, keys.links(), additions);
    parts.storeStarted(store);
    StoreTraffic traffic = new StoreTraffic();
    BatchingStoreClient client = store.openClient(traffic);
    openParts.add("store client", client);
    parts.clientOpened(client);
    StoreClient recorded = traffic.around(client);
    NodeRecorder recorder =
        new NodeRecorder(
            settings,
            traffic,
            CauseNames.of(Components.with(additions.components())),
            System::currentTimeMillis);
    openParts.add("recorder", recorder);
    ControllerNode node =
        new ControllerNode(
            new ControllerNode.Parts(
                nodeConfig(settings, keys.links()),
                ProductVersion.text(),
                recorded,
                client.loop(),
                store.feed(client, recorded),
                System::nanoTime,
                System::currentTimeMillis,
                Halt::invariantBroken,
                traffic),
            List.of(
                ProbeRoom.factory(),
                SummaryRoom.serving(),
                NetworkRoom.serving(
                    networkConfig(settings),
                    settings.applications().ranked(),
                    settings.applications().tables(),
                    additions.devices()),
                PathRoom.serving(settings.paths()),
                StaticFlowRoom.serving()));
    openParts.add("node", node);
    OrderingReplica inside = store.replica();
    LivingReplicas replicas = LivingReplicas.OUTSIDE;
    if (inside != null) {
      MachineKeeper machines = MachineKeeper.of(settings, store, inside, client);
      openParts.add("machines", machines);
      machines.start();
      node.onDrain(drained -> inside.setWilling(!drained));
      replicas = new NodeLeadership(settings, inside);
    }
    node.start();
    parts.nodeStarted(node);
    admin.offer(node.operations().users());
    SummaryRoom summaries = node.services().get(SummaryRoom.class);
    reporter.summariesStarted(new PublishedSummaries(settings.nodeId(), summaries::summaries));
    SummaryPublisher publisher = new SummaryPublisher(settings, parts, store, node);
    openParts.add("summaries", publisher);
    publisher.start();
    admin.offer(new NodeProbes(node.services().get(ProbeRoom.class)));
    admin.offer(new NodeDomains(settings, node));
    NodeApplications applications =
        new NodeApplications(settings, recorded, client.loop(), node.services());
    admin.offer(applications);
    admin.offer(applications.resources());
    admin.offer(node.operations().offers(replicas, DomainsFile::switches));
    StaticFlows flows = node.services().get(StaticFlows.class);
    admin.offer(List.of(flows.offer(), node.services().get(PathOffer.class)));
    admin.offer(new NodeRoutes(node.services()));
    admin.offer(NodeEvents.of(settings.nodeId(), node.services()));
    admin.offer(new NodeFlows(flows, node.services().get(CoreService.class)));
    admin.offer(recorder);
    Store typed = Store.sharing(recorded, client.loop());
    admin.offer(new NodeAudit(settings.nodeId(), new AuditTrail(typed)));
    admin.offer(new NodeUpgrade(settings.nodeId(), inside, store::replicaName, typed));
    admin.offer(new NodeDevices(node.services().get(NetworkRoom.class).directory()));
    OpenFlowServer openflow =
        new OpenFlowServer(
            openflowConfig(settings), SwitchRules.access(settings, keys.links()), node.switches());
    admin.offer(NodeOnos.router(node.services(), applications.applications(), applications));
    admin.starting(false);
    openParts.add("OpenFlow server", openflow);
    openflow.start();
    // Switches keep this node until others have them.
    openParts.add("domains of the node", node::retire);
    // First of all that stops, so that the domains change hands under a leader that stays.
    openParts.add("lead of the store", store::stepDown);
    parts.openFlowStarted(openflow.counters());
    log.info(
        "listening: OpenFlow on {}:{}, admin HTTP on {}:{}",
        settings.openflow().host(),
        settings.openflow().port(),
        settings.admin().host(),
        settings.admin().port());
  }

  private StoreAccess openStore(
      NodeSettings settings, @Nullable LinkKeys keys, NodeAdditions additions)
      throws OperatorException {
    if (!settings.replicaInside()) {
      return StoreAccess.remote(settings, keys);
    }
    StoreAccess store =
        StoreAccess.withReplica(
            settings,
            keys,
            Components.with(additions.components()),
            Halt::replicaHalted,
            Halt::replicaRefused);
    openParts.add("replica", store::closeReplica);
    OrderingReplica replica = store.replica();
    if (replica != null) {
      PeerWatch watch = new PeerWatch(replica, settings.replicas().size(), store::replicaName);
      openParts.add("peer watch", watch);
      watch.start();
    }
    return store;
  }

  private static NodeConfig nodeConfig(NodeSettings settings, @Nullable LinkKeys keys) {
    return new NodeConfig(
        settings.cluster(),
        settings.nodeId(),
        settings.members().stream()
            .map(member -> new Member(member.id(), member.host(), member.nodePort()))
            .toList(),
        DomainsFile.configured(settings.domains()),
        settings.timeouts().handBackMillis(),
        settings.file(),
        settings.processes(),
        keys);
  }

  private static NetworkConfig networkConfig(NodeSettings settings) {
    DiscoveryConfig usual = DiscoveryConfig.DEFAULT;
    int probeMillis = settings.timeouts().linkProbeMillis();
    // A link outlives the time in which nobody probes: a lease and a take-over.
    int silentMillis = settings.timeouts().leaseMillis() + TAKEOVER_MILLIS;
    DiscoveryConfig discovery =
        new DiscoveryConfig(
            probeMillis,
            usual.quarantineMillis(),
            usual.quarantineProbeMillis(),
            usual.confirmMillis(),
            Math.max(usual.missedProbes(), (silentMillis + probeMillis - 1) / probeMillis),
            Math.max(usual.windowMillis(), probeMillis));
    NetworkConfig defaults = NetworkConfig.DEFAULT;
    NodeSettings.Limits limits = settings.limits();
    PacketLimits packets =
        new PacketLimits(
            limits.packetsPerPort(),
            limits.packetsPerSwitch(),
            defaults.packets().lldpPerSecond(),
            limits.waitingPerSwitch());
    SwitchProfiles profiles =
        new SwitchProfiles(
            settings.profiles().stream()
                .map(
                    one ->
                        new SwitchProfiles.Choice(
                            one.switches().first(),
                            one.switches().last(),
                            one.profile(),
                            one.servedByNode()))
                .toList());
    return new NetworkConfig(
        discovery,
        defaults.topology(),
        packets,
        defaults.readBackMillis(),
        settings.timeouts().hostSilenceMillis(),
        profiles);
  }

  private static OpenFlowServerConfig openflowConfig(NodeSettings settings) {
    OpenFlowServerConfig usual = OpenFlowServerConfig.defaults();
    long files = OpenFiles.most();
    int switches = OpenFiles.switches(files, usual.maxConnections());
    if (switches < usual.maxConnections()) {
      log.warn(OpenFiles.describe(files, switches));
    }
    return usual
        .withCaps(switches, Math.min(switches, usual.maxConnectionsPerAddress()))
        .withListen(settings.openflow().host(), settings.openflow().port())
        .withDeadlines(
            settings.timeouts().handshakeMillis(),
            usual.probeTimeoutMillis(),
            usual.echoIntervalMillis(),
            usual.echoTimeoutMillis(),
            usual.requestTimeoutMillis());
  }

  /** Stops everything; the node's session ends, so that others take over at once. */
  @Override
  public void close() {
    openParts.close();
  }
}
