package io.lockstep.core.node;

import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.path.PathConfig;
import io.lockstep.core.path.PathDriver;
import io.lockstep.core.path.PathOffer;
import io.lockstep.core.path.PathService;
import io.lockstep.core.path.PathViews;
import io.lockstep.core.state.ControlLoop;
import java.util.BitSet;
import org.onlab.packet.VlanId;
import org.onosproject.net.Host;
import org.onosproject.net.host.HostService;

/**
 * Paths that change in unison (docs/adr/0033), put together. Stands behind {@link NetworkRoom},
 * which offers the rules and knows the hosts. Offers {@link PathService} and {@link PathOffer}.
 */
public final class PathRoom implements NodeRoom {
  private PathRoom(PathConfig config, NodeContext node) {
    ControlLoop loop = node.state().loop();
    PathViews views = new PathViews(node.state());
    HostService hosts = node.services().get(HostService.class);
    PathDriver driver =
        new PathDriver(
            views,
            node.services().get(RoomRules.class),
            node.store(),
            config,
            dpid -> node.ownership().ownSwitch(dpid) != null,
            () -> vlans(hosts),
            loop,
            loop::schedule,
            node.nanoClock());
    node.services().offer(PathDriver.class, driver);
    PathService service = new PathService(views, node.store(), config, loop, loop::schedule);
    node.services().offer(PathService.class, service);
    node.services().offer(PathOffer.class, service.offer());
  }

  private static BitSet vlans(HostService hosts) {
    BitSet vlans = new BitSet(VlanId.MAX_VLAN + 1);
    for (Host host : hosts.getHosts()) {
      int vlan = host.vlan().toShort();
      if (vlan >= 0 && vlan <= VlanId.MAX_VLAN) {
        vlans.set(vlan);
      }
    }
    return vlans;
  }

  /** Makes the room in a node. */
  public static NodeRoom.Factory serving(PathConfig config) {
    return node -> new PathRoom(config, node);
  }
}
