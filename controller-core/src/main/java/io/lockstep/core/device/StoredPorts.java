package io.lockstep.core.device;

import io.lockstep.core.state.TableView;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the store says of the ports, by switch and number. Owned by the control loop. */
final class StoredPorts implements TableView.Listener<PortTable.Key, PortRecord> {
  private final Map<Long, TreeMap<Long, PortRecord>> switches = new HashMap<>();

  /** The ports of a switch as they are now. */
  NavigableMap<Long, PortRecord> of(long dpid) {
    TreeMap<Long, PortRecord> ports = switches.get(dpid);
    return ports == null ? Collections.emptyNavigableMap() : ports;
  }

  @Override
  public void changed(PortTable.Key key, @Nullable PortRecord old, @Nullable PortRecord now) {
    if (now != null) {
      switches.computeIfAbsent(key.dpid(), dpid -> new TreeMap<>()).put(key.port(), now);
      return;
    }
    TreeMap<Long, PortRecord> ports = switches.get(key.dpid());
    if (ports != null) {
      ports.remove(key.port());
      if (ports.isEmpty()) {
        switches.remove(key.dpid());
      }
    }
  }
}
