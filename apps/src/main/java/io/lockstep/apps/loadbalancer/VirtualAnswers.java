package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.frame.ArpPacket;
import io.lockstep.apps.loadbalancer.frame.IcmpEcho;
import io.lockstep.apps.loadbalancer.frame.Ipv4Packet;
import io.lockstep.apps.loadbalancer.frame.TcpHead;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketView;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.DefaultTrafficTreatment;

/** What a node itself answers for a virtual IP. Pure. */
final class VirtualAnswers {
  private VirtualAnswers() {}

  /**
   * Answers ARP for a virtual IP at an edge port; passes on all other ARP. None has a virtual IP as
   * its sender ({@link LoadBalancer#claimsSource}).
   *
   * @param store has the MAC address of the virtual IP
   */
  static Decision arp(
      PacketView packet,
      ArpPacket arp,
      ServicePicture services,
      NetworkView network,
      BalancerAccess store) {
    boolean isOurs = services.owns(arp.targetIp(), arp.head().vlan());
    if (!isOurs || !network.isEdge(packet.deviceId(), packet.inPort())) {
      return isOurs && VirtualMac.is(arp.head().destination()) ? Decision.DROP : Decision.PASS;
    }
    return arp.operation() == ArpPacket.REQUEST
        ? store.address(arp.targetIp(), mac -> send(packet, arp.reply(packet.frame(), mac)))
        : Decision.DROP;
  }

  /** Answers a ping, if it came whole. */
  static Decision ping(PacketView packet, Ipv4Packet ip) {
    return send(packet, IcmpEcho.reply(packet.frame(), ip));
  }

  /** Resets a TCP connection; drops everything else. */
  static Decision refuse(PacketView packet, Ipv4Packet ip) {
    TcpHead tcp = TcpHead.of(packet.frame(), ip);
    return send(packet, tcp == null ? null : tcp.reset(packet.frame(), ip));
  }

  /** Sends an answer to where the packet came from, and the packet nowhere. */
  private static Decision send(PacketView packet, byte @Nullable [] answer) {
    return answer == null
        ? Decision.DROP
        : Decision.act(
            new Instruction.Emit(
                packet.deviceId(),
                DefaultTrafficTreatment.builder().setOutput(packet.inPort()).build(),
                answer));
  }
}
