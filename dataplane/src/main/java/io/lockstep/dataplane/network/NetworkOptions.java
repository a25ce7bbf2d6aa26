package io.lockstep.dataplane.network;

import io.lockstep.dataplane.openflow.AgentSettings;
import io.lockstep.dataplane.topology.Topology.SwitchSpec;
import io.lockstep.dataplane.wire.LinkQuality;
import io.lockstep.dataplane.wire.NetworkClock;
import io.lockstep.dataplane.wire.RealTime;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Function;

/**
 * How to run a topology.
 *
 * @param controllers the controllers each switch connects to
 * @param clock time of the network
 * @param loops event loops that share all switches and hosts, 1 or more
 * @param tables flow tables per switch that has no profile
 * @param tableEntries capacity of each flow table
 * @param buffers packets a switch keeps for its controllers
 * @param link every cable; a link's own delay comes from the topology
 */
public record NetworkOptions(
    Function<SwitchSpec, List<InetSocketAddress>> controllers,
    NetworkClock clock,
    int loops,
    int tables,
    int tableEntries,
    int buffers,
    LinkQuality link,
    AgentSettings agent) {
  /** All switches connect to the same controllers; real time, two loops. */
  public static NetworkOptions ordinary(List<InetSocketAddress> controllers) {
    List<InetSocketAddress> copy = List.copyOf(controllers);
    return new NetworkOptions(
        each -> copy,
        new RealTime(),
        2,
        4,
        65_536,
        256,
        LinkQuality.ORDINARY,
        AgentSettings.ORDINARY);
  }

  public NetworkOptions withControllers(Function<SwitchSpec, List<InetSocketAddress>> other) {
    return new NetworkOptions(other, clock, loops, tables, tableEntries, buffers, link, agent);
  }

  public NetworkOptions withClock(NetworkClock other) {
    return new NetworkOptions(
        controllers, other, loops, tables, tableEntries, buffers, link, agent);
  }

  public NetworkOptions withTableEntries(int entries) {
    return new NetworkOptions(controllers, clock, loops, tables, entries, buffers, link, agent);
  }

  public NetworkOptions withLink(LinkQuality other) {
    return new NetworkOptions(
        controllers, clock, loops, tables, tableEntries, buffers, other, agent);
  }

  public NetworkOptions withAgent(AgentSettings other) {
    return new NetworkOptions(
        controllers, clock, loops, tables, tableEntries, buffers, link, other);
  }
}
