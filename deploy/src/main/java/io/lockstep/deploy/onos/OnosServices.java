package io.lockstep.deploy.onos;

import io.lockstep.core.node.ServiceRegistry;
import java.util.List;
import org.onosproject.cluster.ClusterService;
import org.onosproject.core.CoreService;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.topology.TopologyService;

/**
 * What the REST API shows and changes.
 *
 * @param writer writes rules
 * @param applications that run in this node, by name
 * @param activation which of them decide on packets
 */
public record OnosServices(
    DeviceService devices,
    LinkService links,
    HostService hosts,
    FlowRuleService flows,
    FlowWriter writer,
    TopologyService topology,
    ClusterService cluster,
    MastershipService mastership,
    CoreService core,
    List<OnosApplication> applications,
    ApplicationActivation activation) {

  /** Those that a node offers. */
  public static OnosServices of(
      ServiceRegistry node,
      FlowWriter writer,
      List<OnosApplication> applications,
      ApplicationActivation activation) {
    return new OnosServices(
        node.get(DeviceService.class),
        node.get(LinkService.class),
        node.get(HostService.class),
        node.get(FlowRuleService.class),
        writer,
        node.get(TopologyService.class),
        node.get(ClusterService.class),
        node.get(MastershipService.class),
        node.get(CoreService.class),
        applications,
        activation);
  }
}
