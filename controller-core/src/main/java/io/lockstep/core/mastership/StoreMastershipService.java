package io.lockstep.core.mastership;

import com.google.common.collect.ImmutableMap;
import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.ListenerRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.onosproject.cluster.NodeId;
import org.onosproject.cluster.RoleInfo;
import org.onosproject.mastership.MastershipEvent;
import org.onosproject.mastership.MastershipInfo;
import org.onosproject.mastership.MastershipListener;
import org.onosproject.mastership.MastershipService;
import org.onosproject.mastership.MastershipTerm;
import org.onosproject.mastership.MastershipTermService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;

/**
 * onos-api's mastership services with true roles: this node is MASTER of a switch only while it may
 * act on it (store, switch and lease agree), STANDBY while it is connected without that, NONE
 * otherwise. The backups of a switch are the other nodes connected to it. Terms are epochs.
 *
 * <p>Thread-safe. Mastership moves by domains: relinquishing a switch gives its whole domain away.
 */
public final class StoreMastershipService implements MastershipService, MastershipTermService {

  /** Changes within this time are told as one. */
  private static final long REVIEW_MILLIS = 20;

  private final Domains domains;
  private final Membership membership;
  private final Connections connections;
  private final Ownership ownership;
  private final Mastership mastership;
  private final ControlLoop loop;
  private final ListenerRegistry<MastershipEvent, MastershipListener> listeners;

  /** What the listeners were told last; control loop only. */
  private final Map<Long, MastershipInfo> told = new HashMap<>();

  /** Switches to look at; control loop only. */
  private final Set<Long> changed = new HashSet<>();

  private boolean allChanged;
  private boolean reviewScheduled;

  /** A service over the rooms; events are delivered on {@code events}. */
  public StoreMastershipService(
      Domains domains,
      Membership membership,
      Connections connections,
      Ownership ownership,
      Mastership mastership,
      ControlLoop loop,
      Executor events) {
    this.domains = domains;
    this.membership = membership;
    this.connections = connections;
    this.ownership = ownership;
    this.mastership = mastership;
    this.loop = loop;
    this.listeners = new ListenerRegistry<>(events);
    domains.onChange(this::reviewAllSoon);
    ownership.domains().addListener((domain, old, now) -> reviewAllSoon());
    ownership.delegations().addListener((dpid, old, now) -> reviewSoon(dpid));
    connections.view().addListener((key, old, now) -> reviewSoon(key.dpid()));
    membership.sessions().addListener((session, old, now) -> reviewAllSoon());
  }

  @Override
  public MastershipRole getLocalRole(DeviceId deviceId) {
    if (mastership.mastered(deviceId) != null) {
      return MastershipRole.MASTER;
    }
    return mastership.connected(deviceId) == null ? MastershipRole.NONE : MastershipRole.STANDBY;
  }

  /**
   * Answers the role that this node has now and changes nothing. Switches are mastered by domains:
   * the store names each domain's master, a node that may master a domain without a living master
   * claims it by itself, and no node takes a domain from a living master. An application that wants
   * a switch elsewhere changes the domains, or calls {@link #relinquishMastership} on its master.
   */
  @Override
  public CompletableFuture<MastershipRole> requestRoleFor(DeviceId deviceId) {
    return CompletableFuture.completedFuture(getLocalRole(deviceId));
  }

  /** Begins to give the switch's domain to the next choice; completes when that is under way. */
  @Override
  public CompletableFuture<Void> relinquishMastership(DeviceId deviceId) {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    mastership.relinquish(deviceId);
    loop.execute(() -> begun.complete(null));
    return begun;
  }

  /** Null where the switch has no living master, as onos-api has it. */
  @Override
  @SuppressWarnings("NullAway") // onos-api answers null and says so only in its documentation.
  public NodeId getMasterFor(DeviceId deviceId) {
    Ownership.Owner owner = owner(deviceId);
    return owner == null ? null : NodeId.nodeId(owner.node());
  }

  @Override
  @SuppressWarnings("NullAway") // A role info without master is made with null.
  public RoleInfo getNodesFor(DeviceId deviceId) {
    MastershipInfo info = getMastershipFor(deviceId);
    return new RoleInfo(info.master().orElse(null), info.backups());
  }

  @Override
  public MastershipInfo getMastershipFor(DeviceId deviceId) {
    return SwitchScope.isSwitch(deviceId) ? info(SwitchScope.dpid(deviceId)) : new MastershipInfo();
  }

  @Override
  @SuppressWarnings("deprecation") // onos-api deprecates it and its callers use it all the same.
  public Set<DeviceId> getDevicesOf(NodeId nodeId) {
    Set<DeviceId> devices = new HashSet<>();
    for (long dpid : knownSwitches()) {
      Ownership.Owner owner = ownership.owner(dpid);
      if (owner != null && owner.node().equals(nodeId.id())) {
        devices.add(SwitchScope.deviceId(dpid));
      }
    }
    return devices;
  }

  /** Null where the switch has no living master, as onos-api has it. */
  @Override
  @SuppressWarnings("NullAway") // As above.
  public MastershipTerm getMastershipTerm(DeviceId deviceId) {
    Ownership.Owner owner = owner(deviceId);
    return owner == null
        ? null
        : MastershipTerm.of(NodeId.nodeId(owner.node()), owner.fence().epoch());
  }

  @Override
  public void addListener(MastershipListener listener) {
    listeners.addListener(listener);
  }

  @Override
  public void removeListener(MastershipListener listener) {
    listeners.removeListener(listener);
  }

  private Ownership.@Nullable Owner owner(DeviceId deviceId) {
    return SwitchScope.isSwitch(deviceId) ? ownership.owner(SwitchScope.dpid(deviceId)) : null;
  }

  private Set<Long> knownSwitches() {
    Set<Long> known = new HashSet<>(ownership.delegations().entries().keySet());
    connections.view().entries().keySet().forEach(key -> known.add(key.dpid()));
    return known;
  }

  private MastershipInfo info(long dpid) {
    Ownership.Owner owner = ownership.owner(dpid);
    ImmutableMap.Builder<NodeId, MastershipRole> roles = ImmutableMap.builder();
    if (owner != null) {
      roles.put(NodeId.nodeId(owner.node()), MastershipRole.MASTER);
    }
    for (String node : order(dpid)) {
      if ((owner == null || !node.equals(owner.node())) && connections.connected(node, dpid)) {
        roles.put(NodeId.nodeId(node), MastershipRole.STANDBY);
      }
    }
    return new MastershipInfo(
        owner == null ? 0 : owner.fence().epoch(),
        Optional.ofNullable(owner).map(known -> NodeId.nodeId(known.node())),
        roles.buildOrThrow());
  }

  /** The nodes in the order in which they should master the switch. */
  private List<String> order(long dpid) {
    DomainConfig domain = domains.domainOf(dpid);
    List<String> order = new ArrayList<>();
    if (domain != null) {
      order.addAll(domains.preference(domain));
    }
    for (String node : membership.liveNodes().keySet()) {
      if (!order.contains(node)) {
        order.add(node);
      }
    }
    return order;
  }

  private void reviewAllSoon() {
    allChanged = true;
    reviewSoon();
  }

  private void reviewSoon(long dpid) {
    changed.add(dpid);
    reviewSoon();
  }

  private void reviewSoon() {
    if (!reviewScheduled) {
      reviewScheduled = true;
      loop.schedule(REVIEW_MILLIS, this::review);
    }
  }

  private void review() {
    reviewScheduled = false;
    if (allChanged) {
      changed.addAll(knownSwitches());
      changed.addAll(told.keySet());
    }
    allChanged = false;
    List<Long> switches = List.copyOf(changed);
    changed.clear();
    for (long dpid : switches) {
      MastershipInfo now = info(dpid);
      MastershipInfo before = told.put(dpid, now);
      if (now.equals(before)) {
        continue;
      }
      boolean sameMaster =
          before != null && before.master().equals(now.master()) && before.term() == now.term();
      listeners.post(
          new MastershipEvent(
              sameMaster
                  ? MastershipEvent.Type.BACKUPS_CHANGED
                  : MastershipEvent.Type.MASTER_CHANGED,
              SwitchScope.deviceId(dpid),
              now));
    }
  }
}
