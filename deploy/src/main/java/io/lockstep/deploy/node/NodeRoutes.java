package io.lockstep.deploy.node;

import io.lockstep.core.node.ServiceRegistry;
import io.lockstep.deploy.admin.flow.RouteDoor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.Path;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.topology.TopologyService;

/** Routes by this node's view of the network, for the admin HTTP. Thread-safe. */
final class NodeRoutes implements RouteDoor {
  private static final String DPID = "(?:of:|0x)?[0-9a-fA-F]{1,16}";

  private final ServiceRegistry services;

  NodeRoutes(ServiceRegistry services) {
    this.services = services;
  }

  @Override
  public Optional<End> find(String text) {
    if (text.matches("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}")) {
      return host(services.get(HostService.class).getHostsByMac(MacAddress.valueOf(text)));
    }
    if (text.matches(DPID + "(/[0-9]{1,10})?")) {
      int slash = text.indexOf('/');
      String digits =
          (slash < 0 ? text : text.substring(0, slash))
              .replaceFirst("^(?:of:|0x)", "")
              .toLowerCase(Locale.ROOT);
      String dpid = "0".repeat(16 - digits.length()) + digits;
      long port = slash < 0 ? 0 : Long.parseLong(text.substring(slash + 1));
      return services.get(DeviceService.class).getDevice(DeviceId.deviceId("of:" + dpid)) == null
          ? Optional.empty()
          : Optional.of(new End(dpid, port, ""));
    }
    try {
      return host(services.get(HostService.class).getHostsByIp(IpAddress.valueOf(text)));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // it is no address, so there is none
    }
  }

  private static Optional<End> host(Iterable<Host> hosts) {
    for (Host host : hosts) {
      HostLocation at = host.location();
      return Optional.of(
          new End(
              Dpids.text(at.deviceId()),
              at.port().toLong(),
              host.mac().toString().toLowerCase(Locale.ROOT)));
    }
    return Optional.empty();
  }

  @Override
  public Routes routes(End from, End to, int limit) {
    List<RouteReport> routes = new ArrayList<>();
    if (from.dpid().equals(to.dpid())) {
      routes.add(new RouteReport(List.of(last(to)), 0));
    } else {
      TopologyService topology = services.get(TopologyService.class);
      topology
          .getKShortestPaths(
              topology.currentTopology(),
              DeviceId.deviceId("of:" + from.dpid()),
              DeviceId.deviceId("of:" + to.dpid()))
          .limit(limit)
          .forEach(path -> routes.add(route(path, to)));
    }
    return new Routes(from, to, routes);
  }

  private static RouteReport route(Path path, End to) {
    List<String> hops = new ArrayList<>();
    for (Link link : path.links()) {
      hops.add(Dpids.text(link.src().deviceId()) + "/" + link.src().port().toLong());
    }
    hops.add(last(to));
    return new RouteReport(hops, path.links().size());
  }

  private static String last(End to) {
    return to.port() == 0 ? to.dpid() : to.dpid() + "/" + to.port();
  }
}
