package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.ListenerRegistry;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import io.lockstep.core.topology.KnownHosts;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.host.HostEvent;
import org.onosproject.net.host.HostListener;
import org.onosproject.net.host.HostService;
import org.onosproject.net.provider.ProviderId;

/**
 * onos-api's hosts over the records of hosts in the store ({@link HostEntityTable}). Thread-safe;
 * answers follow the store. What is monitored and requested is this node's own: it asks at the
 * switches that it masters, so an application calls it on every node ({@link HostMonitor}).
 */
public final class NetworkHosts implements HostService, HostSurroundings {
  private static final ProviderId PROVIDER = new ProviderId("of", "io.lockstep.hosts");

  private final TableView<HostKey, HostEntity> table;
  private final TableView<HostKey, HostRecord> moves;
  private final TableView<HostKey, HostRecord> old;
  private final Map<HostKey, Host> hosts = new ConcurrentHashMap<>();
  private final HostIndex<SwitchPort> perPort = new HostIndex<>();
  private final HostIndex<IpAddress> perIp = new HostIndex<>();
  private final ListenerRegistry<HostEvent, HostListener> listeners;
  private volatile @Nullable HostMonitor monitor;

  /**
   * Declares the tables.
   *
   * @param events where listeners are called
   */
  public NetworkHosts(NodeState state, Executor events) {
    table = state.declare(HostEntityTable.NAME, HostEntityTable.CODEC);
    moves = state.declare(HostTable.MOVES, HostTable.CODEC);
    old = state.declare(HostTable.HOSTS, HostTable.CODEC);
    listeners = new ListenerRegistry<>(events);
    table.addListener(this::changed);
  }

  /** Shows the tracker hosts and claimed moves as they change. */
  public void follow(HostTracker tracker) {
    table.addListener((key, before, now) -> tracker.hostChanged(key, record(now)));
    moves.addListener((key, before, now) -> tracker.moveChanged(key, now));
    monitor = tracker.monitor();
  }

  /**
   * Publishes a picture of all hosts soon after some changed. On the control loop, as the alarm's
   * tasks.
   *
   * @param moved hears which hosts left which place, when a picture shows them at another one
   */
  public void publishPictures(
      Consumer<KnownHosts> publish, BiConsumer<SwitchPort, MacAddress> moved, Alarm alarm) {
    HostPictures pictures = new HostPictures(table.entries(), publish, moved, alarm);
    table.addListener((key, before, now) -> pictures.changed(key, record(before), record(now)));
  }

  private static @Nullable HostRecord record(@Nullable HostEntity host) {
    return host == null ? null : host.host();
  }

  private void changed(HostKey key, @Nullable HostEntity earlier, @Nullable HostEntity now) {
    if (earlier != null) {
      perPort.remove(earlier.place(), key);
    }
    if (now == null) {
      Host gone = hosts.remove(key);
      if (gone != null) {
        gone.ipAddresses().forEach(ip -> perIp.remove(ip, key));
        listeners.post(new HostEvent(HostEvent.Type.HOST_REMOVED, gone));
      }
      return;
    }
    perPort.add(now.place(), key);
    Host host = host(key, now.host());
    Host before = hosts.put(key, host);
    if (before != null) {
      before.ipAddresses().forEach(ip -> perIp.remove(ip, key));
    }
    host.ipAddresses().forEach(ip -> perIp.add(ip, key));
    if (before == null) {
      listeners.post(new HostEvent(HostEvent.Type.HOST_ADDED, host));
    } else if (!before.location().equals(host.location())) {
      listeners.post(new HostEvent(HostEvent.Type.HOST_MOVED, host, before));
    } else if (!before.ipAddresses().equals(host.ipAddresses())) {
      listeners.post(new HostEvent(HostEvent.Type.HOST_UPDATED, host, before));
    }
  }

  private static Host host(HostKey key, HostRecord record) {
    Set<IpAddress> ips = new LinkedHashSet<>();
    record.ips().forEach(ip -> ips.add(Ip4Address.valueOf(ip)));
    record.ip6s().forEach(ip -> ips.add(Ip6Address.valueOf(ip.bytes())));
    if (record.shownIp() != 0) {
      ips.add(Ip4Address.valueOf(record.shownIp()));
    }
    Ip6 shownIp6 = record.shownIp6();
    if (shownIp6 != null) {
      ips.add(Ip6Address.valueOf(shownIp6.bytes()));
    }
    return new DefaultHost(
        PROVIDER,
        key.hostId(),
        key.address(),
        key.vlanId(),
        new HostLocation(record.location().connectPoint(), record.sinceMillis()),
        ips);
  }

  @Override
  public @Nullable HostRecord host(HostKey key) {
    return record(table.known(key));
  }

  @Override
  public void forEachOldHost(BiConsumer<HostKey, HostRecord> each) {
    old.entries().forEach((key, held) -> each.accept(key, held.value()));
  }

  @Override
  public TableView.@Nullable Held<HostRecord> claim(HostKey key) {
    return moves.held(key);
  }

  @Override
  public void forEachClaim(BiConsumer<HostKey, HostRecord> each) {
    moves.entries().forEach((key, held) -> each.accept(key, held.value()));
  }

  @Override
  public Set<HostKey> hostsWith(IpAddress ip) {
    return perIp.of(ip);
  }

  @Override
  public void forEachHost(BiConsumer<HostKey, HostRecord> each) {
    table.entries().forEach((key, held) -> each.accept(key, held.value().host()));
  }

  @Override
  public int hostsAt(SwitchPort port) {
    return perPort.of(port).size();
  }

  @Override
  public Set<HostKey> hostsOf(SwitchPort port) {
    return perPort.of(port);
  }

  private Set<Host> select(Predicate<Host> wanted) {
    Set<Host> selected = new LinkedHashSet<>();
    for (Host host : hosts.values()) {
      if (wanted.test(host)) {
        selected.add(host);
      }
    }
    return selected;
  }

  @Override
  public int getHostCount() {
    return hosts.size();
  }

  @Override
  public Iterable<Host> getHosts() {
    return Set.copyOf(hosts.values());
  }

  @Override
  public @Nullable Host getHost(HostId hostId) {
    return hosts.get(HostKey.of(hostId));
  }

  @Override
  public Set<Host> getHostsByVlan(VlanId vlanId) {
    return select(host -> host.vlan().equals(vlanId));
  }

  @Override
  public Set<Host> getHostsByMac(MacAddress mac) {
    return select(host -> host.mac().equals(mac));
  }

  @Override
  public Set<Host> getHostsByIp(IpAddress ip) {
    return select(host -> host.ipAddresses().contains(ip));
  }

  @Override
  public Set<Host> getConnectedHosts(ConnectPoint connectPoint) {
    return select(
        host ->
            Objects.equals(host.location().elementId(), connectPoint.elementId())
                && host.location().port().equals(connectPoint.port()));
  }

  @Override
  public Set<Host> getConnectedHosts(DeviceId deviceId) {
    return select(host -> deviceId.equals(host.location().elementId()));
  }

  /**
   * Asks for the address every 10 s, in frames without a VLAN tag where no host with it is known.
   *
   * @throws IllegalArgumentException where no host can have the address
   * @throws IllegalStateException where this node monitors too many others
   */
  @Override
  public void startMonitoringIp(IpAddress ip) {
    monitor().start(ip);
  }

  /** No effect where the address is not monitored on this node. */
  @Override
  public void stopMonitoringIp(IpAddress ip) {
    monitor().stop(ip);
  }

  /**
   * Asks for the address once, soon.
   *
   * @throws IllegalArgumentException where no host can have the address
   * @throws IllegalStateException where too many others wait
   */
  @Override
  public void requestMac(IpAddress ip) {
    monitor().request(ip);
  }

  private HostMonitor monitor() {
    HostMonitor following = monitor;
    if (following == null) {
      throw new IllegalStateException("no host tracker follows these hosts yet");
    }
    return following;
  }

  @Override
  public void addListener(HostListener listener) {
    listeners.addListener(listener);
  }

  @Override
  public void removeListener(HostListener listener) {
    listeners.removeListener(listener);
  }
}
