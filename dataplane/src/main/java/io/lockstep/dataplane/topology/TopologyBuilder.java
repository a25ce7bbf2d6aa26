package io.lockstep.dataplane.topology;

import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.topology.Topology.HostSpec;
import io.lockstep.dataplane.topology.Topology.LinkSpec;
import io.lockstep.dataplane.topology.Topology.PortRef;
import io.lockstep.dataplane.topology.Topology.SwitchSpec;
import io.lockstep.yaml.Place;
import io.lockstep.yaml.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects a topology and everything that is wrong with it; {@link #build()} reports all of it at
 * once. Ports that are left open are numbered from 1 on per switch, links and hosts in the order
 * they were added, around the ports that are named. Used by one thread.
 */
public final class TopologyBuilder {
  /** A port to be chosen by the builder. */
  public static final int ANY_PORT = 0;

  /** Stands for a name that could not be read and was reported already. */
  static final String UNREADABLE = "?";

  /** Most switches in one topology. */
  public static final int MAX_SWITCHES = 1000;

  /** Highest port number. */
  public static final int MAX_PORT = 65279;

  /** Longest delay of a link. */
  static final int MAX_DELAY_MILLIS = 10_000;

  private final String name;
  private final String source;
  private final Map<String, SwitchSpec> switches = new LinkedHashMap<>();
  private final List<PendingLink> links = new ArrayList<>();
  private final List<PendingHost> hosts = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private final Map<String, Set<Integer>> usedPorts = new HashMap<>();
  private final Map<String, Place> firstUse = new HashMap<>();
  private Place place = Place.NOWHERE;
  private String path = "";

  public TopologyBuilder(String name) {
    this(name, name);
  }

  /**
   * @param source where it comes from, for messages: a file
   */
  TopologyBuilder(String name, String source) {
    this.name = name;
    this.source = source;
  }

  /**
   * Where the next additions stand in a file.
   *
   * @param newPath the path of their keys
   */
  TopologyBuilder at(Place newPlace, String newPath) {
    place = newPlace;
    path = newPath;
    return this;
  }

  /** Adds a switch after the specification of OpenFlow 1.3. */
  public TopologyBuilder addSwitch(String switchName, long dpid, String domain) {
    return addSwitch(new SwitchSpec(switchName, dpid, domain));
  }

  /** Adds a switch of a model. */
  public TopologyBuilder addSwitch(
      String switchName, long dpid, String domain, HardwareProfile profile) {
    return addSwitch(new SwitchSpec(switchName, dpid, domain, profile));
  }

  /** Adds a switch. */
  public TopologyBuilder addSwitch(SwitchSpec spec) {
    String switchName = spec.name();
    long dpid = spec.dpid();
    if (switchName.equals(UNREADABLE)) {
      return this;
    }
    if (dpid == 0) {
      problem("switch " + switchName + " has dpid 0", "give it a dpid of 1 or more");
    }
    claim("dpid " + Long.toHexString(dpid), "give each switch a dpid of its own");
    if (claim("name " + switchName, "give each switch and host a name of its own")) {
      switches.put(switchName, spec);
      usedPorts.put(switchName, new HashSet<>());
      if (switches.size() == MAX_SWITCHES + 1) {
        problem("more than " + MAX_SWITCHES + " switches", "split the network");
      }
    }
    return this;
  }

  public TopologyBuilder link(PortRef a, PortRef b, double delayMillis) {
    if (a.switchName().equals(b.switchName()) && !a.switchName().equals(UNREADABLE)) {
      problem("link from " + a + " to itself", "name two different switches");
    }
    if (!(delayMillis >= 0 && delayMillis <= MAX_DELAY_MILLIS)) {
      problem("delay of " + delayMillis + " ms", "use 0 to " + MAX_DELAY_MILLIS + " ms");
    }
    links.add(new PendingLink(place, path, a, b, delayMillis));
    return this;
  }

  /** Joins two switches at ports of the builder's choice, without delay. */
  public TopologyBuilder link(String a, String b) {
    return link(new PortRef(a, ANY_PORT), new PortRef(b, ANY_PORT), 0);
  }

  public TopologyBuilder host(String hostName, Mac mac, Ipv4 address, PortRef at) {
    claim("name " + hostName, "give each switch and host a name of its own");
    claim("MAC " + mac, "give each host a MAC of its own");
    claim("address " + address, "give each host an address of its own");
    if (mac.isGroup() || mac.value() == 0) {
      problem("host " + hostName + " has MAC " + mac, "use a unicast MAC, for example 02:...");
    }
    hosts.add(new PendingHost(place, path, hostName, mac, address, at));
    return this;
  }

  /** Adds the next host at a switch: h1, h2, ... with 02:00:00:00:... and 10.0.x.y. */
  public TopologyBuilder host(String switchName) {
    int number = hosts.size() + 1;
    return host(
        "h" + number,
        new Mac(0x0200_0000_0000L | number),
        new Ipv4(0x0a00_0000 | number),
        new PortRef(switchName, ANY_PORT));
  }

  /** Records something wrong at the current place. */
  public void problem(String what, String remedy) {
    problems.add(new Problem(place, path, what, remedy));
  }

  private boolean claim(String thing, String remedy) {
    Place earlier = firstUse.putIfAbsent(thing, place);
    if (earlier != null) {
      String where = earlier.equals(Place.NOWHERE) ? "" : " (first in line " + earlier.line() + ")";
      problem(thing + " is used twice" + where, remedy);
    }
    return earlier == null;
  }

  /**
   * The topology.
   *
   * @throws TopologyException naming everything that is wrong
   */
  public Topology build() {
    return build(List.of());
  }

  /**
   * The topology.
   *
   * @param others what else is wrong with the file that it comes from
   * @throws TopologyException naming everything that is wrong
   */
  Topology build(List<Problem> others) {
    problems.addAll(others);
    at(Place.NOWHERE, "");
    if (switches.isEmpty()) {
      problem("no switches", "add at least one switch");
    }
    for (PendingLink link : links) {
      at(link.place, link.path).reserve(link.a);
      at(link.place, link.path).reserve(link.b);
    }
    for (PendingHost host : hosts) {
      at(host.place, host.path).reserve(host.at);
    }
    if (!problems.isEmpty()) {
      problems.sort(Comparator.comparing(Problem::place));
      throw new TopologyException(source, problems);
    }
    List<HostSpec> placedHosts = new ArrayList<>();
    for (PendingHost host : hosts) {
      placedHosts.add(new HostSpec(host.name, host.mac, host.address, place(host.at)));
    }
    List<LinkSpec> placedLinks = new ArrayList<>();
    for (PendingLink link : links) {
      placedLinks.add(new LinkSpec(place(link.a), place(link.b), link.delayMillis));
    }
    return new Topology(name, List.copyOf(switches.values()), placedLinks, placedHosts);
  }

  private void reserve(PortRef ref) {
    Set<Integer> used = usedPorts.get(ref.switchName());
    if (ref.switchName().equals(UNREADABLE)) {
      return;
    }
    if (used == null) {
      problem("no switch " + ref.switchName(), "add it under switches or correct the name");
    } else if (ref.port() < 0 || ref.port() > MAX_PORT) {
      problem("port " + ref, "use ports 1 to " + MAX_PORT);
    } else if (ref.port() != ANY_PORT && !used.add(ref.port())) {
      problem("port " + ref + " is used twice", "plug one cable into each port");
    }
  }

  private PortRef place(PortRef ref) {
    if (ref.port() != ANY_PORT) {
      return ref;
    }
    Set<Integer> used = usedPorts.getOrDefault(ref.switchName(), new HashSet<>());
    int port = 1;
    while (!used.add(port)) {
      port++;
    }
    return new PortRef(ref.switchName(), port);
  }

  private record PendingLink(Place place, String path, PortRef a, PortRef b, double delayMillis) {}

  private record PendingHost(
      Place place, String path, String name, Mac mac, Ipv4 address, PortRef at) {}
}
