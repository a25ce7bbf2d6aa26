package io.lockstep.core.host;

import io.lockstep.core.app.KnownHost;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.TableView;
import io.lockstep.core.topology.KnownHosts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;

/**
 * Publishes pictures of all hosts. One is made some time after a host appeared, moved or went; more
 * hosts make it wait longer, so that making pictures takes a small share of the time. Owned by the
 * control loop.
 */
final class HostPictures {
  /** From a change to the picture. */
  static final long USUAL_MILLIS = 100;

  /** So many hosts make a picture wait 1 ms longer. */
  private static final int HOSTS_PER_MILLI = 100;

  /** Of several hosts that claim one address, the one that was there first has it. */
  private static final Comparator<Map.Entry<HostKey, TableView.Held<HostEntity>>> LONGEST_FIRST =
      Comparator.comparingLong(
              (Map.Entry<HostKey, TableView.Held<HostEntity>> each) ->
                  each.getValue().value().host().sinceMillis())
          .thenComparingLong(each -> each.getKey().mac());

  private final Map<HostKey, TableView.Held<HostEntity>> table;
  private final Consumer<KnownHosts> publish;
  private final BiConsumer<SwitchPort, MacAddress> moved;
  private final Alarm alarm;
  private boolean scheduled;

  /** Hosts by the places that they left, of which no picture was published yet. */
  private final Map<SwitchPort, Set<HostKey>> left = new LinkedHashMap<>();

  /**
   * Publishes nothing before a change.
   *
   * @param table a live map of all hosts
   * @param moved hears which hosts left which place, when a picture shows them at another one
   */
  HostPictures(
      Map<HostKey, TableView.Held<HostEntity>> table,
      Consumer<KnownHosts> publish,
      BiConsumer<SwitchPort, MacAddress> moved,
      Alarm alarm) {
    this.table = table;
    this.publish = publish;
    this.moved = moved;
    this.alarm = alarm;
  }

  /**
   * A host's record changed. A picture shows the place and the IPv4 addresses that the host claims,
   * so others alone make no new one.
   */
  void changed(HostKey key, @Nullable HostRecord old, @Nullable HostRecord now) {
    if (old != null && now != null && !old.location().equals(now.location())) {
      left.computeIfAbsent(old.location(), place -> new LinkedHashSet<>()).add(key);
    }
    boolean same =
        old != null
            && now != null
            && old.location().equals(now.location())
            && old.ips().equals(now.ips());
    if (!same && !scheduled) {
      scheduled = true;
      alarm.after(USUAL_MILLIS + table.size() / HOSTS_PER_MILLI, this::make);
    }
  }

  private void make() {
    scheduled = false;
    List<Map.Entry<HostKey, TableView.Held<HostEntity>>> all = new ArrayList<>(table.entrySet());
    all.sort(LONGEST_FIRST);
    List<KnownHost> hosts = new ArrayList<>(all.size());
    all.forEach(each -> hosts.add(host(each.getKey(), each.getValue().value().host())));
    publish.accept(new KnownHosts(hosts));
    left.forEach((place, gone) -> gone.forEach(key -> tellUnlessBack(place, key)));
    left.clear();
  }

  private void tellUnlessBack(SwitchPort place, HostKey key) {
    TableView.Held<HostEntity> now = table.get(key);
    if (now == null || !now.value().host().location().equals(place)) {
      moved.accept(place, key.address());
    }
  }

  private static KnownHost host(HostKey key, HostRecord record) {
    return new KnownHost(
        key.address(),
        key.vlan(),
        record.location().connectPoint(),
        record.ips().stream().map(Ip4Address::valueOf).toList());
  }
}
