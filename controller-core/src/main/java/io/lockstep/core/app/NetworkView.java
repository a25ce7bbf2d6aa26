package io.lockstep.core.app;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/**
 * An immutable picture of the network as this node knows it now: the node makes another one when
 * links, ports or hosts change. It follows the store with a short delay, hosts with some 100 ms
 * more: it may be older than the last linearizable read. Thread-safe.
 */
public interface NetworkView {

  /** Grows with every change of the links or the broadcast tree. */
  long generation();

  /** Whether no link is known at this port: hosts can be there. */
  boolean isEdge(DeviceId device, PortNumber port);

  /**
   * Whether packets for flooding may come in here: an edge port or a port on the broadcast tree.
   * What comes in elsewhere is a copy on a redundant link and must be dropped.
   */
  boolean onBroadcastTree(DeviceId device, PortNumber port);

  /** Ports to flood to: enabled edge ports and tree ports, without {@code inPort}. */
  List<PortNumber> floodPorts(DeviceId device, PortNumber inPort);

  /**
   * The host with this address in a VLAN; null where none is known. Two hash probes.
   *
   * @param vlanId as {@link PacketView#vlanId} gives it
   */
  @Nullable KnownHost host(MacAddress address, int vlanId);

  /**
   * The host that claims an IPv4 address in a VLAN by ARP; null where none does. Of several it is
   * the one that has been at its place longest. Two hash probes.
   *
   * @param ip the address as a number
   * @param vlanId as {@link PacketView#vlanId} gives it
   */
  @Nullable KnownHost hostWith(int ip, int vlanId);

  /** All hosts known, in no order. */
  Collection<KnownHost> hosts();

  /** All links between switches, each direction by itself, in the order of their ends. */
  List<KnownLink> links();

  /**
   * A path with the fewest links, over cables that were seen to work in both directions. Of several
   * the one through the lowest ports, from the start on, so that all nodes that know the same links
   * take the same path. The first question from a switch costs a search through all links, further
   * ones of the same picture the length of the path.
   *
   * @return the links in order; empty where both switches are the same, null where there is no path
   */
  @Nullable List<KnownLink> path(DeviceId from, DeviceId to);

  /**
   * The port of one switch towards another one along the broadcast tree, where packets to a host
   * must go that other switches forward as they learned; null where the tree does not lead there
   * now. The first question from a switch costs a search through the tree, further ones of the same
   * picture a hash probe.
   */
  @Nullable PortNumber treePort(DeviceId from, DeviceId to);

  /**
   * The connected switches that say that they cannot rewrite the addresses and ports of packets, in
   * the order of their names. Of a switch that says nothing it is assumed that it can. Only what
   * nouns and resources are given names any.
   */
  default List<DeviceId> cannotRewrite() {
    return List.of();
  }

  /**
   * What the application made of its tables as the node knows them now.
   *
   * @throws IllegalArgumentException where the application did not name it: {@link
   *     PacketApplication#pictures}
   */
  <T> T picture(TablePicture<T> picture);
}
