package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.frame.ArpPacket;
import io.lockstep.apps.loadbalancer.frame.EthernetHead;
import io.lockstep.apps.loadbalancer.frame.IcmpEcho;
import io.lockstep.apps.loadbalancer.frame.Ipv4Packet;
import io.lockstep.apps.loadbalancer.frame.TcpHead;
import io.lockstep.apps.loadbalancer.state.Member;
import io.lockstep.apps.loadbalancer.state.Pool;
import io.lockstep.apps.loadbalancer.state.ReportHealth;
import io.lockstep.apps.loadbalancer.state.VirtualIp;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.KnownHost;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;

/**
 * Probes members from the switch where they are, by its master. What is counted is kept in the
 * names of timers ({@code next/HITS/MEMBER} until the next probe, {@code miss/COUNT/MEMBER} until a
 * probe is missed) and in the probes themselves, which bring the hits back: an application
 * remembers nothing. Only what changes a member's health is an operation of the store. Pure.
 *
 * <p>A probe comes from the virtual IP, so its answer comes up. An ARP probe claims no address (RFC
 * 5227); its sender is a virtual MAC that no virtual IP has, and carries the hits.
 */
final class HealthProbes {
  /** The port from which TCP is probed. */
  static final int SOURCE_PORT = 1;

  /** Members that one switch probes at most: the timers of an application there are bounded. */
  static final int MOST_AT_SWITCH = 120;

  private static final String NEXT = "next";
  private static final String MISS = "miss";
  private static final String FIND = "find";
  private static final int MOST_HITS = Pool.MOST_PROBES;
  private static final int IDENTIFIER = 0x4c42;
  private static final int FIND_MILLIS = 1_000;

  private HealthProbes() {}

  /**
   * A member that is probed from a switch.
   *
   * @param host null where its place is unknown
   */
  private record Probed(Member member, Pool pool, VirtualIp vip, @Nullable KnownHost host) {}

  /** The member, unless it is not probed or is at another switch. */
  private static @Nullable Probed probed(
      Member member, DeviceId device, ServicePicture services, NetworkView network) {
    Pool pool = services.pool(member.pool());
    VirtualIp vip = services.vipOf(member);
    if (pool == null
        || vip == null
        || pool.probe() == Pool.Probe.NONE
        || member.state() == Member.State.DISABLED) {
      return null;
    }
    KnownHost host = network.hostWith(member.ip(), vip.vlan());
    return host != null && !host.location().deviceId().equals(device)
        ? null
        : new Probed(member, pool, vip, host);
  }

  /**
   * Begins to probe the members at a switch. Where that has begun before, the timer that ends first
   * goes on and stops the other one ({@link #only}): so two run for a member at most, for one
   * interval, and what was counted is not lost.
   */
  static List<Instruction> begin(DeviceId device, ServicePicture services, NetworkView network) {
    List<Instruction> begun = new ArrayList<>();
    for (Member member : services.members()) {
      Probed probed = probed(member, device, services, network);
      if (probed != null && probed.host() != null && begun.size() < MOST_AT_SWITCH) {
        begun.add(next(probed, 0));
      }
    }
    return begun;
  }

  private static Instruction.StartTimer next(Probed probed, int hits) {
    return new Instruction.StartTimer(
        NEXT + '/' + hits + '/' + probed.member().name(), probed.pool().intervalMillis());
  }

  /** Starts a timer of a member and stops all others that it may have. */
  private static List<Instruction> only(Probed probed, Instruction.StartTimer timer) {
    List<String> names = new ArrayList<>();
    for (int count = 0; count < MOST_HITS; count++) {
      names.add(NEXT + '/' + count + '/' + probed.member().name());
      names.add(MISS + '/' + (count + 1) + '/' + probed.member().name());
    }
    List<Instruction> steps = new ArrayList<>(names.size() + 2);
    for (String name : names) {
      if (!name.equals(timer.name())) {
        steps.add(new Instruction.StopTimer(name));
      }
    }
    steps.add(timer);
    return steps;
  }

  /** A timer ended: probe, or count what was missed; null where it is none of these. */
  static @Nullable Decision expired(
      NetworkEvent.TimerExpired timer, ServicePicture services, NetworkView network) {
    String[] words = timer.name().split("/", 3);
    if (words.length != 3) {
      return null;
    }
    Member member = services.member(words[2]);
    if (member == null) {
      return Decision.DROP;
    }
    if (words[0].equals(FIND)) {
      return stillUnknown(member, services, network);
    }
    Probed probed = probed(member, timer.deviceId(), services, network);
    if (probed == null) {
      return Decision.DROP; // it is elsewhere, or not probed any longer
    }
    int count = Integer.parseInt(words[1]);
    if (words[0].equals(NEXT)) {
      return probe(probed, count, 1);
    }
    if (count < probed.pool().misses()) {
      return BalancerCounts.with(BalancerCounts.PROBE_MISSED, probe(probed, 0, count + 1));
    }
    // A member whose place is unknown is searched by another way: findLost.
    List<Instruction> then = probed.host() == null ? List.of() : only(probed, next(probed, 0));
    Decision goOn = BalancerCounts.with(BalancerCounts.PROBE_MISSED, new Decision.Act(then));
    return services.isDown(member.name())
        ? goOn
        : new Decision.Ask(
            ReportHealth.command(member, true),
            reply -> BalancerCounts.with(BalancerCounts.MEMBER_DOWN, goOn));
  }

  private static Decision probe(Probed probed, int hits, int misses) {
    List<Instruction> steps =
        only(
            probed,
            new Instruction.StartTimer(
                MISS + '/' + misses + '/' + probed.member().name(),
                probed.pool().intervalMillis()));
    KnownHost host = probed.host();
    if (host != null) {
      steps.add(
          new Instruction.Emit(
              host.location().deviceId(),
              DefaultTrafficTreatment.builder().setOutput(host.location().port()).build(),
              frame(probed, host.address().toLong(), hits)));
      steps.add(BalancerCounts.PROBE_SENT);
    }
    return new Decision.Act(steps);
  }

  private static byte[] frame(Probed probed, long to, int hits) {
    VirtualIp vip = probed.vip();
    int source = vip.service().ip();
    Member member = probed.member();
    return switch (probed.pool().probe()) {
      case ICMP ->
          IcmpEcho.request(
              to, VirtualMac.of(source), vip.vlan(), source, member.ip(), IDENTIFIER, hits);
      case TCP ->
          TcpHead.syn(
              to,
              VirtualMac.of(source),
              vip.vlan(),
              source,
              member.ip(),
              SOURCE_PORT,
              member.port(),
              IDENTIFIER << Short.SIZE | hits);
      case ARP, NONE -> ArpPacket.request(to, VirtualMac.of(hits), 0, member.ip(), vip.vlan());
    };
  }

  // ---- answers ----

  /** Whether ARP probes are sent from this address. */
  static boolean isSender(long mac) {
    return VirtualMac.is(mac) && VirtualMac.ip(mac) >= 0 && VirtualMac.ip(mac) < MOST_HITS;
  }

  /** What is decided on the answer to an ARP probe; null where it is none. */
  static @Nullable Decision arp(
      PacketView packet, ArpPacket arp, ServicePicture services, NetworkView network) {
    long to = arp.head().destination();
    if (!isSender(to)) {
      return null;
    }
    int hits = VirtualMac.ip(to);
    return arp.operation() == ArpPacket.REPLY
        ? answered(packet, arp.senderIp(), -1, Pool.Probe.ARP, hits, services, network)
        : Decision.DROP;
  }

  /** What is decided on the answer to an ICMP probe; null where it is none. */
  static @Nullable Decision echo(
      PacketView packet, Ipv4Packet ip, ServicePicture services, NetworkView network) {
    long repliedTo = IcmpEcho.repliedTo(packet.frame(), ip);
    int hits = (int) repliedTo & 0xffff;
    return repliedTo >>> Short.SIZE == IDENTIFIER && hits < MOST_HITS
        ? answered(packet, ip.source(), -1, Pool.Probe.ICMP, hits, services, network)
        : null;
  }

  /** What is decided on the answer to a TCP probe; null where it is none. */
  static @Nullable Decision tcp(
      PacketView packet, Ipv4Packet ip, ServicePicture services, NetworkView network) {
    TcpHead tcp = TcpHead.of(packet.frame(), ip);
    if (tcp == null || tcp.isSyn() || ip.destinationPort(packet.frame()) != SOURCE_PORT) {
      return null;
    }
    int asked = tcp.acknowledged() - 1;
    int hits = asked & 0xffff;
    if (!tcp.isSynAck() || asked >>> Short.SIZE != IDENTIFIER || hits >= MOST_HITS) {
      return Decision.DROP; // a closed port answers with a reset, which counts as missed
    }
    int port = ip.sourcePort(packet.frame());
    return answered(packet, ip.source(), port, Pool.Probe.TCP, hits, services, network);
  }

  /**
   * Counts a hit for each member with this address that was probed so.
   *
   * @param port of the member, -1 for any
   */
  private static Decision answered(
      PacketView packet,
      int ip,
      int port,
      Pool.Probe kind,
      int hits,
      ServicePicture services,
      NetworkView network) {
    List<Instruction> steps = new ArrayList<>();
    Member up = null;
    for (Member member : services.membersAt(ip)) {
      Probed probed = probed(member, packet.deviceId(), services, network);
      KnownHost host = probed == null ? null : probed.host();
      if (probed == null
          || host == null
          || probed.pool().probe() != kind
          || (port != -1 && port != member.port())
          || !host.location().port().equals(packet.inPort())) {
        continue;
      }
      boolean down = services.isDown(member.name());
      boolean enough = hits + 1 >= probed.pool().hits();
      steps.addAll(only(probed, next(probed, down && !enough ? hits + 1 : 0)));
      up = down && enough ? member : up;
      steps.add(BalancerCounts.PROBE_ANSWERED);
    }
    if (kind == Pool.Probe.TCP) {
      Decision reset = VirtualAnswers.refuse(packet, ip(packet));
      steps.addAll(reset instanceof Decision.Act act ? act.instructions() : List.of());
    }
    Decision.Act done = new Decision.Act(steps);
    return up == null
        ? done
        : new Decision.Ask(
            ReportHealth.command(up, false),
            reply -> BalancerCounts.with(BalancerCounts.MEMBER_UP, done));
  }

  private static Ipv4Packet ip(PacketView packet) {
    EthernetHead head = EthernetHead.of(packet.frame());
    Ipv4Packet ip = head == null ? null : Ipv4Packet.of(packet.frame(), head);
    if (ip == null) {
      throw new IllegalStateException("an answer that was read before");
    }
    return ip;
  }

  // ---- members whose place is unknown ----

  /**
   * Asks all hosts for a member that took a connection and is not known; reports it if it stays.
   */
  static Decision find(DeviceId device, int ip, int port, ServicePicture services, VirtualIp vip) {
    List<Instruction> steps = new ArrayList<>();
    steps.add(ask(device, ip, vip));
    for (Member member : services.membersAt(ip)) {
      Pool pool = services.pool(member.pool());
      if (member.port() == port && pool != null && pool.probe() != Pool.Probe.NONE) {
        steps.add(new Instruction.StartTimer(FIND + "/0/" + member.name(), FIND_MILLIS));
      }
    }
    return new Decision.Act(steps);
  }

  /** Asks all hosts for the members that are down and not known, so that they can come back. */
  static List<Instruction> findLost(DeviceId device, ServicePicture services, NetworkView network) {
    List<Instruction> steps = new ArrayList<>();
    for (Member member : services.members()) {
      VirtualIp vip = services.vipOf(member);
      if (vip != null
          && services.isDown(member.name())
          && network.hostWith(member.ip(), vip.vlan()) == null
          && steps.size() < MOST_AT_SWITCH) {
        steps.add(ask(device, member.ip(), vip));
      }
    }
    return steps;
  }

  private static Instruction ask(DeviceId device, int ip, VirtualIp vip) {
    return new Instruction.Emit(
        device,
        DefaultTrafficTreatment.builder().setOutput(PortNumber.FLOOD).build(),
        ArpPacket.request(EthernetHead.BROADCAST, VirtualMac.of(0), 0, ip, vip.vlan()));
  }

  private static Decision stillUnknown(
      Member member, ServicePicture services, NetworkView network) {
    VirtualIp vip = services.vipOf(member);
    boolean known = vip != null && network.hostWith(member.ip(), vip.vlan()) != null;
    Pool pool = services.pool(member.pool());
    boolean isProbed = pool != null && pool.probe() != Pool.Probe.NONE;
    return known || !isProbed || services.isDown(member.name())
        ? Decision.DROP
        : new Decision.Ask(
            ReportHealth.command(member, true), reply -> Decision.act(BalancerCounts.MEMBER_DOWN));
  }
}
