package io.lockstep.core.flow.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.onlab.packet.EthType;
import org.onlab.packet.TpPort;
import org.onosproject.core.GroupId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.flow.instructions.Instructions.GroupInstruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModEtherInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModVlanHeaderInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModVlanIdInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModVlanPcpInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction.ModDscpInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction.ModIPInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction.ModTransportPortInstruction;

/**
 * What a rule does with packets, as texts: {@code output:PORT}, {@code set_field:FIELD=VALUE} and
 * others, carried out in their order. With {@code write:} in front an action goes into the action
 * set, which is carried out at the end of the tables. {@code drop} stands alone. Pure.
 */
public final class ActionText {
  /** What an operator may write. */
  public static final String ALLOWED =
      "output:PORT (a number, controller, in_port, flood, all, normal), group:ID, push_vlan,"
          + " pop_vlan, dec_nw_ttl, set_field:FIELD=VALUE (eth_src, eth_dst, vlan_vid, vlan_pcp,"
          + " ipv4_src, ipv4_dst, ipv6_src, ipv6_dst, ip_dscp, tcp_src, tcp_dst, udp_src, udp_dst),"
          + " write:ACTION, clear_actions, goto_table:ID, drop";

  private static final String WRITE = "write:";
  private static final String SET = "set_field:";

  private static final Map<String, PortNumber> PORTS = new LinkedHashMap<>();

  static {
    PORTS.put("controller", PortNumber.CONTROLLER);
    PORTS.put("in_port", PortNumber.IN_PORT);
    PORTS.put("flood", PortNumber.FLOOD);
    PORTS.put("all", PortNumber.ALL);
    PORTS.put("normal", PortNumber.NORMAL);
  }

  private ActionText() {}

  /**
   * Reads what a rule does.
   *
   * @param actions one at least; {@code drop} where packets are dropped
   * @throws FlowTextException naming the action that is wrong
   */
  public static TrafficTreatment parse(List<String> actions) throws FlowTextException {
    if (actions.isEmpty()) {
      throw new FlowTextException("a rule without an action", "give drop, or " + ALLOWED);
    }
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder();
    if (actions.contains("drop")) {
      if (actions.size() > 1) {
        throw new FlowTextException(
            "drop beside another action", "give drop alone, or leave it out");
      }
      return treatment.build(); // no action: packets are dropped
    }
    for (String action : actions) {
      if (action.equals("clear_actions")) {
        treatment.wipeDeferred();
      } else if (action.startsWith("goto_table:")) {
        treatment.transition(
            (int) TextValues.number("goto_table", action.substring("goto_table:".length()), 254));
      } else if (action.startsWith(WRITE)) {
        treatment.deferred().add(instruction(action.substring(WRITE.length())));
      } else {
        treatment.immediate().add(instruction(action));
      }
    }
    return treatment.build();
  }

  private static Instruction instruction(String action) throws FlowTextException {
    if (action.startsWith("output:")) {
      String port = action.substring("output:".length());
      PortNumber named = PORTS.get(port);
      return Instructions.createOutput(
          named != null
              ? named
              : PortNumber.portNumber(TextValues.number("output", port, MatchText.MAX_PORT)));
    }
    if (action.startsWith("group:")) {
      String group = action.substring("group:".length());
      return Instructions.createGroup(
          GroupId.valueOf((int) TextValues.number("group", group, 0xffff_ff00L)));
    }
    if (action.startsWith(SET)) {
      return setField(action.substring(SET.length()));
    }
    return switch (action) {
      case "push_vlan" -> Instructions.pushVlan(EthType.EtherType.VLAN.ethType());
      case "pop_vlan" -> Instructions.popVlan();
      case "dec_nw_ttl" -> Instructions.decNwTtl();
      default -> throw new FlowTextException("'" + action + "' is no action", "give " + ALLOWED);
    };
  }

  private static Instruction setField(String text) throws FlowTextException {
    int at = text.indexOf('=');
    String field = at < 0 ? text : text.substring(0, at);
    String value = at < 0 ? "" : text.substring(at + 1);
    return switch (field) {
      case "eth_src" -> Instructions.modL2Src(TextValues.mac(field, value));
      case "eth_dst" -> Instructions.modL2Dst(TextValues.mac(field, value));
      case "vlan_vid" -> {
        if (!value.matches("[0-9]+")) {
          throw TextValues.wrong(field, value, "a VLAN from 0 to 4095");
        }
        yield Instructions.modVlanId(TextValues.vlan(field, value));
      }
      case "vlan_pcp" -> Instructions.modVlanPcp((byte) TextValues.number(field, value, 7));
      case "ipv4_src" -> Instructions.modL3Src(TextValues.ip4(field, value));
      case "ipv4_dst" -> Instructions.modL3Dst(TextValues.ip4(field, value));
      case "ipv6_src" -> Instructions.modL3IPv6Src(TextValues.ip6(field, value));
      case "ipv6_dst" -> Instructions.modL3IPv6Dst(TextValues.ip6(field, value));
      case "ip_dscp" -> Instructions.modIpDscp((byte) TextValues.number(field, value, 63));
      case "tcp_src" -> Instructions.modTcpSrc(port(field, value));
      case "tcp_dst" -> Instructions.modTcpDst(port(field, value));
      case "udp_src" -> Instructions.modUdpSrc(port(field, value));
      case "udp_dst" -> Instructions.modUdpDst(port(field, value));
      default ->
          throw new FlowTextException("set_field: no field '" + field + "'", "give " + ALLOWED);
    };
  }

  private static TpPort port(String field, String value) throws FlowTextException {
    return TpPort.tpPort((int) TextValues.number(field, value, 0xffff));
  }

  /** What a rule does, as texts. */
  public static List<String> format(TrafficTreatment treatment) {
    List<String> actions = new ArrayList<>();
    treatment.immediate().forEach(one -> actions.add(format(one)));
    if (treatment.clearedDeferred()) {
      actions.add("clear_actions");
    }
    treatment.deferred().forEach(one -> actions.add(WRITE + format(one)));
    Instructions.TableTypeTransition transition = treatment.tableTransition();
    if (transition != null) {
      actions.add("goto_table:" + transition.tableId());
    }
    return actions.isEmpty() ? List.of("drop") : actions;
  }

  private static String format(Instruction instruction) {
    if (instruction instanceof OutputInstruction output) {
      for (Map.Entry<String, PortNumber> named : PORTS.entrySet()) {
        if (named.getValue().toLong() == output.port().toLong()) {
          return "output:" + named.getKey();
        }
      }
      return "output:" + output.port().toLong();
    }
    if (instruction instanceof GroupInstruction group) {
      return "group:" + Integer.toUnsignedString(group.groupId().id());
    }
    if (instruction instanceof L2ModificationInstruction l2) {
      return layer2(l2);
    }
    if (instruction instanceof L3ModificationInstruction l3) {
      return layer3(l3);
    }
    if (instruction instanceof L4ModificationInstruction l4) {
      String field = l4.subtype().name().toLowerCase(java.util.Locale.ROOT);
      return SET + field + "=" + ((ModTransportPortInstruction) l4).port();
    }
    return instruction instanceof Instructions.NoActionInstruction
        ? "drop"
        : instruction.toString();
  }

  private static String layer2(L2ModificationInstruction l2) {
    return switch (l2.subtype()) {
      case ETH_SRC -> SET + "eth_src=" + TextValues.mac(((ModEtherInstruction) l2).mac());
      case ETH_DST -> SET + "eth_dst=" + TextValues.mac(((ModEtherInstruction) l2).mac());
      case VLAN_ID -> SET + "vlan_vid=" + ((ModVlanIdInstruction) l2).vlanId().toShort();
      case VLAN_PCP -> SET + "vlan_pcp=" + ((ModVlanPcpInstruction) l2).vlanPcp();
      case VLAN_PUSH ->
          ((ModVlanHeaderInstruction) l2).ethernetType().equals(EthType.EtherType.VLAN.ethType())
              ? "push_vlan"
              : l2.toString();
      case VLAN_POP -> "pop_vlan";
      default -> l2.toString();
    };
  }

  private static String layer3(L3ModificationInstruction l3) {
    return switch (l3.subtype()) {
      case IPV4_SRC -> SET + "ipv4_src=" + ((ModIPInstruction) l3).ip();
      case IPV4_DST -> SET + "ipv4_dst=" + ((ModIPInstruction) l3).ip();
      case IPV6_SRC -> SET + "ipv6_src=" + ((ModIPInstruction) l3).ip();
      case IPV6_DST -> SET + "ipv6_dst=" + ((ModIPInstruction) l3).ip();
      case DEC_TTL -> "dec_nw_ttl";
      case IP_DSCP -> SET + "ip_dscp=" + ((ModDscpInstruction) l3).dscp();
      default -> l3.toString();
    };
  }
}
