package io.lockstep.core.node;

import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DeactivateHooks;
import io.lockstep.core.cluster.DomainMap;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Drains;
import io.lockstep.core.cluster.Lease;
import io.lockstep.core.cluster.MemberLists;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.cluster.StoreClusterService;
import io.lockstep.core.cluster.StoreCoreService;
import io.lockstep.core.cluster.Witness;
import io.lockstep.core.device.Devices;
import io.lockstep.core.device.StoreDeviceService;
import io.lockstep.core.mastership.GatheringWriter;
import io.lockstep.core.mastership.Mastership;
import io.lockstep.core.mastership.MastershipCounters;
import io.lockstep.core.mastership.Ownership;
import io.lockstep.core.mastership.Preference;
import io.lockstep.core.mastership.ProposeDomains;
import io.lockstep.core.mastership.StoreMastershipService;
import io.lockstep.core.operation.Operations;
import io.lockstep.core.recording.StoreTraffic;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchObserver;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.FatalHandler;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableFeed;
import io.lockstep.core.statistics.SwitchStatistics;
import io.lockstep.store.StoreClient;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.WriteOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.onosproject.cluster.ClusterService;
import org.onosproject.core.CoreService;
import org.onosproject.mastership.MastershipService;
import org.onosproject.mastership.MastershipTermService;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.PortDescription;

/**
 * One controller node: its rooms put together. It keeps soft state only; whatever matters is in the
 * store. Two threads are its own: the control loop, and one that runs the listeners of onos-api's
 * services, so that others' code never holds the node up.
 *
 * <p>The store client belongs to the caller, who closes it after the node: that ends the node's
 * session, and the others take over at once.
 */
public final class ControllerNode implements AutoCloseable {

  /**
   * What a node is given.
   *
   * @param version of the software, at most 64 bytes
   * @param store a client whose session's owner is the node id
   * @param storeLoop the loop of {@code store}, on which its futures complete
   * @param feed of the node's views
   * @param nanoClock the store client's clock
   * @param wallMillis milliseconds since 1970
   * @param fatal told of a broken invariant; the process should end
   * @param traffic of {@code store}
   */
  public record Parts(
      NodeConfig config,
      String version,
      StoreClient store,
      ScheduledExecutorService storeLoop,
      TableFeed feed,
      LongSupplier nanoClock,
      LongSupplier wallMillis,
      FatalHandler fatal,
      StoreTraffic traffic) {

    /** The same where nothing is ever recorded. */
    public Parts(
        NodeConfig config,
        String version,
        StoreClient store,
        ScheduledExecutorService storeLoop,
        TableFeed feed,
        LongSupplier nanoClock,
        LongSupplier wallMillis,
        FatalHandler fatal) {
      this(
          config,
          version,
          store,
          storeLoop,
          feed,
          nanoClock,
          wallMillis,
          fatal,
          new StoreTraffic());
    }
  }

  private static final BoundedLog log = BoundedLog.of(ControllerNode.class);

  /** A little longer than all steps together. */
  static final long RETIRE_MILLIS = 3_500;

  private final Parts parts;
  private final Store typed;
  private final ControlLoop loop;
  private final ControlLoop events;
  private final NodeState state;
  private final Membership membership;
  private final Domains domains;
  private final Drains drains;
  private final Operations operations;
  private final Mastership mastership;
  private final Devices devices;
  private final SwitchStatistics statistics;
  private final Witness witness;
  private final List<NodeRoom> rooms = new ArrayList<>();
  private final SwitchFanOut switches;
  private final StatusRequests statuses;
  private final ServiceRegistry services = new ServiceRegistry();
  private final DeactivateHooks hooks = new DeactivateHooks();

  /**
   * A node that does not run yet.
   *
   * @param furniture makes the rooms beyond the node's own, in the order in which they hear of
   *     switches
   */
  public ControllerNode(Parts parts, List<NodeRoom.Factory> furniture) {
    this.parts = parts;
    NodeConfig config = parts.config();
    StoreClient store = parts.store();
    typed = Store.sharing(store, parts.storeLoop());
    loop = new ControlLoop("control-" + config.nodeId(), parts.fatal());
    // Others' listeners: each registry has one task here and bounds what waits for it.
    events = new ControlLoop("events-" + config.nodeId(), (where, failure) -> {});
    state = new NodeState(loop);
    membership =
        new Membership(
            config, parts.version(), store, typed, state, new Lease(store, parts.nanoClock()));
    Connections connections = new Connections(config, typed, state, membership);
    MemberLists lists = new MemberLists(config, typed, state, membership);
    domains = new Domains(config, state, membership);
    drains = new Drains(state);
    Ownership ownership = new Ownership(domains, state, membership);
    Preference preference = new Preference(domains, drains, state, membership, ownership);
    operations =
        new Operations(
            config, typed, state, membership, connections, ownership, parts.wallMillis());
    mastership =
        new Mastership(
            config,
            preference,
            typed,
            state,
            membership,
            connections,
            ownership,
            parts.nanoClock());
    devices =
        new Devices(
            config.nodeId(),
            new GatheringWriter(store, mastership),
            state,
            mastership,
            ownership,
            connections,
            new Devices.Clocks(parts.nanoClock(), parts.wallMillis()));
    mastership.addListener(devices);
    statistics = new SwitchStatistics(mastership, parts.nanoClock());
    mastership.addListener(statistics);
    witness = new Witness(config, () -> store.session().sessionId(), membership);
    StatusReporter reporter =
        new StatusReporter(
            config,
            parts.version(),
            membership,
            witness,
            lists,
            domains,
            drains,
            connections,
            ownership,
            mastership,
            devices,
            this::trouble);
    statuses = new StatusRequests(loop, reporter::take);
    offerServices(connections, ownership);
    PacketTaps taps = new PacketTaps();
    services.offer(PacketTaps.class, taps);
    NodeContext context =
        new NodeContext(
            config,
            store,
            typed,
            state,
            membership,
            connections,
            ownership,
            mastership,
            mastership,
            events,
            services,
            parts.nanoClock(),
            parts.wallMillis(),
            parts.traffic());
    furniture.forEach(factory -> rooms.add(factory.furnish(context)));
    List<NodeRoom> all = new ArrayList<>();
    all.add(new MastershipRoom());
    all.addAll(rooms);
    switches = new SwitchFanOut(all, taps);
  }

  private String trouble(long dpid) {
    return rooms.stream()
        .map(room -> room.trouble(dpid))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private void offerServices(Connections connections, Ownership ownership) {
    NodeConfig config = parts.config();
    StoreMastershipService roles =
        new StoreMastershipService(
            domains, membership, connections, ownership, mastership, loop, events);
    services.offer(MastershipService.class, roles);
    services.offer(MastershipTermService.class, roles);
    services.offer(DeviceService.class, new StoreDeviceService(devices, roles, statistics, events));
    services.offer(SwitchStatistics.class, statistics);
    services.offer(ClusterService.class, new StoreClusterService(config, membership, events));
    services.offer(CoreService.class, new StoreCoreService(typed, state, parts.version(), hooks));
  }

  /**
   * Starts the threads and begins to follow the store; once. Does not wait for a quorum.
   *
   * @throws IOException where the node's witness port cannot be bound; nothing was started then
   */
  public void start() throws IOException {
    witness.start();
    parts.store().onSessionChange(new SessionNews());
    loop.start();
    events.start();
    state.start(parts.feed());
    membership.start();
    mastership.start();
    devices.start();
    loop.scheduleEvery(SwitchStatistics.TICK_MILLIS, statistics::tick);
    rooms.forEach(NodeRoom::start);
  }

  /** What the southbound tells of switches; give it to the channel after {@link #start}. */
  public SwitchObserver switches() {
    return switches;
  }

  /** onos-api's services, for others' applications. */
  public ServiceRegistry services() {
    return services;
  }

  /** Completes when the views have shown the store for the first time. */
  public CompletableFuture<Void> current() {
    return state.current();
  }

  /** Whether the node takes part in the cluster now. Thread-safe. */
  public boolean hasQuorum() {
    long session = membership.activeSession();
    return session != 0 && membership.lease().holds(session);
  }

  /** The status, taken on the control loop; never completes on a node that does not run. */
  public CompletableFuture<NodeStatus> status() {
    return statuses.ask();
  }

  /** What operators may change, and who they are. Thread-safe. */
  public Operations operations() {
    return operations;
  }

  /**
   * Reports on the control loop whether this node is drained, whenever the drains change.
   *
   * @param listener must not block; added before {@link #start}
   */
  public void onDrain(Consumer<Boolean> listener) {
    drains.onChange(() -> listener.accept(drains.isDrained(parts.config().nodeId())));
  }

  /** What happened to the masterships of this node. Thread-safe. */
  public MastershipCounters mastershipCounters() {
    return mastership.counters();
  }

  /** The domains as this node knows them. Thread-safe. */
  public Domains domains() {
    return domains;
  }

  /**
   * Asks the cluster to change the domains.
   *
   * @param decidedOn the newest version that the caller knew
   * @param map each domain names its masters
   */
  public CompletableFuture<WriteOutcome<ProposeDomains.Answer>> propose(
      long decidedOn, DomainMap map) {
    return typed.call(ProposeDomains.COMPONENT, new ProposeDomains.Proposal(decidedOn, map));
  }

  /**
   * Gives the domains of this node to other nodes and waits until those have the roles of the
   * switches, {@value #RETIRE_MILLIS} ms at most; the node takes no domain any more. Call it before
   * the southbound closes. Returns at once where no other node can take over.
   */
  public void retire() {
    try {
      mastership.retire().get(RETIRE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      String node = parts.config().nodeId();
      log.warn(node, "{}: domains may not be handed over: {}", node, e.toString());
    }
  }

  /**
   * Lets applications run what they registered for it, then stops the rooms and the threads. Call
   * {@link #retire} and close the southbound before, and the store client after.
   */
  @Override
  public void close() {
    hooks.run(DeactivateHooks.DEADLINE_MILLIS);
    for (int i = rooms.size() - 1; i >= 0; i--) {
      rooms.get(i).close();
    }
    witness.close();
    state.close();
    loop.close();
    events.close();
  }

  /** Leads changes of the session to the witness; on the store client's loop. */
  private final class SessionNews implements StoreClient.SessionListener {
    @Override
    public void opened(long sessionId) {
      witness.sessionChanged();
    }

    @Override
    public void ended(long sessionId) {
      witness.sessionChanged();
    }
  }

  /** Leads switches to the node's own rooms, before all others. */
  private final class MastershipRoom implements NodeRoom {
    @Override
    public void connected(SwitchConnection connection) {
      mastership.connected(connection);
    }

    @Override
    public void disconnected(SwitchConnection connection, String reason) {
      mastership.disconnected(connection, reason);
    }

    @Override
    public void portStatus(SwitchConnection connection, PortChange change, PortDescription port) {
      devices.portsChanged(connection);
    }

    @Override
    public void roleLost(SwitchConnection connection, String reason) {
      mastership.roleLost(connection, reason);
    }
  }
}
