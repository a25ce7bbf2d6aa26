package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.state.BalancerStore;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.KnownHost;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.topology.KnownHosts;
import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.core.topology.TablePictures;
import io.lockstep.store.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;

/**
 * Two switches with a cable between their ports 9, hosts, and a store: switch 1 has clients at
 * ports 1 and 2 and member m1 at port 3, switch 2 has member m2 at port 1.
 */
final class PlayedNetwork {
  final BalancerStore store = new BalancerStore();
  final LoadBalancer balancer = new LoadBalancer();
  final List<KnownHost> hosts = new ArrayList<>();

  /** How many questions decisions asked. */
  int asked;

  PlayedNetwork() {
    host(1, 1, 0xa, "10.0.0.200");
    host(1, 2, 0xb, "10.0.0.201");
    host(1, 3, 1, "10.0.0.1");
    host(2, 1, 2, "10.0.0.2");
  }

  void host(long dpid, long port, long mac, String ip) {
    host(dpid, port, mac, ip, -1);
  }

  void host(long dpid, long port, long mac, String ip, int vlanId) {
    hosts.add(
        new KnownHost(
            MacAddress.valueOf(0x0200_0000_0000L | mac),
            vlanId,
            new SwitchPort(dpid, port).connectPoint(),
            List.of(Ip4Address.valueOf(ip))));
  }

  NetworkPicture view() {
    List<SwitchPort> edges =
        List.of(
            new SwitchPort(1, 1), new SwitchPort(1, 2), new SwitchPort(1, 3), new SwitchPort(2, 1));
    SwitchPort one = new SwitchPort(1, 9);
    SwitchPort two = new SwitchPort(2, 9);
    return new NetworkPicture(1, edges, List.of(one, two))
        .withLinks(List.of(new DirectedLink(one, two), new DirectedLink(two, one)))
        .with(new KnownHosts(hosts))
        .with(TablePictures.NONE.with(ServicePicture.PICTURE, services()))
        .withoutRewriting(device -> device.toString().endsWith("2"));
  }

  ServicePicture services() {
    Map<String, List<Entry>> tables = new HashMap<>();
    ServicePicture.PICTURE.tables().forEach(name -> tables.put(name, store.entries(name)));
    return ServicePicture.PICTURE.of(tables);
  }

  /** Whether a node drops a packet because of its sender, before it learns anything from it. */
  boolean isClaimed(PlayedPacket packet) {
    return balancer.claimsSource(packet, view());
  }

  /** What is decided on a packet in the end. */
  Decision send(PlayedPacket packet) {
    return isClaimed(packet) ? Decision.DROP : end(balancer.packetIn(packet, view()));
  }

  Decision tell(NetworkEvent event) {
    return end(balancer.networkEvent(event, view()));
  }

  private Decision end(Decision decision) {
    if (decision instanceof Decision.Ask ask) {
      asked++;
      return end(ask.then().apply(store.run(ask.command())));
    }
    return decision;
  }

  /** What is done, without what is counted. */
  static List<Instruction> instructions(Decision decision) {
    return decision instanceof Decision.Act act
        ? act.instructions().stream().filter(one -> !(one instanceof Instruction.Count)).toList()
        : List.of();
  }

  /** What is counted. */
  static List<String> counts(Decision decision) {
    List<String> counts = new ArrayList<>();
    if (decision instanceof Decision.Act act) {
      for (Instruction one : act.instructions()) {
        if (one instanceof Instruction.Count count) {
          counts.add(count.what());
        }
      }
    }
    return counts;
  }
}
