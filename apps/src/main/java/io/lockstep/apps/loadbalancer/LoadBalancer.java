package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.frame.ArpPacket;
import io.lockstep.apps.loadbalancer.frame.EthernetHead;
import io.lockstep.apps.loadbalancer.frame.Ipv4Packet;
import io.lockstep.apps.loadbalancer.frame.TcpHead;
import io.lockstep.apps.loadbalancer.state.ConnectionAnswer;
import io.lockstep.apps.loadbalancer.state.ConnectionAnswer.Connection;
import io.lockstep.apps.loadbalancer.state.ConnectionKey;
import io.lockstep.apps.loadbalancer.state.FindReturn;
import io.lockstep.apps.loadbalancer.state.IngressPort;
import io.lockstep.apps.loadbalancer.state.ServiceAddress;
import io.lockstep.apps.loadbalancer.state.TranslateSource;
import io.lockstep.apps.loadbalancer.state.TransportProtocol;
import io.lockstep.apps.loadbalancer.state.VirtualIp;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.KnownHost;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.PacketView;
import io.lockstep.core.app.TablePicture;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.PortNumber;

/**
 * The load balancer. The first packet of a connection to a virtual IP takes a member in one
 * operation of the store; the client's edge switch then rewrites the packets of both directions.
 * Packets that come up later find the connection's record, at whichever node and switch.
 *
 * <p>It claims packets to a virtual IP, ARP for it, and malformed ARP of hosts. Of packets from a
 * member to a host of the same switch it claims those of connections, and installs guards for the
 * rest ({@link ConnectionEntries#guard}). It passes all others on, so it is asked before what
 * forwards.
 */
public final class LoadBalancer implements PacketApplication {

  /** Its name. */
  public static final String NAME = "load-balancer";

  private final BalancerAccess store;

  /** The product's load balancer. */
  public LoadBalancer() {
    this(BalancerAccess.OWN);
  }

  /** One that reaches the store another way for packets of clients. */
  public LoadBalancer(BalancerAccess store) {
    this.store = store;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<TablePicture<?>> pictures() {
    return List.of(ServicePicture.PICTURE);
  }

  /**
   * A frame from the MAC address of a virtual IP, ARP that says that its sender has a virtual IP,
   * or a frame of a host with the MAC address of a probe. Probes themselves come in from other
   * switches.
   */
  @Override
  public boolean claimsSource(PacketView packet, NetworkView network) {
    byte[] frame = packet.frame();
    if (packet.etherType() != EthernetHead.ARP && !VirtualMac.isSourceOf(frame)) {
      return false;
    }
    ServicePicture services = network.picture(ServicePicture.PICTURE);
    if (services.isEmpty()) {
      return false;
    }
    if (VirtualMac.isSourceOf(frame)) {
      long source = packet.source().toLong();
      boolean isProbes =
          HealthProbes.isSender(source) && network.isEdge(packet.deviceId(), packet.inPort());
      if (isProbes || services.isVirtual(source)) {
        return true;
      }
    }
    EthernetHead head = EthernetHead.of(frame);
    if (head == null) {
      return false;
    }
    ArpPacket arp = ArpPacket.of(frame, head);
    return arp != null && services.owns(arp.senderIp(), head.vlan());
  }

  @Override
  public Decision packetIn(PacketView packet, NetworkView network) {
    ServicePicture services = network.picture(ServicePicture.PICTURE);
    if (services.isEmpty()) {
      return Decision.PASS;
    }
    byte[] frame = packet.frame();
    EthernetHead head = EthernetHead.of(frame);
    if (head == null) {
      return VirtualMac.isDestinationOf(frame) ? Decision.DROP : Decision.PASS;
    }
    ArpPacket arp = ArpPacket.of(frame, head);
    if (arp != null) {
      Decision answer = HealthProbes.arp(packet, arp, services, network);
      Decision decision =
          answer != null ? answer : VirtualAnswers.arp(packet, arp, services, network, store);
      return decision instanceof Decision.Pass
          ? fromHost(packet, head, services, network)
          : decision;
    }
    if (head.etherType() == EthernetHead.ARP
        && network.isEdge(packet.deviceId(), packet.inPort())) {
      return Decision.act(BalancerCounts.MALFORMED); // no host of the network can read it
    }
    return services.isVirtual(head.destination())
        ? toVirtual(packet, head, services, network)
        : fromHost(packet, head, services, network);
  }

  // ---- from clients ----

  private Decision toVirtual(
      PacketView packet, EthernetHead head, ServicePicture services, NetworkView network) {
    Ipv4Packet ip = Ipv4Packet.of(packet.frame(), head);
    if (ip == null) {
      return Decision.act(BalancerCounts.MALFORMED);
    }
    VirtualIp vip = services.at(ip.destination());
    if (vip == null
        || vip.vlan() != head.vlan()
        || packet.isSourceDisputed()
        || !network.isEdge(packet.deviceId(), packet.inPort())) {
      return Decision.DROP;
    }
    if (ip.protocol() == Ipv4Packet.ICMP) {
      Decision answer = HealthProbes.echo(packet, ip, services, network);
      return answer != null ? answer : VirtualAnswers.ping(packet, ip);
    }
    TransportProtocol protocol = TransportProtocol.ofNumber(ip.protocol());
    if (protocol == null || ip.isFragment()) {
      return Decision.act(BalancerCounts.NOT_SERVED);
    }
    if (!ip.hasPorts(packet.frame())) {
      return Decision.act(BalancerCounts.MALFORMED);
    }
    int sourcePort = ip.sourcePort(packet.frame());
    ServiceAddress service =
        new ServiceAddress(protocol, ip.destination(), ip.destinationPort(packet.frame()));
    ServiceAddress member = new ServiceAddress(protocol, ip.source(), sourcePort);
    Decision probed =
        services.isMemberService(member) ? HealthProbes.tcp(packet, ip, services, network) : null;
    if (probed != null) {
      return probed;
    }
    if (services.service(service) == null) {
      Decision refusal =
          BalancerCounts.with(BalancerCounts.NO_SUCH_PORT, VirtualAnswers.refuse(packet, ip));
      return services.isMemberService(member)
          ? find(packet, ip, member, network, refusal)
          : refusal;
    }
    TcpHead tcp = TcpHead.of(packet.frame(), ip);
    if (protocol == TransportProtocol.TCP && tcp == null) {
      return Decision.act(BalancerCounts.MALFORMED);
    }
    boolean begins = tcp == null || tcp.isSyn();
    ConnectionKey key = new ConnectionKey(ip.source(), sourcePort, service);
    return store.member(
        key, ingress(packet), begins, answer -> taken(packet, ip, begins, network, answer));
  }

  private static IngressPort ingress(PacketView packet) {
    return new IngressPort(packet.dpid(), (int) packet.inPort().toLong());
  }

  /**
   * The connection has its member.
   *
   * @param begins whether the packet may begin a connection: the member has answered none before
   */
  private static Decision taken(
      PacketView packet,
      Ipv4Packet ip,
      boolean begins,
      NetworkView network,
      @Nullable ConnectionAnswer answer) {
    if (answer == null) {
      return Decision.DROP;
    }
    Connection connection = answer.connection();
    Instruction.Count count = BalancerCounts.of(answer.status());
    if (connection == null) {
      return BalancerCounts.with(count, VirtualAnswers.refuse(packet, ip));
    }
    KnownHost member = network.hostWith(connection.ip(), packet.vlanId());
    if (member == null) {
      // The client sends again, and finds the same member, unless that is reported by then.
      ServicePicture services = network.picture(ServicePicture.PICTURE);
      VirtualIp vip = services.service(connection.key().service());
      return BalancerCounts.with(
          BalancerCounts.MEMBER_UNKNOWN,
          vip == null
              ? Decision.DROP
              : HealthProbes.find(
                  packet.deviceId(), connection.ip(), connection.port(), services, vip));
    }
    ConnectPoint here = new ConnectPoint(packet.deviceId(), packet.inPort());
    if (connection.sourcePort() == 0 && begins && member.location().equals(here)) {
      return new Decision.Ask(
          TranslateSource.command(connection.key()),
          translated -> taken(packet, ip, false, network, ConnectionAnswer.of(translated)));
    }
    PortNumber memberPort = portTo(packet, member.location(), network);
    if (memberPort == null) {
      return Decision.act(BalancerCounts.NO_WAY);
    }
    ConnectionEntries entries =
        new ConnectionEntries(
            connection,
            packet.source(),
            packet.inPort(),
            tag(packet.vlanId()),
            member.address(),
            memberPort,
            ip.head().vlan() == 0 ? VlanId.NONE : tag(ip.head().vlan()));
    return entries.forwardThere(count);
  }

  /** The port of this switch that leads to a place; null where none does now. */
  private static @Nullable PortNumber portTo(
      PacketView packet, ConnectPoint place, NetworkView network) {
    return place.deviceId().equals(packet.deviceId())
        ? place.port()
        : network.treePort(packet.deviceId(), place.deviceId());
  }

  private static VlanId tag(int vlanId) {
    return vlanId < 0 ? VlanId.NONE : VlanId.vlanId((short) vlanId);
  }

  // ---- from members ----

  /** A frame to a host of this switch; if it comes from a member, it may belong to a connection. */
  private static Decision fromHost(
      PacketView packet, EthernetHead head, ServicePicture services, NetworkView network) {
    if ((packet.frame()[0] & 1) != 0
        || packet.isSourceDisputed()
        || !network.onBroadcastTree(packet.deviceId(), packet.inPort())) {
      return Decision.PASS;
    }
    KnownHost source = network.host(packet.source(), packet.vlanId());
    List<ServiceAddress> offered = source == null ? List.of() : services.servicesOf(source);
    if (offered.isEmpty()) {
      return Decision.PASS;
    }
    KnownHost host = network.host(packet.destination(), packet.vlanId());
    if (host == null || !host.location().deviceId().equals(packet.deviceId())) {
      return Decision.PASS;
    }
    List<Instruction> guards = new ArrayList<>(offered.size() + 1);
    for (ServiceAddress each : offered) {
      guards.add(
          ConnectionEntries.guard(
              each, packet.destination(), ConnectionEntries.LEAST_GUARD_SECONDS));
    }
    Ipv4Packet ip = Ipv4Packet.of(packet.frame(), head);
    TransportProtocol protocol = ip == null ? null : TransportProtocol.ofNumber(ip.protocol());
    if (ip == null || protocol == null || !ip.hasPorts(packet.frame())) {
      return new Decision.Act(guards).thenPass();
    }
    ServiceAddress member =
        new ServiceAddress(protocol, ip.source(), ip.sourcePort(packet.frame()));
    if (!services.isMemberService(member)) {
      return new Decision.Act(guards).thenPass();
    }
    guards.add(
        ConnectionEntries.direct(
            member,
            ip.destination(),
            ip.destinationPort(packet.frame()),
            packet.destination(),
            tag(packet.vlanId()),
            packet.inPort(),
            host.location().port()));
    return find(packet, ip, member, network, new Decision.Act(guards).thenPass());
  }

  /** Finds the connection of a packet from a member; decides otherwise where there is none. */
  private static Decision find(
      PacketView packet,
      Ipv4Packet ip,
      ServiceAddress member,
      NetworkView network,
      Decision otherwise) {
    return new Decision.Ask(
        FindReturn.command(
            member.protocol(),
            member.ip(),
            member.port(),
            ip.destination(),
            ip.destinationPort(packet.frame())),
        reply -> found(packet, network, reply, otherwise));
  }

  private static Decision found(
      PacketView packet, NetworkView network, Reply reply, Decision otherwise) {
    ConnectionAnswer answer = ConnectionAnswer.of(reply);
    if (answer == null) {
      return Decision.DROP;
    }
    Connection connection = answer.connection();
    if (connection == null) {
      return otherwise;
    }
    KnownHost client =
        connection.sourcePort() == 0
            ? network.host(packet.destination(), packet.vlanId())
            : network.hostWith(connection.key().clientIp(), packet.vlanId());
    if (client == null || !client.location().deviceId().equals(packet.deviceId())) {
      return Decision.DROP;
    }
    MacAddress clientMac = client.address();
    ConnectionEntries entries =
        new ConnectionEntries(
            connection,
            clientMac,
            client.location().port(),
            packet.vlanId() <= 0 ? VlanId.NONE : tag(packet.vlanId()),
            packet.source(),
            packet.inPort(),
            tag(packet.vlanId()));
    return entries.forwardBack(BalancerCounts.REPLY_FOUND);
  }

  // ---- events ----

  @Override
  public Decision networkEvent(NetworkEvent event, NetworkView network) {
    return BalancerEvents.decide(event, network);
  }
}
