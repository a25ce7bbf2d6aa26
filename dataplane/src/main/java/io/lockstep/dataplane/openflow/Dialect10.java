package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.FlowEntry;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.FlowRemoved;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.model.PacketIn;
import io.lockstep.dataplane.model.SwitchEvents.PortReason;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.model.SwitchPort;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.projectfloodlight.openflow.protocol.OFCapabilities;
import org.projectfloodlight.openflow.protocol.OFConfigFlags;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowRemovedReason;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketInReason;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.protocol.OFPortMod;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFQueueGetConfigRequest;
import org.projectfloodlight.openflow.protocol.OFSetConfig;
import org.projectfloodlight.openflow.protocol.OFStatsRequest;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.DatapathId;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;

/**
 * OpenFlow 1.0 for one connection. There are no roles: every controller may write and hears
 * everything. On the switch's event loop.
 */
final class Dialect10 implements Dialect {
  private static final OFFactory FACTORY = OFFactories.getFactory(OFVersion.OF_10);
  private static final int ERROR_TYPE = 1;
  private static final int ERROR_DATA_BYTES = 64;

  private final SwitchAgent agent;
  private final SwitchModel model;
  private final ControllerChannel channel;
  private final Writer10 writer = new Writer10(FACTORY);
  private final Stats10 statistics;

  Dialect10(SwitchAgent agent, ControllerChannel channel) {
    this.agent = agent;
    this.model = agent.model();
    this.channel = channel;
    this.statistics = new Stats10(agent, writer, FACTORY);
  }

  @Override
  public void request(OFMessage message) throws RequestRefused {
    long xid = message.getXid();
    switch (message.getType()) {
      case ECHO_REQUEST ->
          channel.send(
              FACTORY
                  .buildEchoReply()
                  .setXid(xid)
                  .setData(((OFEchoRequest) message).getData())
                  .build());
      case FEATURES_REQUEST -> features(xid);
      case GET_CONFIG_REQUEST ->
          channel.send(
              FACTORY
                  .buildGetConfigReply()
                  .setXid(xid)
                  .setFlags(EnumSet.of(OFConfigFlags.FRAG_NORMAL))
                  .setMissSendLen(model.missSendLength())
                  .build());
      case SET_CONFIG -> setConfig((OFSetConfig) message);
      case PACKET_OUT -> packetOut((OFPacketOut) message);
      case FLOW_MOD -> flowMod((OFFlowMod) message);
      case PORT_MOD -> PortMods.carryOut((OFPortMod) message, model);
      // One thread carries requests out in order: all before the barrier is done (section 5.3.7).
      case BARRIER_REQUEST -> channel.send(FACTORY.buildBarrierReply().setXid(xid).build());
      case STATS_REQUEST -> statistics.reply((OFStatsRequest<?>) message, channel);
      case QUEUE_GET_CONFIG_REQUEST -> queues((OFQueueGetConfigRequest) message);
      case ECHO_REPLY, ERROR -> {
        // Nothing to do; that something came is enough.
      }
      case EXPERIMENTER -> throw new RequestRefused(ModelError.BAD_EXPERIMENTER);
      default -> throw new RequestRefused(ModelError.BAD_REQUEST_TYPE);
    }
  }

  private void features(long xid) {
    channel.send(
        FACTORY
            .buildFeaturesReply()
            .setXid(xid)
            .setDatapathId(DatapathId.of(model.features().dpid()))
            .setNBuffers(model.features().buffers())
            .setNTables((short) 1)
            .setCapabilities(
                EnumSet.of(
                    OFCapabilities.FLOW_STATS,
                    OFCapabilities.TABLE_STATS,
                    OFCapabilities.PORT_STATS,
                    OFCapabilities.ARP_MATCH_IP))
            .setActions(Actions10.of(model.pipeline().tables().get(0)))
            .setPorts(model.ports().stream().map(writer::port).toList())
            .build());
  }

  private void setConfig(OFSetConfig message) throws RequestRefused {
    if (message.getFlags().contains(OFConfigFlags.FRAG_DROP)
        || message.getFlags().contains(OFConfigFlags.FRAG_REASM)) {
      throw new RequestRefused(ModelError.CONFIG_BAD_FLAGS);
    }
    model.setMissSendLength(message.getMissSendLen());
  }

  private void packetOut(OFPacketOut message) throws RequestRefused {
    agent.counters().packetOuts.increment();
    byte[] data = message.getData();
    OFPort inPort = message.getInPort();
    refuseIfPresent(
        model.packetOut(
            message.getBufferId().getInt(),
            inPort.equals(OFPort.ANY) ? PortNumbers.CONTROLLER : inPort.getPortNumber(),
            Reader10.actions(message.getActions(), null),
            data,
            agent.nanos()));
  }

  /** A modify that finds nothing adds (section 4.6). */
  private void flowMod(OFFlowMod message) throws RequestRefused {
    agent.counters().flowMods.increment();
    FlowMod mod = Reader10.flowMod(message);
    boolean modify =
        mod.command() == FlowMod.Command.MODIFY || mod.command() == FlowMod.Command.MODIFY_STRICT;
    model.expire(agent.nanos());
    if (modify && !finds(mod)) {
      mod = mod.with(FlowMod.Command.ADD);
    }
    Optional<ModelError> error = model.flowMod(mod, agent.nanos());
    agent.deadlinesChanged();
    refuseIfPresent(error);
  }

  private boolean finds(FlowMod mod) {
    for (FlowEntry entry : model.pipeline().tables().get(0).entries()) {
      boolean selected =
          mod.command() == FlowMod.Command.MODIFY
              ? mod.match().covers(entry.match())
              : mod.match().equals(entry.match()) && mod.priority() == entry.priority();
      if (selected) {
        return true;
      }
    }
    return false;
  }

  private void queues(OFQueueGetConfigRequest message) throws RequestRefused {
    OFPort port = message.getPort();
    if (model.port(port.getPortNumber()) == null) {
      throw new RequestRefused(ModelError.QUEUE_BAD_PORT);
    }
    channel.send(
        FACTORY
            .buildQueueGetConfigReply()
            .setXid(message.getXid())
            .setPort(port)
            .setQueues(List.of())
            .build());
  }

  private static void refuseIfPresent(Optional<ModelError> error) throws RequestRefused {
    if (error.isPresent()) {
      throw new RequestRefused(error.get());
    }
  }

  /** There is no reason for a time to live that ran out: it comes as from an action. */
  @Override
  public OFMessage packetIn(PacketIn packetIn) {
    return FACTORY
        .buildPacketIn()
        .setXid(0)
        .setBufferId(OFBufferId.of(packetIn.bufferId()))
        .setTotalLen(packetIn.totalLength())
        .setInPort(OFPort.of(packetIn.inPort()))
        .setReason(
            packetIn.reason() == PacketIn.Reason.NO_MATCH
                ? OFPacketInReason.NO_MATCH
                : OFPacketInReason.ACTION)
        .setData(packetIn.data())
        .build();
  }

  @Override
  public OFMessage flowRemoved(FlowRemoved removed) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(removed.durationNanos());
    return FACTORY
        .buildFlowRemoved()
        .setXid(0)
        .setMatch(writer.match(removed.match()))
        .setCookie(U64.of(removed.cookie()))
        .setPriority(removed.priority() & Reader10.PRIORITY_MASK)
        .setReason(
            switch (removed.reason()) {
              case IDLE_TIMEOUT -> OFFlowRemovedReason.IDLE_TIMEOUT;
              case HARD_TIMEOUT -> OFFlowRemovedReason.HARD_TIMEOUT;
              case DELETE, GROUP_DELETE -> OFFlowRemovedReason.DELETE;
            })
        .setDurationSec(seconds)
        .setDurationNsec(removed.durationNanos() - TimeUnit.SECONDS.toNanos(seconds))
        .setIdleTimeout(removed.idleTimeoutSeconds())
        .setPacketCount(U64.of(removed.packets()))
        .setByteCount(U64.of(removed.bytes()))
        .build();
  }

  @Override
  public OFMessage portStatus(SwitchPort port, PortReason reason) {
    return FACTORY
        .buildPortStatus()
        .setXid(0)
        .setReason(reason == PortReason.ADDED ? OFPortReason.ADD : OFPortReason.MODIFY)
        .setDesc(writer.port(port))
        .build();
  }

  @Override
  public OFMessage probe() {
    return FACTORY.buildEchoRequest().setXid(0).setData(new byte[0]).build();
  }

  @Override
  public ByteBuf error(ModelError error, long xid, ByteBuf request) {
    Error10 named = Error10.of(error);
    int dataBytes = Math.min(ERROR_DATA_BYTES, request.readableBytes());
    ByteBuf out = Unpooled.buffer(12 + dataBytes);
    out.writeByte(OFVersion.OF_10.getWireVersion());
    out.writeByte(ERROR_TYPE);
    out.writeShort(12 + dataBytes);
    out.writeInt((int) xid);
    out.writeShort(named.type());
    out.writeShort(named.code());
    return out.writeBytes(request, request.readerIndex(), dataBytes);
  }
}
