package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.state.TableView.Held;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.IpAddress;

/** What this node knows of the hosts in the store, for those that track them. */
public interface HostSurroundings {
  /** A host in the store as known now; any thread. */
  @Nullable HostRecord host(HostKey key);

  /** A claimed move as known now, with the version of its entry; any thread. */
  @Nullable Held<HostRecord> claim(HostKey key);

  /** Shows every claimed move as known now; control loop. */
  void forEachClaim(BiConsumer<HostKey, HostRecord> each);

  /** The hosts with this IP address; any thread. */
  Set<HostKey> hostsWith(IpAddress ip);

  /** Shows every host as known now; control loop. */
  void forEachHost(BiConsumer<HostKey, HostRecord> each);

  /** Shows every host that only the table of an earlier release has; control loop. */
  void forEachOldHost(BiConsumer<HostKey, HostRecord> each);

  /** How many hosts are known at a port now; any thread. */
  int hostsAt(SwitchPort port);

  /** The hosts known at a port now: a live view that bears changes while it is read; any thread. */
  Set<HostKey> hostsOf(SwitchPort port);
}
