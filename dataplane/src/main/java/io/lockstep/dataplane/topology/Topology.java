package io.lockstep.dataplane.topology;

import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.profile.HardwareProfile;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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

  /** The same network where switches after the specification speak another version, if chosen. */
  public Topology speaking(Protocol protocol, Predicate<SwitchSpec> which) {
    List<SwitchSpec> changed = new ArrayList<>();
    for (SwitchSpec each : switches) {
      changed.add(
          each.profile() == null && which.test(each)
              ? new SwitchSpec(each.name(), each.dpid(), each.domain(), protocol, null)
              : each);
    }
    return new Topology(name, changed, links, hosts);
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
   * @param protocol the version of OpenFlow it speaks; the profile's where there is one
   * @param profile the model of switch; null for one after the specification
   */
  public record SwitchSpec(
      String name, long dpid, String domain, Protocol protocol, @Nullable HardwareProfile profile) {
    /** A switch after the specification of OpenFlow 1.3. */
    public SwitchSpec(String name, long dpid, String domain) {
      this(name, dpid, domain, Protocol.OPENFLOW_13, null);
    }

    /** A model of switch. */
    public SwitchSpec(String name, long dpid, String domain, HardwareProfile profile) {
      this(name, dpid, domain, Protocol.of(profile.openFlow()), profile);
    }
  }

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
