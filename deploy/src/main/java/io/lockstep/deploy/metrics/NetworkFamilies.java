package io.lockstep.deploy.metrics;

import io.lockstep.core.node.ControllerNode;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.core.node.ServiceRegistry;
import io.lockstep.core.path.PathService;
import io.lockstep.core.path.PathStatus;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkService;

/** Links, hosts and paths of the whole cluster, as this node knows them. */
final class NetworkFamilies {
  private NetworkFamilies() {}

  /** The room for packets; null in a node without one. */
  static @Nullable NetworkRoom roomOf(ControllerNode node) {
    return has(node, NetworkRoom.class) ? node.services().get(NetworkRoom.class) : null;
  }

  private static boolean has(ControllerNode node, Class<?> service) {
    return node.services().names().contains(service.getName());
  }

  static void add(MetricFamilies families, ControllerNode node) {
    ServiceRegistry services = node.services();
    if (has(node, LinkService.class)) {
      families
          .gauge("lockstep_links", "Links of the network, each direction for itself.")
          .add(services.get(LinkService.class).getLinkCount());
    }
    if (has(node, HostService.class)) {
      families
          .gauge("lockstep_hosts", "Hosts of the network.")
          .add(services.get(HostService.class).getHostCount());
    }
    if (has(node, PathService.class)) {
      Map<String, Integer> phases = new TreeMap<>();
      for (PathStatus one : services.get(PathService.class).paths().values()) {
        phases.merge(one.phase().toLowerCase(Locale.ROOT), 1, Integer::sum);
      }
      phases.putIfAbsent("steady", 0);
      MetricFamilies.Samples paths =
          families.gauge("lockstep_paths", "Paths that change in unison, by phase.", "phase");
      phases.forEach((phase, count) -> paths.add(count, phase));
    }
  }
}
