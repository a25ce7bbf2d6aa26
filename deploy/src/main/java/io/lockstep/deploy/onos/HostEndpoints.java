package io.lockstep.deploy.onos;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.core.resource.Shown;
import java.util.Comparator;
import java.util.Set;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.host.HostService;

/** {@code /hosts}. Thread-safe. */
final class HostEndpoints {
  private static final int SHORT_BITS = 0xffff;

  private final HostService hosts;

  HostEndpoints(HostService hosts) {
    this.hosts = hosts;
  }

  void addTo(OnosRoutes routes) {
    routes.get("/hosts", call -> BoundedList.of("hosts", hosts.getHosts(), HostEndpoints::host));
    routes.get("/hosts/{mac}/{vlan}", call -> one(call.part("mac") + "/" + call.part("vlan")));
  }

  private OnosAnswer one(String id) {
    Host host = hosts.getHost(parse(id));
    if (host == null) {
      throw RefusedException.missing("Host is not found");
    }
    return OnosAnswer.ok(host(host));
  }

  private static HostId parse(String id) {
    try {
      return HostId.hostId(id);
    } catch (IllegalArgumentException e) {
      throw RefusedException.wrong(
          "'" + Shown.text(id) + "' is no host: give MAC/VLAN, such as 02:00:00:00:00:01/None");
    }
  }

  private static ObjectNode host(Host host) {
    ObjectNode json =
        OnosAnswer.object()
            .put("id", host.id().toString())
            .put("mac", host.mac().toString())
            .put("vlan", host.vlan().toString())
            .put("innerVlan", host.innerVlan().toString())
            .put("outerTpid", String.format("0x%04x", host.tpid().toShort() & SHORT_BITS))
            .put("configured", host.configured())
            .put("suspended", host.suspended());
    ArrayNode addresses = json.putArray("ipAddresses");
    host.ipAddresses().stream().sorted().forEach(address -> addresses.add(address.toString()));
    locations(json, "locations", host.locations());
    if (host.auxLocations() != null) {
      locations(json, "auxLocations", host.auxLocations());
    }
    return DeviceEndpoints.annotated(json, host);
  }

  private static void locations(ObjectNode json, String name, Set<HostLocation> locations) {
    ArrayNode array = json.putArray(name);
    locations.stream()
        .sorted(Comparator.comparing(HostLocation::toString))
        .forEach(
            location ->
                array
                    .addObject()
                    .put("elementId", location.elementId().toString())
                    .put("port", location.port().toStringWithoutName()));
  }
}
