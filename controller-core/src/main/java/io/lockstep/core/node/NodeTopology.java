package io.lockstep.core.node;

import io.lockstep.core.cluster.Membership;
import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.link.LinkTable;
import io.lockstep.core.link.NetworkLinks;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.state.TableView;
import io.lockstep.core.topology.ConfirmedLinks;
import io.lockstep.core.topology.NetworkTopology;
import io.lockstep.core.topology.TopologyTracker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.topology.TopologyService;

/**
 * The links of the store and what follows from them: the tree, pictures of the network, and
 * onos-api's link and topology services, which it offers.
 */
final class NodeTopology {
  private final NodeContext node;
  private final TableView<DirectedLink, Long> links;
  private final TopologyTracker tracker;
  private final NetworkTopology topology;

  /**
   * @param provenEdges the edge ports as known now
   */
  NodeTopology(
      NodeContext node,
      TopologyTracker.Config config,
      Supplier<? extends Collection<SwitchPort>> provenEdges) {
    this.node = node;
    links = node.state().declare(LinkTable.NAME, new LinkTable());
    ConfirmedLinks confirmed =
        new ConfirmedLinks(
            node.config().nodeId(),
            node.state(),
            node.membership(),
            node.typed(),
            this::othersFollowed);
    tracker =
        new TopologyTracker(
            () -> links.entries().keySet(),
            provenEdges,
            confirmed,
            config,
            node.state().loop()::schedule,
            node.nanoClock());
    links.addListener(
        (link, old, now) -> {
          confirmed.linkChanged();
          tracker.changed();
        });
    node.membership()
        .addListener(
            new Membership.Listener() {
              @Override
              public void quorumGained(long sessionId) {
                tracker.began();
              }

              @Override
              public void quorumLost(String reason) {
                // A node that takes no part does not flood.
              }
            });
    NetworkLinks onosLinks = new NetworkLinks(links, node.events());
    topology = new NetworkTopology(this::devices, onosLinks::all, tracker, node.events());
    onosLinks.observe(topology::linkChanged);
    node.services().offer(LinkService.class, onosLinks);
    node.services().offer(TopologyService.class, topology);
  }

  private void othersFollowed() {
    tracker.othersFollowed();
  }

  private List<DeviceId> devices() {
    List<DeviceId> ids = new ArrayList<>();
    for (Device device : node.services().get(DeviceService.class).getDevices()) {
      ids.add(device.id());
    }
    return ids;
  }

  /** The links as this node knows them now. */
  TableView<DirectedLink, Long> links() {
    return links;
  }

  TopologyTracker tracker() {
    return tracker;
  }

  NetworkTopology topology() {
    return topology;
  }
}
