package io.lockstep.dataplane.topology;

import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A network to emulate. Made by {@link TopologyBuilder}, which checks it: names, dpids, addresses
 * and ports are unique, and every link and host is at a switch that exists.
 */
public record Topology(
    String name, List<SwitchSpec> switches, List<LinkSpec> links, List<HostSpec> hosts) {
  public Topology {
    switches = List.copyOf(switches);
    links = List.copyOf(links);
    hosts = List.copyOf(hosts);
  }

  /** The domains in order of first mention. */
  public Set<String> domains() {
    Set<String> domains = new LinkedHashSet<>();
    switches.forEach(each -> domains.add(each.domain()));
    return domains;
  }

  /**
   * A switch with this name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public SwitchSpec switchNamed(String wanted) {
    for (SwitchSpec each : switches) {
      if (each.name().equals(wanted)) {
        return each;
      }
    }
    throw new IllegalArgumentException("no switch " + wanted + " in " + name);
  }

  /**
   * A switch.
   *
   * @param dpid datapath id, not 0
   * @param domain name of the domain it belongs to
   */
  public record SwitchSpec(String name, long dpid, String domain) {}

  /** A port of a switch, 1 to 65279. */
  public record PortRef(String switchName, int port) {
    @Override
    public String toString() {
      return switchName + ":" + port;
    }
  }

  /** A cable between two switches. */
  public record LinkSpec(PortRef a, PortRef b, double delayMillis) {}

  /** A host and where it is plugged in. */
  public record HostSpec(String name, Mac mac, Ipv4 address, PortRef at) {}
}
