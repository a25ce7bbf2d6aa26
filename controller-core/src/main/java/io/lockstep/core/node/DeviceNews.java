package io.lockstep.core.node;

import io.lockstep.core.link.LinkDiscovery;
import io.lockstep.core.link.PortsDown;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.state.ResyncListener;
import io.lockstep.core.state.Wakeup;
import io.lockstep.core.topology.NetworkTopology;
import java.util.Set;
import java.util.concurrent.Executor;
import org.onosproject.net.Port;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;

/**
 * Leads the changes of switches and ports of all nodes, as the store has them, to the topology and
 * to link discovery. Called on the thread of onos-api's listeners; what follows from a change runs
 * on the control loop.
 */
final class DeviceNews implements DeviceListener, ResyncListener {
  /** What changes a topology: it shows no ports. */
  private static final Set<DeviceEvent.Type> OF_TOPOLOGY =
      Set.of(
          DeviceEvent.Type.DEVICE_ADDED,
          DeviceEvent.Type.DEVICE_REMOVED,
          DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED);

  private final DeviceService devices;
  private final NetworkTopology topology;
  private final Wakeup refresh;
  private final Wakeup compare;
  private final PortsDown portsDown;

  /**
   * News for a topology and for discovery.
   *
   * @param loop the control loop
   */
  DeviceNews(
      DeviceService devices, Executor loop, NetworkTopology topology, LinkDiscovery discovery) {
    this.devices = devices;
    this.topology = topology;
    this.refresh = new Wakeup(loop, topology::refresh);
    this.compare = new Wakeup(loop, () -> discovery.comparePorts(this::isUp));
    this.portsDown = new PortsDown(loop, discovery::portIsDown);
  }

  /** Counters are no news of the network: a switch has new ones every few seconds. */
  @Override
  public boolean isRelevant(DeviceEvent event) {
    return event.type() != DeviceEvent.Type.PORT_STATS_UPDATED;
  }

  @Override
  public void event(DeviceEvent event) {
    if (OF_TOPOLOGY.contains(event.type())) {
      topology.deviceChanged(event);
      refresh.wake();
    }
    Port port = event.port();
    if (port != null && (!port.isEnabled() || event.type() == DeviceEvent.Type.PORT_REMOVED)) {
      portsDown.add(SwitchPort.of(event.subject().id(), port.number()));
    }
  }

  @Override
  public void resync() {
    topology.deviceEventsLost();
    refresh.wake();
    compare.wake();
  }

  private boolean isUp(SwitchPort port) {
    Port known = devices.getPort(port.deviceId(), port.portNumber());
    return known != null && known.isEnabled();
  }
}
