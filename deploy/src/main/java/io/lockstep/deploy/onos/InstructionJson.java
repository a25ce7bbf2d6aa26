package io.lockstep.deploy.onos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.EthType;
import org.onlab.packet.IpAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.core.GroupId;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.flow.instructions.Instructions.GroupInstruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.flow.instructions.Instructions.TableTypeTransition;
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
 * Instructions as ONOS's JSON: those that the store can keep in a rule ({@code TreatmentCodec}).
 * ONOS has no JSON for {@code IP_DSCP}; here its value is {@code ipDscp}, as in criteria. Pure.
 */
final class InstructionJson {
  private static final String TYPE = "type";
  private static final String SUBTYPE = "subtype";
  private static final String TABLE_ID = "tableId";
  private static final String GROUP_ID = "groupId";
  private static final String ETHERNET_TYPE = "ethernetType";
  private static final String VLAN_ID = "vlanId";
  private static final String VLAN_PCP = "vlanPcp";
  private static final String DSCP = "ipDscp";
  private static final int MAX_SHORT = 0xffff;
  private static final int MAX_DSCP = 63;
  private static final int MAX_PCP = 7;

  /** The last table that a rule can be in (OpenFlow 1.3.5 section A.2.3). */
  static final int MAX_TABLE = 254;

  /** The last group that is not reserved (OpenFlow 1.3.5 section A.3.4.2). */
  private static final long MAX_GROUP = 0xffff_ff00L;

  /** By type, or by type and subtype. */
  private static final Map<String, Function<JsonFields, Instruction>> READ = new TreeMap<>();

  private static final Map<String, BiConsumer<ObjectNode, Instruction>> WRITE = new TreeMap<>();

  static {
    kind("NOACTION", Instruction.class, json -> {}, fields -> Instructions.createNoAction());
    kind(
        "OUTPUT",
        OutputInstruction.class,
        (json, output) -> json.put("port", output.port().toStringWithoutName()),
        fields -> Instructions.createOutput(PortTexts.read(fields, "port", PortTexts.TARGETS)));
    kind(
        "GROUP",
        GroupInstruction.class,
        (json, group) -> json.put(GROUP_ID, Integer.toUnsignedLong(group.groupId().id())),
        fields ->
            Instructions.createGroup(GroupId.valueOf((int) fields.whole(GROUP_ID, 0, MAX_GROUP))));
    kind(
        "TABLE",
        TableTypeTransition.class,
        (json, table) -> json.put(TABLE_ID, table.tableId()),
        fields -> Instructions.transition((int) fields.whole(TABLE_ID, 0, MAX_TABLE)));
    layerTwo();
    layerThree();
    port("TCP_SRC", "tcpPort", Instructions::modTcpSrc);
    port("TCP_DST", "tcpPort", Instructions::modTcpDst);
    port("UDP_SRC", "udpPort", Instructions::modUdpSrc);
    port("UDP_DST", "udpPort", Instructions::modUdpDst);
  }

  private InstructionJson() {}

  private static void layerTwo() {
    String type = "L2MODIFICATION/";
    kind(
        type + "ETH_SRC",
        ModEtherInstruction.class,
        (json, eth) -> json.put(CriterionJson.MAC, eth.mac().toString()),
        fields -> Instructions.modL2Src(CriterionJson.mac(fields, CriterionJson.MAC)));
    kind(
        type + "ETH_DST",
        ModEtherInstruction.class,
        (json, eth) -> json.put(CriterionJson.MAC, eth.mac().toString()),
        fields -> Instructions.modL2Dst(CriterionJson.mac(fields, CriterionJson.MAC)));
    kind(
        type + "VLAN_ID",
        ModVlanIdInstruction.class,
        (json, vlan) -> json.put(VLAN_ID, vlan.vlanId().toShort()),
        fields ->
            Instructions.modVlanId(
                VlanId.vlanId((short) fields.whole(VLAN_ID, 0, VlanId.MAX_VLAN))));
    kind(
        type + "VLAN_PCP",
        ModVlanPcpInstruction.class,
        (json, vlan) -> json.put(VLAN_PCP, vlan.vlanPcp()),
        fields -> Instructions.modVlanPcp((byte) fields.whole(VLAN_PCP, 0, MAX_PCP)));
    kind(
        type + "VLAN_PUSH",
        ModVlanHeaderInstruction.class,
        (json, push) ->
            json.put(
                ETHERNET_TYPE, String.format("0x%04x", push.ethernetType().toShort() & MAX_SHORT)),
        InstructionJson::push);
    kind(
        type + "VLAN_POP",
        ModVlanHeaderInstruction.class,
        json -> {},
        fields -> Instructions.popVlan());
  }

  private static Instruction push(JsonFields fields) {
    return fields.has(ETHERNET_TYPE)
        ? Instructions.pushVlan(new EthType((int) fields.whole(ETHERNET_TYPE, 0, MAX_SHORT)))
        : Instructions.pushVlan();
  }

  private static void layerThree() {
    address("IPV4_SRC", false, Instructions::modL3Src);
    address("IPV4_DST", false, Instructions::modL3Dst);
    address("IPV6_SRC", true, Instructions::modL3IPv6Src);
    address("IPV6_DST", true, Instructions::modL3IPv6Dst);
    kind(
        "L3MODIFICATION/DEC_TTL", Instruction.class, json -> {}, fields -> Instructions.decNwTtl());
    kind(
        "L3MODIFICATION/IP_DSCP",
        ModDscpInstruction.class,
        (json, dscp) -> json.put(DSCP, dscp.dscp()),
        fields -> Instructions.modIpDscp((byte) fields.whole(DSCP, 0, MAX_DSCP)));
  }

  private static void address(
      String subtype, boolean isSix, Function<IpAddress, Instruction> make) {
    kind(
        "L3MODIFICATION/" + subtype,
        ModIPInstruction.class,
        (json, modification) -> json.put(CriterionJson.IP, modification.ip().toString()),
        fields -> {
          IpAddress address = fields.parsed(CriterionJson.IP, "IP address", IpAddress::valueOf);
          if (address.isIp4() == isSix) {
            throw fields.wrong(CriterionJson.IP, "is of the other version of IP");
          }
          return make.apply(address);
        });
  }

  private static void port(String subtype, String field, Function<TpPort, Instruction> make) {
    kind(
        "L4MODIFICATION/" + subtype,
        ModTransportPortInstruction.class,
        (json, modification) -> json.put(field, modification.port().toInt()),
        fields -> make.apply(TpPort.tpPort((int) fields.whole(field, 0, MAX_SHORT))));
  }

  private static <I extends Instruction> void kind(
      String name,
      Class<I> shape,
      BiConsumer<ObjectNode, I> write,
      Function<JsonFields, Instruction> read) {
    WRITE.put(name, (json, instruction) -> write.accept(json, shape.cast(instruction)));
    READ.put(name, read);
  }

  private static void kind(
      String name,
      Class<? extends Instruction> shape,
      Consumer<ObjectNode> write,
      Function<JsonFields, Instruction> read) {
    kind(name, shape, (json, instruction) -> write.accept(json), read);
  }

  /** The names that are offered: a type, or a type and a subtype. */
  static Iterable<String> names() {
    return READ.keySet();
  }

  /** Encodes; of an instruction without JSON its type and subtype alone. */
  static ObjectNode write(Instruction instruction) {
    ObjectNode json = OnosAnswer.object().put(TYPE, instruction.type().name());
    String subtype = subtype(instruction);
    String name = instruction.type().name();
    if (subtype != null) {
      json.put(SUBTYPE, subtype);
      name += "/" + subtype;
    }
    BiConsumer<ObjectNode, Instruction> kind = WRITE.get(name);
    if (kind != null) {
      kind.accept(json, instruction);
    }
    return json;
  }

  private static @Nullable String subtype(Instruction instruction) {
    if (instruction instanceof L2ModificationInstruction l2) {
      return l2.subtype().name();
    } else if (instruction instanceof L3ModificationInstruction l3) {
      return l3.subtype().name();
    }
    return instruction instanceof L4ModificationInstruction l4 ? l4.subtype().name() : null;
  }

  /** Decodes. */
  static Instruction read(JsonFields fields) {
    String name = fields.text(TYPE);
    if (name.endsWith("MODIFICATION")) {
      String subtype = fields.text(SUBTYPE);
      Function<JsonFields, Instruction> kind = READ.get(name + "/" + subtype);
      if (kind == null) {
        throw fields.wrong(SUBTYPE, "this subtype is not offered; offered are " + READ.keySet());
      }
      return end(fields, kind.apply(fields));
    }
    Function<JsonFields, Instruction> kind = name.contains("/") ? null : READ.get(name);
    if (kind == null) {
      throw fields.wrong(TYPE, "this type is not offered; offered are " + READ.keySet());
    }
    return end(fields, kind.apply(fields));
  }

  private static Instruction end(JsonFields fields, Instruction instruction) {
    fields.end();
    return instruction;
  }
}
