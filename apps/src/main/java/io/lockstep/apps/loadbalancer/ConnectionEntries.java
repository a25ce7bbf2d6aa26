package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.state.ConnectionAnswer.Connection;
import io.lockstep.apps.loadbalancer.state.ServiceAddress;
import io.lockstep.apps.loadbalancer.state.TransportProtocol;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.Instruction.InstallFlow;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/**
 * The flow entries of a connection at its client's edge switch: one to the member, one back. Pure.
 *
 * @param clientPort where the client is
 * @param memberPort the port towards the member
 * @param clientTag the VLAN of the client's frames; priority-tagged ones have their own
 * @param memberTag the VLAN of the member's frames
 */
record ConnectionEntries(
    Connection connection,
    MacAddress client,
    PortNumber clientPort,
    VlanId clientTag,
    MacAddress member,
    PortNumber memberPort,
    VlanId memberTag) {

  /** Of the entries of connections. */
  static final int PRIORITY = 200;

  /** Of guards, below: a packet from a member that has no entry comes up. */
  static final int GUARD_PRIORITY = 150;

  /** The bit of a tag that guards have. */
  static final int GUARD = 0x8000;

  /** The other bits of a tag, which name a member. */
  static final int MEMBER_BITS = 0x7fff;

  /** An entry goes so long after its last packet at most. */
  private static final int MOST_IDLE_SECONDS = 60;

  /** A packet of an active connection comes up after so long at most. */
  private static final int MOST_HARD_SECONDS = 300;

  /** A packet comes up at least so often while its connection is remembered. */
  private static final int PACKETS_IN_IDLE_TIME = 3;

  private static final int HOST_PREFIX = 32;
  private static final short IPV4 = 0x0800;

  /** How long a guard stays after its last packet, at least. */
  static final int LEAST_GUARD_SECONDS = 3_600;

  private static final int MOST_GUARD_SECONDS = 0xffff;

  private static final int DIRECT_SECONDS = 30;

  /** The tag of the entries to and from a member; another member may have the same. */
  static int tag(int ip, int port) {
    return 1 + Math.floorMod(31 * ip + port, MEMBER_BITS);
  }

  private ServiceAddress service() {
    return connection.key().service();
  }

  private MacAddress virtualMac() {
    return VirtualMac.address(service().ip());
  }

  private boolean isTranslated() {
    return connection.sourcePort() != 0;
  }

  /** The entry for what the client sends. */
  InstallFlow there() {
    TrafficSelector selector =
        flow(
                service().protocol(),
                connection.key().clientIp(),
                connection.key().clientPort(),
                service().ip(),
                service().port())
            .matchInPort(clientPort)
            .matchVlanId(clientTag)
            .matchEthSrc(client)
            .matchEthDst(virtualMac())
            .build();
    int hard =
        Math.min(MOST_HARD_SECONDS, Math.max(1, connection.idleSeconds() / PACKETS_IN_IDLE_TIME));
    return install(selector, treatmentThere(), idleSeconds(), hard);
  }

  /** The entry for what the member sends. */
  InstallFlow back() {
    TrafficSelector selector =
        (isTranslated()
                ? flow(
                        service().protocol(),
                        connection.ip(),
                        connection.port(),
                        service().ip(),
                        connection.sourcePort())
                    .matchEthDst(virtualMac())
                : flow(
                        service().protocol(),
                        connection.ip(),
                        connection.port(),
                        connection.key().clientIp(),
                        connection.key().clientPort())
                    .matchEthDst(client))
            .matchInPort(memberPort)
            .matchVlanId(memberTag)
            .matchEthSrc(member)
            .build();
    return install(selector, treatmentBack(), idleSeconds(), 0);
  }

  /** Installs the entries and sends a packet of the client to the member. */
  Decision forwardThere(Instruction.Count count) {
    InstallFlow there = there();
    return installAndSend(there, back(), there.treatment(), count);
  }

  /** Installs the entries and sends a packet of the member to the client. */
  Decision forwardBack(Instruction.Count count) {
    InstallFlow back = back();
    return installAndSend(there(), back, back.treatment(), count);
  }

  /**
   * The guard comes with the entries: the learning switch may have an entry for plain frames from
   * the member to the client, and replies must not take it where the entry back has gone.
   */
  private Decision installAndSend(
      InstallFlow there, InstallFlow back, TrafficTreatment packet, Instruction.Count count) {
    Instruction send = new Instruction.Send(packet);
    return isTranslated()
        ? Decision.act(there, back, send, count)
        : Decision.act(there, back, guard(), send, count);
  }

  /** Stays longer than the record, which may be written again for a sixth of its time less. */
  private InstallFlow guard() {
    int seconds = connection.idleSeconds() + connection.idleSeconds() / PACKETS_IN_IDLE_TIME;
    return guard(
        new ServiceAddress(service().protocol(), connection.ip(), connection.port()),
        client,
        Math.min(MOST_GUARD_SECONDS, Math.max(LEAST_GUARD_SECONDS, seconds)));
  }

  private int idleSeconds() {
    return Math.min(MOST_IDLE_SECONDS, connection.idleSeconds());
  }

  private InstallFlow install(
      TrafficSelector selector, TrafficTreatment treatment, int idleSeconds, int hardSeconds) {
    int tag = tag(connection.ip(), connection.port());
    return new InstallFlow(selector, treatment, PRIORITY, idleSeconds, hardSeconds, tag);
  }

  private TrafficTreatment treatmentThere() {
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder();
    if (isTranslated()) {
      treatment.setEthSrc(virtualMac()).setIpSrc(ip(service().ip()));
      setSource(treatment, connection.sourcePort());
    }
    treatment.setEthDst(member).setIpDst(ip(connection.ip()));
    setDestination(treatment, connection.port());
    return treatment.setOutput(output(memberPort)).build();
  }

  private TrafficTreatment treatmentBack() {
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder();
    treatment.setEthSrc(virtualMac()).setIpSrc(ip(service().ip()));
    setSource(treatment, service().port());
    if (isTranslated()) {
      treatment.setEthDst(client).setIpDst(ip(connection.key().clientIp()));
      setDestination(treatment, connection.key().clientPort());
    }
    return treatment.setOutput(output(clientPort)).build();
  }

  /** A switch sends back by the port that a packet came in by only what is to IN_PORT. */
  private PortNumber output(PortNumber port) {
    return memberPort.equals(clientPort) ? PortNumber.IN_PORT : port;
  }

  private void setSource(TrafficTreatment.Builder treatment, int port) {
    if (service().protocol() == TransportProtocol.TCP) {
      treatment.setTcpSrc(TpPort.tpPort(port));
    } else {
      treatment.setUdpSrc(TpPort.tpPort(port));
    }
  }

  private void setDestination(TrafficTreatment.Builder treatment, int port) {
    if (service().protocol() == TransportProtocol.TCP) {
      treatment.setTcpDst(TpPort.tpPort(port));
    } else {
      treatment.setUdpDst(TpPort.tpPort(port));
    }
  }

  // ---- entries beside those of connections ----

  /** Sends up what comes from a member's service to a host of this switch. */
  static InstallFlow guard(ServiceAddress member, MacAddress host, int idleSeconds) {
    TrafficSelector.Builder selector = protocol(member.protocol());
    selector.matchEthDst(host).matchIPSrc(prefix(member.ip()));
    matchSource(selector, member.protocol(), member.port());
    return new InstallFlow(
        selector.build(),
        DefaultTrafficTreatment.builder().punt().build(),
        GUARD_PRIORITY,
        idleSeconds,
        0,
        GUARD | tag(member.ip(), member.port()));
  }

  /** Lets a direct conversation between a member and a host of this switch pass its guard. */
  static InstallFlow direct(
      ServiceAddress member,
      int hostIp,
      int hostPort,
      MacAddress host,
      VlanId tag,
      PortNumber inPort,
      PortNumber outPort) {
    TrafficSelector selector =
        flow(member.protocol(), member.ip(), member.port(), hostIp, hostPort)
            .matchInPort(inPort)
            .matchVlanId(tag)
            .matchEthDst(host)
            .build();
    PortNumber out = inPort.equals(outPort) ? PortNumber.IN_PORT : outPort;
    return new InstallFlow(
        selector,
        DefaultTrafficTreatment.builder().setOutput(out).build(),
        GUARD_PRIORITY + 1,
        DIRECT_SECONDS,
        0,
        tag(member.ip(), member.port()));
  }

  private static TrafficSelector.Builder protocol(TransportProtocol protocol) {
    return DefaultTrafficSelector.builder()
        .matchEthType(IPV4)
        .matchIPProtocol((byte) protocol.number());
  }

  private static TrafficSelector.Builder flow(
      TransportProtocol protocol, int from, int fromPort, int to, int toPort) {
    TrafficSelector.Builder selector = protocol(protocol);
    selector.matchIPSrc(prefix(from)).matchIPDst(prefix(to));
    matchSource(selector, protocol, fromPort);
    return protocol == TransportProtocol.TCP
        ? selector.matchTcpDst(TpPort.tpPort(toPort))
        : selector.matchUdpDst(TpPort.tpPort(toPort));
  }

  private static void matchSource(
      TrafficSelector.Builder selector, TransportProtocol protocol, int port) {
    if (protocol == TransportProtocol.TCP) {
      selector.matchTcpSrc(TpPort.tpPort(port));
    } else {
      selector.matchUdpSrc(TpPort.tpPort(port));
    }
  }

  private static IpAddress ip(int address) {
    return Ip4Address.valueOf(address);
  }

  private static IpPrefix prefix(int address) {
    return IpPrefix.valueOf(address, HOST_PREFIX);
  }
}
