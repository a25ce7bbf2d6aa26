package io.lockstep.core.mastership;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.Wakeup;
import io.lockstep.store.typed.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;

/**
 * This node's part in mastership: it claims domains, asks switches for the role that the store
 * says, and knows at any moment which switches it may act on. Decisions are made on the control
 * loop; {@link MasteredSwitches} and {@link Fencing} are answered on any thread.
 */
public final class Mastership implements MasteredSwitches, Fencing {
  private static final long TICK_MILLIS = 200;

  private final Domains domains;
  private final ControlLoop loop;
  private final Membership membership;
  private final Connections connections;
  private final Ownership ownership;
  private final DomainFollower follower;
  private final DomainClaims claims;
  private final HandOvers handOvers;
  private final WantedRoles wantedRoles;
  private final Delegations delegations;
  private final List<MasteredSwitches.Listener> listeners = new CopyOnWriteArrayList<>();
  private final ConcurrentHashMap<DeviceId, SwitchHold> holds = new ConcurrentHashMap<>();

  /** Control loop only. */
  private final Map<Long, RoleKeeper> keepers = new HashMap<>();

  private final EpochRaises raises;

  /** Switches whose connection or role changed since the loop looked. */
  private final Set<DeviceId> changed = ConcurrentHashMap.newKeySet();

  /** However fast switches come and go, one look at the connections waits for the loop. */
  private final Wakeup connectionsChanged;

  /** Mastership of a node that has no switches yet; declares its tables and listens to them. */
  public Mastership(
      NodeConfig config,
      Preference preference,
      Store store,
      NodeState state,
      Membership membership,
      Connections connections,
      Ownership ownership,
      LongSupplier nanos) {
    this.domains = preference.domains();
    this.loop = state.loop();
    this.connectionsChanged = new Wakeup(loop, this::followConnections);
    this.membership = membership;
    this.connections = connections;
    this.ownership = ownership;
    this.raises = new EpochRaises(nanos);
    this.claims =
        new DomainClaims(
            config.nodeId(), preference, store, state, membership, connections, ownership, nanos);
    this.follower =
        new DomainFollower(config, domains, store, state, membership, new MovingSwitches());
    this.handOvers =
        new HandOvers(
            config,
            preference,
            store,
            state,
            membership,
            connections,
            ownership,
            nanos,
            new DomainSwitches(),
            claims.counters());
    this.wantedRoles = new WantedRoles(domains, membership, ownership, handOvers);
    this.delegations =
        new Delegations(
            config.nodeId(), preference, store, state, membership, connections, ownership, nanos);
    domains.onChange(follower::changed);
    preference.onChange(this::wishesChanged);
    membership.addListener(new QuorumListener());
    ownership.domains().addListener((domain, old, now) -> domainChanged(domain, now));
    ownership.delegations().addListener((dpid, old, now) -> reviewSwitch(dpid, "it was assigned"));
    membership.sessions().addListener(this::sessionChanged);
  }

  /** Begins to look at the domains every now and then; once. */
  public void start() {
    loop.scheduleEvery(
        TICK_MILLIS,
        () -> {
          follower.tick();
          handOvers.tick();
          delegations.tick();
        });
  }

  /** What happened to the masterships of this node. Any thread. */
  public MastershipCounters counters() {
    return claims.counters();
  }

  /** A switch connected; on its event loop. */
  public void connected(SwitchConnection connection) {
    SwitchHold hold = new SwitchHold(connection, membership.lease(), listeners);
    SwitchHold before = holds.put(connection.deviceId(), hold);
    if (before != null) {
      before.connection().execute(() -> before.close("a newer connection took its place"));
    }
    changed(connection);
  }

  /** A connection closed; on its event loop. Its listeners hear of the loss before this returns. */
  public void disconnected(SwitchConnection connection, String reason) {
    SwitchHold hold = holds.get(connection.deviceId());
    if (hold == null || hold.connection() != connection) {
      return;
    }
    holds.remove(connection.deviceId(), hold);
    hold.close("the connection closed: " + reason);
    changed(connection);
  }

  /** The switch took the role away; on its event loop. */
  public void roleLost(SwitchConnection connection, String reason) {
    SwitchHold hold = holds.get(connection.deviceId());
    if (hold == null || hold.connection() != connection) {
      return;
    }
    hold.loseRole(reason);
    changed(connection);
  }

  private void changed(SwitchConnection connection) {
    changed.add(connection.deviceId());
    connectionsChanged.wake();
  }

  /** Brings the keepers and what is published to the connections that changed. */
  private void followConnections() {
    Iterator<DeviceId> each = changed.iterator();
    while (each.hasNext()) {
      DeviceId device = each.next();
      // Before the look: what changes meanwhile is looked at again.
      each.remove();
      follow(SwitchScope.dpid(device), holds.get(device));
    }
  }

  private void follow(long dpid, @Nullable SwitchHold now) {
    RoleKeeper keeper = keepers.get(dpid);
    if (keeper != null && keeper.hold() != now) {
      keepers.remove(dpid);
      keeper = null;
      if (now == null) {
        connections.closed(dpid);
      }
    }
    if (now == null || now.closed()) {
      return;
    }
    if (keeper == null) {
      keeper = new RoleKeeper(now, loop, new Room());
      keepers.put(dpid, keeper);
      connections.opened(dpid);
      delegations.connected(dpid);
      DomainConfig domain = domains.domainOf(dpid);
      now.expect(domain == null ? -1 : handOvers.expected(domain.name()));
      keeper.review("the switch connected");
    }
    String lost = now.takeLostRole();
    if (lost != null) {
      keeper.lost(lost);
    }
  }

  @Override
  public @Nullable SwitchConnection mastered(DeviceId device) {
    SwitchHold hold = holds.get(device);
    return hold != null && hold.epoch() != -1 && hold.connection().isOpen()
        ? hold.connection()
        : null;
  }

  @Override
  public long epoch(DeviceId device) {
    SwitchHold hold = holds.get(device);
    return hold == null ? -1 : hold.epoch();
  }

  @Override
  public @Nullable SwitchConnection connected(DeviceId device) {
    SwitchHold hold = holds.get(device);
    return hold == null ? null : hold.connection();
  }

  @Override
  public void addListener(Listener listener) {
    listeners.add(listener);
  }

  @Override
  public @Nullable Fence fence(DeviceId device) {
    return SwitchScope.isSwitch(device) ? ownership.ownSwitch(SwitchScope.dpid(device)) : null;
  }

  /** Gives the domain of a switch to another living node, if this node masters it; any thread. */
  public void relinquish(DeviceId device) {
    DomainConfig domain =
        SwitchScope.isSwitch(device) ? domains.domainOf(SwitchScope.dpid(device)) : null;
    if (domain != null) {
      loop.execute(() -> handOvers.relinquish(domain));
    }
  }

  /**
   * Gives all domains of this node to others, for good: it takes none any more. Completes when the
   * next masters have the roles of the switches, where no other node can take them, or after {@link
   * Retirement#DEADLINE_MILLIS}; never where the control loop does not run. Any thread.
   */
  public CompletableFuture<Void> retire() {
    CompletableFuture<Void> retired = new CompletableFuture<>();
    loop.execute(() -> after(handOvers.retire(), loop, done -> retired.complete(null)));
    return retired;
  }

  /** The connections as they are now; control loop only. */
  public List<SwitchStatus> switches() {
    List<SwitchStatus> switches = new ArrayList<>();
    for (RoleKeeper keeper : keepers.values()) {
      SwitchHold hold = keeper.hold();
      switches.add(
          new SwitchStatus(hold.connection(), keeper.role(), hold.epoch() != -1, keeper.trouble()));
    }
    return switches;
  }

  private void domainChanged(String name, @Nullable DomainRecord now) {
    DomainConfig domain = domains.named(name);
    if (domain != null) {
      claims.consider(domain);
    }
    reviewDomain(
        name,
        now == null || now.released()
            ? "domain " + name + " was released"
            : "domain " + name + " is mastered by " + now.node() + " in epoch " + now.epoch());
    handOvers.domainChanged();
  }

  private void sessionChanged(Long session, @Nullable String old, @Nullable String now) {
    claims.considerAll();
    reviewAll("session " + session + (now == null ? " ended" : " opened"));
    if (now == null) {
      delegations.tick();
    }
  }

  private void wishesChanged() {
    claims.considerAll();
    handOvers.tick();
  }

  private void reviewDomain(String name, String reason) {
    long expected = handOvers.expected(name);
    for (RoleKeeper keeper : keepersOf(name)) {
      keeper.hold().expect(expected);
      keeper.review(reason);
    }
  }

  private List<RoleKeeper> keepersOf(String name) {
    List<RoleKeeper> some = new ArrayList<>();
    for (RoleKeeper keeper : keepers.values()) {
      // With those on their way to another domain: they are still to stand down.
      DomainConfig domain = domains.current().map().domainOf(keeper.hold().dpid());
      if (domain != null && domain.name().equals(name)) {
        some.add(keeper);
      }
    }
    return some;
  }

  private final class DomainSwitches implements HandOvers.Switches {
    @Override
    public void review(String domain) {
      reviewDomain(domain, "domain " + domain + " is handed over");
    }

    @Override
    public CompletableFuture<?> finish(String domain, long epoch) {
      return CompletableFuture.allOf(
          keepersOf(domain).stream()
              .map(keeper -> keeper.hold().finish(epoch))
              .toArray(CompletableFuture[]::new));
    }

    @Override
    public boolean haveRole(String domain, SwitchRole role) {
      return wantedRoles.areHeld(role, keepersOf(domain));
    }

    @Override
    public CompletableFuture<?> standDown(String domain) {
      return allStandDown(keepersOf(domain));
    }
  }

  private static CompletableFuture<?> allStandDown(List<RoleKeeper> some) {
    return CompletableFuture.allOf(
        some.stream()
            .map(keeper -> keeper.hold().connection().standDown())
            .toArray(CompletableFuture[]::new));
  }

  private final class MovingSwitches implements DomainFollower.Switches {
    @Override
    public void review(String reason) {
      claims.considerAll();
      reviewAll(reason);
    }

    @Override
    public CompletableFuture<?> standDown() {
      return allStandDown(
          keepers.values().stream()
              .filter(keeper -> domains.moving(keeper.hold().dpid()))
              .toList());
    }
  }

  private void reviewSwitch(long dpid, String reason) {
    RoleKeeper keeper = keepers.get(dpid);
    if (keeper != null) {
      keeper.review(reason);
    }
  }

  private void reviewAll(String reason) {
    List.copyOf(keepers.values()).forEach(keeper -> keeper.review(reason));
  }

  private final class QuorumListener implements Membership.Listener {
    @Override
    public void quorumGained(long sessionId) {
      follower.follow();
      claims.begin();
      delegations.begin();
      reviewAll("the node takes part");
    }

    @Override
    public void quorumLost(String reason) {
      reviewAll(reason);
    }
  }

  private final class Room implements RoleKeeper.Room {
    @Override
    public RoleKeeper.@Nullable Ask wanted(long dpid) {
      return wantedRoles.at(dpid);
    }

    @Override
    public boolean raise(long dpid, long minimum) {
      Fence own = ownership.ownSwitch(dpid);
      DomainConfig domain = domains.domainOf(dpid);
      if (own == null || domain == null) {
        return true;
      }
      if (!raises.admit(dpid)) {
        return false;
      }
      if (SwitchScope.isSwitch(own.scope())) {
        delegations.raise(own, minimum);
      } else {
        claims.raise(domain, minimum);
      }
      return true;
    }
  }
}
