package io.lockstep.core.host;

import io.lockstep.core.app.KnownHost;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.TableView;
import io.lockstep.core.topology.KnownHosts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

  private final Map<HostKey, TableView.Held<HostRecord>> table;
  private final Consumer<KnownHosts> publish;
  private final Alarm alarm;
  private boolean scheduled;

  /**
   * Publishes nothing before a change.
   *
   * @param table a live map of all hosts
   */
  HostPictures(
      Map<HostKey, TableView.Held<HostRecord>> table, Consumer<KnownHosts> publish, Alarm alarm) {
    this.table = table;
    this.publish = publish;
    this.alarm = alarm;
  }

  /** A host's record changed; a picture has no IP addresses, so those alone make no new one. */
  void changed(@Nullable HostRecord old, @Nullable HostRecord now) {
    boolean same = old != null && now != null && old.location().equals(now.location());
    if (!same && !scheduled) {
      scheduled = true;
      alarm.after(USUAL_MILLIS + table.size() / HOSTS_PER_MILLI, this::make);
    }
  }

  private void make() {
    scheduled = false;
    List<KnownHost> hosts = new ArrayList<>(table.size());
    table.forEach(
        (key, held) ->
            hosts.add(
                new KnownHost(key.address(), key.vlan(), held.value().location().connectPoint())));
    publish.accept(new KnownHosts(hosts));
  }
}
