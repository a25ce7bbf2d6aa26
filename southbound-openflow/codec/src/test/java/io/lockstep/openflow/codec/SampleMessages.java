package io.lockstep.openflow.codec;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.projectfloodlight.openflow.protocol.OFCapabilities;
import org.projectfloodlight.openflow.protocol.OFConfigFlags;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowModFailedCode;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFFlowRemovedReason;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketInReason;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.errormsg.OFErrorMsgs;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.DatapathId;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IPv6Address;
import org.projectfloodlight.openflow.types.IpProtocol;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFAuxId;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFErrorCauseData;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.U64;

/** One OpenFlow 1.3 message of each kind that the project exchanges, by name. */
final class SampleMessages {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);

  private SampleMessages() {}

  static Map<String, OFMessage> all() {
    Map<String, OFMessage> samples = new LinkedHashMap<>();
    samples.put("echo-request", OF.buildEchoRequest().setXid(1).setData(new byte[] {1, 2}).build());
    samples.put("echo-reply", OF.buildEchoReply().setXid(2).setData(new byte[] {}).build());
    samples.put("features-request", OF.buildFeaturesRequest().setXid(3).build());
    samples.put(
        "features-reply",
        OF.buildFeaturesReply()
            .setXid(4)
            .setDatapathId(DatapathId.of(0xa1))
            .setNBuffers(256)
            .setNTables((short) 254)
            .setAuxiliaryId(OFAuxId.MAIN)
            .setCapabilities(Set.of(OFCapabilities.FLOW_STATS))
            .build());
    samples.put(
        "set-config",
        OF.buildSetConfig()
            .setXid(5)
            .setFlags(Set.of(OFConfigFlags.FRAG_DROP))
            .setMissSendLen(0xffff)
            .build());
    samples.put("barrier-request", OF.buildBarrierRequest().setXid(6).build());
    samples.put("barrier-reply", barrierReply());
    samples.put("role-request", role());
    samples.put(
        "role-reply",
        OF.buildRoleReply()
            .setXid(9)
            .setRole(OFControllerRole.ROLE_SLAVE)
            .setGenerationId(U64.of(5))
            .build());
    samples.put("packet-in", packetIn());
    samples.put("packet-out", packetOut());
    samples.put("flow-mod", flowMod());
    samples.put("flow-removed", flowRemoved());
    samples.put("port-status", portStatus());
    samples.put("error", error());
    addStatistics(samples);
    return samples;
  }

  static OFMessage barrierReply() {
    return OF.buildBarrierReply().setXid(7).build();
  }

  static OFMessage role() {
    return OF.buildRoleRequest()
        .setXid(8)
        .setRole(OFControllerRole.ROLE_MASTER)
        .setGenerationId(U64.of(0x0102030405060708L))
        .build();
  }

  static OFMessage packetIn() {
    return OF.buildPacketIn()
        .setXid(10)
        .setBufferId(OFBufferId.NO_BUFFER)
        .setTotalLen(4)
        .setReason(OFPacketInReason.NO_MATCH)
        .setTableId(TableId.of(1))
        .setCookie(U64.of(7))
        .setMatch(OF.buildMatch().setExact(MatchField.IN_PORT, OFPort.of(3)).build())
        .setData(new byte[] {(byte) 0xde, (byte) 0xad, (byte) 0xbe, (byte) 0xef})
        .build();
  }

  static OFMessage packetOut() {
    return OF.buildPacketOut()
        .setXid(11)
        .setBufferId(OFBufferId.NO_BUFFER)
        .setInPort(OFPort.CONTROLLER)
        .setActions(outputs())
        .setData(new byte[] {1, 2, 3})
        .build();
  }

  private static List<OFAction> outputs() {
    return List.of(
        OF.actions().pushVlan(EthType.VLAN_FRAME),
        OF.actions().setField(OF.oxms().vlanVid(OFVlanVidMatch.ofVlan(5))),
        OF.actions().decNwTtl(),
        OF.actions().buildOutput().setPort(OFPort.of(2)).setMaxLen(0xffff).build(),
        OF.actions().group(OFGroup.of(9)));
  }

  private static List<OFInstruction> instructions() {
    return List.of(
        OF.instructions().applyActions(outputs()),
        OF.instructions().writeActions(List.of(OF.actions().popVlan())),
        OF.instructions().writeMetadata(U64.of(1), U64.of(0xff)),
        OF.instructions().gotoTable(TableId.of(4)));
  }

  private static Match match() {
    return OF.buildMatch()
        .setExact(MatchField.IN_PORT, OFPort.of(1))
        .setExact(MatchField.ETH_TYPE, EthType.IPv4)
        .setMasked(
            MatchField.ETH_DST, MacAddress.of(0x020000000001L), MacAddress.of(0xff0000000000L))
        .setExact(MatchField.VLAN_VID, OFVlanVidMatch.ofVlan(7))
        .setExact(MatchField.IP_PROTO, IpProtocol.TCP)
        .setMasked(MatchField.IPV4_SRC, IPv4Address.of("10.0.0.0"), IPv4Address.of("255.0.0.0"))
        .setExact(MatchField.TCP_DST, TransportPort.of(80))
        .build();
  }

  static OFMessage flowMod() {
    return OF.buildFlowAdd()
        .setXid(12)
        .setTableId(TableId.of(0))
        .setPriority(100)
        .setCookie(U64.of(0xc0))
        .setIdleTimeout(5)
        .setHardTimeout(60)
        .setFlags(Set.of(OFFlowModFlags.SEND_FLOW_REM))
        .setBufferId(OFBufferId.NO_BUFFER)
        .setOutPort(OFPort.ANY)
        .setMatch(match())
        .setInstructions(instructions())
        .build();
  }

  private static OFMessage flowRemoved() {
    return OF.buildFlowRemoved()
        .setXid(13)
        .setReason(OFFlowRemovedReason.IDLE_TIMEOUT)
        .setTableId(TableId.of(0))
        .setPriority(100)
        .setCookie(U64.of(0xc0))
        .setDurationSec(9)
        .setIdleTimeout(5)
        .setPacketCount(U64.of(3))
        .setByteCount(U64.of(300))
        .setMatch(
            OF.buildMatch()
                .setExact(MatchField.ETH_TYPE, EthType.IPv6)
                .setExact(MatchField.IPV6_DST, IPv6Address.of("fe80::1"))
                .build())
        .build();
  }

  private static OFPortDesc port(int number) {
    return OF.buildPortDesc()
        .setPortNo(OFPort.of(number))
        .setHwAddr(MacAddress.of(number))
        .setName("port" + number)
        .setConfig(Set.of(OFPortConfig.NO_FWD))
        .setState(Set.of(OFPortState.LINK_DOWN))
        .setCurrSpeed(10_000_000)
        .build();
  }

  private static OFMessage portStatus() {
    return OF.buildPortStatus().setXid(14).setReason(OFPortReason.MODIFY).setDesc(port(4)).build();
  }

  private static OFMessage error() {
    OFErrorMsgs errors = OF.errorMsgs();
    return errors
        .buildFlowModFailedErrorMsg()
        .setXid(15)
        .setCode(OFFlowModFailedCode.TABLE_FULL)
        .setData(OFErrorCauseData.of(new byte[] {4, 14, 0, 56, 0, 0, 0, 12}, OFVersion.OF_13))
        .build();
  }

  private static void addStatistics(Map<String, OFMessage> samples) {
    samples.put(
        "desc-reply",
        OF.buildDescStatsReply()
            .setXid(16)
            .setMfrDesc("maker")
            .setHwDesc("hardware")
            .setSwDesc("software")
            .setSerialNum("1")
            .setDpDesc("s1")
            .build());
    samples.put("desc-request", OF.buildDescStatsRequest().setXid(17).build());
    samples.put("port-desc-request", OF.buildPortDescStatsRequest().setXid(18).build());
    samples.put(
        "port-desc-reply",
        OF.buildPortDescStatsReply().setXid(19).setEntries(List.of(port(1), port(2))).build());
    samples.put(
        "flow-stats-request",
        OF.buildFlowStatsRequest()
            .setXid(20)
            .setTableId(TableId.ALL)
            .setOutPort(OFPort.ANY)
            .setMatch(OF.matchWildcardAll())
            .build());
    samples.put(
        "flow-stats-reply",
        OF.buildFlowStatsReply()
            .setXid(21)
            .setEntries(
                List.of(
                    OF.buildFlowStatsEntry()
                        .setMatch(match())
                        .setInstructions(instructions())
                        .setPriority(9)
                        .build()))
            .build());
    samples.put(
        "table-stats-reply",
        OF.buildTableStatsReply()
            .setXid(22)
            .setEntries(
                List.of(
                    OF.buildTableStatsEntry()
                        .setTableId(TableId.of(0))
                        .setActiveCount(3)
                        .setLookupCount(U64.of(10))
                        .setMatchedCount(U64.of(9))
                        .build()))
            .build());
    samples.put(
        "group-features-reply",
        OF.buildGroupFeaturesStatsReply().setXid(23).setMaxGroupsAll(17).build());
  }
}
