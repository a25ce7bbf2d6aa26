package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketOut;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.onlab.packet.Ethernet;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;

/** OpenFlow 1.0: one table, no roles, no cookie masks. */
record Dialect10(OFFactory factory) implements Dialect {
  /** Where a frame has its EtherType, or its first VLAN tag. */
  private static final int TYPE_OFFSET = 12;

  private static final int TAG_BYTES = 4;
  private static final Set<Integer> TAGS = Set.of(0x8100, 0x88a8);

  /** Where an IPv4 header has its protocol. */
  private static final int PROTOCOL_OFFSET = 9;

  @Override
  public boolean hasRoles() {
    return false;
  }

  @Override
  public boolean deletesByCookie() {
    return false;
  }

  @Override
  public OFFlowMod flowMod(FlowMod mod, long xid) throws UntranslatableException {
    return FlowTranslation10.toMessage(mod, xid, factory);
  }

  @Override
  public boolean writes(FlowMod mod, long xid, ByteBuf out) {
    return FlowModWriter.write10(mod, xid, out);
  }

  @Override
  public OFMessage flowStatsRequest(long xid) {
    return flowStatsRequest(factory.matchWildcardAll(), OFPort.ANY, xid);
  }

  @Override
  public OFMessage flowStatsRequest(FlowMod delete, long xid) throws UntranslatableException {
    return flowStatsRequest(
        MatchTranslation10.toMatch(delete.selector(), factory),
        FlowTranslation10.outPort(delete.treatment()),
        xid);
  }

  private OFMessage flowStatsRequest(Match match, OFPort outPort, long xid) {
    return factory
        .buildFlowStatsRequest()
        .setXid(xid)
        .setTableId(TableId.ALL)
        .setOutPort(outPort)
        .setMatch(match)
        .build();
  }

  @Override
  public FlowStats flowStats(OFFlowStatsEntry entry) throws UntranslatableException {
    return FlowTranslation10.toStats(entry);
  }

  @Override
  public FlowRemoved flowRemoved(OFFlowRemoved message) throws UntranslatableException {
    return FlowTranslation10.toRemoved(message);
  }

  @Override
  public boolean sayable(PacketOut packetOut) {
    if (!PortNumbers.in10(packetOut.inPort())) {
      return false;
    }
    if (packetOut.treatment() == null) {
      PacketOutWriter.checkLength(packetOut);
      return packetOut.outPorts().stream().allMatch(PortNumbers::in10);
    }
    try {
      PacketOutWriter.checkLength(packetOut, actions(packetOut));
      return true;
    } catch (UntranslatableException e) {
      return false;
    }
  }

  private List<OFAction> actions(PacketOut packetOut) throws UntranslatableException {
    TrafficTreatment treatment = Objects.requireNonNull(packetOut.treatment());
    return TreatmentTranslation10.toActions(treatment, protocol(packetOut.data()), factory);
  }

  /** One action sets the ports of TCP and UDP: which of them a frame has, it says itself. */
  private static TrafficSelector protocol(byte[] frame) {
    TrafficSelector.Builder selector = DefaultTrafficSelector.builder();
    ByteBuf read = Unpooled.wrappedBuffer(frame);
    int at = TYPE_OFFSET;
    while (at + TAG_BYTES < frame.length && TAGS.contains(read.getUnsignedShort(at))) {
      at += TAG_BYTES;
    }
    int protocol = at + Short.BYTES + PROTOCOL_OFFSET;
    if (protocol < frame.length && read.getUnsignedShort(at) == Ethernet.TYPE_IPV4) {
      selector.matchEthType(Ethernet.TYPE_IPV4).matchIPProtocol(frame[protocol]);
    }
    return selector.build();
  }

  @Override
  public ByteBuf packetOut(PacketOut packetOut, int xid, ByteBufAllocator allocator) {
    if (packetOut.treatment() == null) {
      return PacketOutWriter.write10(packetOut, xid, allocator);
    }
    try {
      return PacketOutWriter.write10(packetOut, actions(packetOut), xid, allocator);
    } catch (UntranslatableException e) {
      throw new IllegalArgumentException("packet-out that cannot be said", e);
    }
  }
}
