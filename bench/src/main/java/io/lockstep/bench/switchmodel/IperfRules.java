package io.lockstep.bench.switchmodel;

import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.Instructions;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.packet.EtherTypes;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.traffic.Testbed;
import java.util.ArrayList;
import java.util.List;

/** The rules of the paper's experiments. */
final class IperfRules {
  private static final int PRIORITY = 100;

  private IperfRules() {}

  /** A rule that no packet matches: for an address that is never used (240.0.0.0/4). */
  static FlowMod dummy(int number) {
    FlowMatch match =
        FlowMatch.builder()
            .exact(OxmField.IN_PORT, 1)
            .exact(OxmField.ETH_TYPE, EtherTypes.IPV4)
            .exact(OxmField.IPV4_DST, 0xf000_0000L + number)
            .build();
    return FlowMod.add(match, PRIORITY, Instructions.applying(Output.to(2)));
  }

  /** The rule of iperf's packets that come in by a port; more exact than any dummy. */
  static FlowMod iperf(int fromPort) {
    OxmField port = fromPort == 1 ? OxmField.TCP_DST : OxmField.TCP_SRC;
    FlowMatch match =
        FlowMatch.builder()
            .exact(OxmField.IN_PORT, fromPort)
            .exact(OxmField.ETH_TYPE, EtherTypes.IPV4)
            .exact(OxmField.IP_PROTO, EtherTypes.PROTO_TCP)
            .exact(port, Testbed.IPERF_PORT)
            .build();
    return FlowMod.add(match, PRIORITY, Instructions.applying(Output.to(3 - fromPort)));
  }

  /** Rules that the hardware of the 2920 and, with OpenFlow 1.0, the 3500yl can hold. */
  static List<FlowMod> hardware() {
    return List.of(iperf(1), iperf(2));
  }

  /** Rules on MAC addresses, which they cannot hold, and mac-ip tables can. */
  static List<FlowMod> software() {
    return List.of(toServer(1), toServer(2));
  }

  /**
   * The same in a mac-ip table. The entry of table 1 for all packets outputs to NORMAL, as the
   * paper's controller installs it in hybrid mode (section 5.1.3); else table 1 decides.
   */
  static List<FlowMod> inMacTable() {
    List<FlowMod> rules = new ArrayList<>(software());
    rules.add(normal(1));
    return rules;
  }

  /** The entry for all packets of a table that outputs to NORMAL. */
  static FlowMod normal(int table) {
    Instructions normal = Instructions.applying(Output.to(PortNumbers.NORMAL));
    return FlowMod.add(FlowMatch.ANY, 0, normal).inTable(table);
  }

  /** Rules without ports of the switch and MAC addresses. */
  static List<FlowMod> byAddress() {
    return List.of(toAddress(1), toAddress(2));
  }

  /** The same rules in another table, which table 0 leads to. */
  static List<FlowMod> inTable(int table, List<FlowMod> rules) {
    List<FlowMod> moved = new ArrayList<>();
    moved.add(FlowMod.add(FlowMatch.ANY, 0, Instructions.continuingAt(table)));
    rules.forEach(rule -> moved.add(rule.inTable(table)));
    return moved;
  }

  private static FlowMod toServer(int server) {
    long mac = (server == 1 ? Testbed.MAC_1 : Testbed.MAC_2).value();
    return toServer(server, FlowMatch.builder().exact(OxmField.ETH_DST, mac));
  }

  private static FlowMod toAddress(int server) {
    int address = (server == 1 ? Testbed.ADDRESS_1 : Testbed.ADDRESS_2).value();
    return toServer(
        server,
        FlowMatch.builder()
            .exact(OxmField.ETH_TYPE, EtherTypes.IPV4)
            .exact(OxmField.IPV4_DST, address & 0xffff_ffffL));
  }

  private static FlowMod toServer(int server, FlowMatch.Builder match) {
    return FlowMod.add(match.build(), PRIORITY, Instructions.applying(Output.to(server)));
  }
}
