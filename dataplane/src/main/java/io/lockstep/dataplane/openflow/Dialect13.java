package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.FlowRemoved;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.model.PacketIn;
import io.lockstep.dataplane.model.SwitchEvents.PortReason;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.model.SwitchPort;
import io.lockstep.dataplane.packet.OxmField;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.projectfloodlight.openflow.protocol.OFAsyncSet;
import org.projectfloodlight.openflow.protocol.OFCapabilities;
import org.projectfloodlight.openflow.protocol.OFConfigFlags;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowRemovedReason;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketInReason;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.protocol.OFPortMod;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFQueueGetConfigRequest;
import org.projectfloodlight.openflow.protocol.OFRoleRequest;
import org.projectfloodlight.openflow.protocol.OFSetConfig;
import org.projectfloodlight.openflow.protocol.OFStatsRequest;
import org.projectfloodlight.openflow.protocol.OFTableMod;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.DatapathId;
import org.projectfloodlight.openflow.types.OFAuxId;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** OpenFlow 1.3 for one connection. On the switch's event loop. */
final class Dialect13 implements Dialect {
  private static final OFFactory FACTORY = OFFactories.getFactory(OFVersion.OF_13);
  private static final int ERROR_TYPE = 1;
  private static final int ERROR_DATA_BYTES = 64;

  private final SwitchAgent agent;
  private final SwitchModel model;
  private final ControllerChannel channel;
  private final ModelWriter writer = new ModelWriter(FACTORY);
  private final Multipart13 multipart;

  Dialect13(SwitchAgent agent, ControllerChannel channel) {
    this.agent = agent;
    this.model = agent.model();
    this.channel = channel;
    this.multipart = new Multipart13(agent, writer, FACTORY);
  }

  @Override
  public void request(OFMessage message) throws RequestRefused {
    refuseWritesOfSlaves(message);
    switch (message.getType()) {
      case ECHO_REQUEST ->
          channel.send(
              FACTORY
                  .buildEchoReply()
                  .setXid(message.getXid())
                  .setData(((OFEchoRequest) message).getData())
                  .build());
      case FEATURES_REQUEST -> features(message.getXid());
      case GET_CONFIG_REQUEST -> config(message.getXid());
      case SET_CONFIG -> setConfig((OFSetConfig) message);
      case PACKET_OUT -> packetOut((OFPacketOut) message);
      case FLOW_MOD -> flowMod((OFFlowMod) message);
      case GROUP_MOD -> groupMod((OFGroupMod) message);
      case PORT_MOD -> PortMods.carryOut((OFPortMod) message, model);
      case TABLE_MOD -> tableMod((OFTableMod) message);
      // One thread carries requests out in order: all before the barrier is done (section 7.3.8).
      case BARRIER_REQUEST ->
          channel.send(FACTORY.buildBarrierReply().setXid(message.getXid()).build());
      case ROLE_REQUEST -> role((OFRoleRequest) message);
      case SET_ASYNC -> setAsync((OFAsyncSet) message);
      case GET_ASYNC_REQUEST -> async(message.getXid());
      case STATS_REQUEST -> multipart.reply((OFStatsRequest<?>) message, channel);
      case QUEUE_GET_CONFIG_REQUEST -> queues((OFQueueGetConfigRequest) message);
      case ECHO_REPLY, ERROR -> {
        // Nothing to do; that something came is enough.
      }
      case EXPERIMENTER -> throw new RequestRefused(ModelError.BAD_EXPERIMENTER);
      default -> throw new RequestRefused(ModelError.BAD_REQUEST_TYPE);
    }
  }

  /** A slave only reads (section 6.3, Multiple Controllers). */
  private void refuseWritesOfSlaves(OFMessage message) throws RequestRefused {
    boolean writes =
        switch (message.getType()) {
          case PACKET_OUT, FLOW_MOD, GROUP_MOD, PORT_MOD, TABLE_MOD, METER_MOD -> true;
          default -> false;
        };
    if (writes && channel.role() == ControllerRole.SLAVE) {
      throw new RequestRefused(ModelError.IS_SLAVE);
    }
  }

  /** The same by the number of the type on the wire (section 7.1.1). */
  static boolean isWrite(int type) {
    return switch (type) {
      case 13, 14, 15, 16, 17, 29 -> true;
      default -> false;
    };
  }

  private void features(long xid) {
    channel.send(
        FACTORY
            .buildFeaturesReply()
            .setXid(xid)
            .setDatapathId(DatapathId.of(model.features().dpid()))
            .setNBuffers(model.features().buffers())
            .setNTables((short) model.features().tables())
            .setAuxiliaryId(OFAuxId.MAIN)
            .setCapabilities(
                EnumSet.of(
                    OFCapabilities.FLOW_STATS,
                    OFCapabilities.TABLE_STATS,
                    OFCapabilities.PORT_STATS))
            .setReserved(0)
            .build());
  }

  private void config(long xid) {
    channel.send(
        FACTORY
            .buildGetConfigReply()
            .setXid(xid)
            .setFlags(EnumSet.of(OFConfigFlags.FRAG_NORMAL))
            .setMissSendLen(model.missSendLength())
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
    refuseIfPresent(
        model.packetOut(
            message.getBufferId().getInt(),
            message.getInPort().getPortNumber(),
            RequestReader.actions(message.getActions()),
            data,
            agent.nanos()));
  }

  private void flowMod(OFFlowMod message) throws RequestRefused {
    agent.counters().flowMods.increment();
    FlowMod mod = RequestReader.flowMod(message);
    Optional<ModelError> error = model.flowMod(mod, agent.nanos());
    agent.deadlinesChanged();
    refuseIfPresent(error);
  }

  private void groupMod(OFGroupMod message) throws RequestRefused {
    if (!model.pipeline().groups().isSupported()) {
      throw new RequestRefused(ModelError.BAD_REQUEST_TYPE);
    }
    refuseIfPresent(model.groupMod(RequestReader.groupMod(message), agent.nanos()));
  }

  /** Has had no effect since 1.3 (section 7.3.3); only the table is checked. */
  private void tableMod(OFTableMod message) throws RequestRefused {
    int table = message.getTableId().getValue();
    if (table != FlowMod.ALL_TABLES && !model.pipeline().hasTable(table)) {
      throw new RequestRefused(ModelError.TABLE_MOD_BAD_TABLE);
    }
  }

  private void role(OFRoleRequest message) throws RequestRefused {
    Mastership mastership = agent.mastership();
    long generation = message.getGenerationId().getValue();
    boolean granted =
        switch (message.getRole()) {
          case ROLE_NOCHANGE -> true;
          case ROLE_EQUAL -> {
            mastership.equal(channel);
            yield true;
          }
          case ROLE_MASTER -> mastership.claim(channel, ControllerRole.MASTER, generation);
          case ROLE_SLAVE -> mastership.claim(channel, ControllerRole.SLAVE, generation);
        };
    if (!granted) {
      throw new RequestRefused(ModelError.STALE_GENERATION);
    }
    OFControllerRole role =
        switch (channel.role()) {
          case EQUAL -> OFControllerRole.ROLE_EQUAL;
          case MASTER -> OFControllerRole.ROLE_MASTER;
          case SLAVE -> OFControllerRole.ROLE_SLAVE;
        };
    channel.send(
        FACTORY
            .buildRoleReply()
            .setXid(message.getXid())
            .setRole(role)
            .setGenerationId(U64.of(mastership.generationId()))
            .build());
  }

  private void setAsync(OFAsyncSet message) {
    channel.setMasks(
        new AsyncMasks(
            message.getPacketInMaskEqualMaster(),
            message.getPacketInMaskSlave(),
            message.getPortStatusMaskEqualMaster(),
            message.getPortStatusMaskSlave(),
            message.getFlowRemovedMaskEqualMaster(),
            message.getFlowRemovedMaskSlave()));
  }

  private void async(long xid) {
    AsyncMasks masks = channel.masks();
    channel.send(
        FACTORY
            .buildAsyncGetReply()
            .setXid(xid)
            .setPacketInMaskEqualMaster(masks.packetInMaster())
            .setPacketInMaskSlave(masks.packetInSlave())
            .setPortStatusMaskEqualMaster(masks.portStatusMaster())
            .setPortStatusMaskSlave(masks.portStatusSlave())
            .setFlowRemovedMaskEqualMaster(masks.flowRemovedMaster())
            .setFlowRemovedMaskSlave(masks.flowRemovedSlave())
            .build());
  }

  private void queues(OFQueueGetConfigRequest message) throws RequestRefused {
    OFPort port = message.getPort();
    if (!port.equals(OFPort.ANY) && model.port(port.getPortNumber()) == null) {
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

  @Override
  public OFMessage packetIn(PacketIn packetIn) {
    FlowMatch.Builder match =
        FlowMatch.builder().exact(OxmField.IN_PORT, packetIn.inPort() & 0xffff_ffffL);
    if (packetIn.metadata() != 0) {
      match.exact(OxmField.METADATA, packetIn.metadata());
    }
    return FACTORY
        .buildPacketIn()
        .setXid(0)
        .setBufferId(OFBufferId.of(packetIn.bufferId()))
        .setTotalLen(packetIn.totalLength())
        .setReason(
            switch (packetIn.reason()) {
              case NO_MATCH -> OFPacketInReason.NO_MATCH;
              case ACTION -> OFPacketInReason.ACTION;
              case INVALID_TTL -> OFPacketInReason.INVALID_TTL;
            })
        .setTableId(TableId.of(packetIn.tableId()))
        .setCookie(U64.of(packetIn.cookie()))
        .setMatch(writer.match(match.build()))
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
        .setPriority(removed.priority())
        .setReason(
            switch (removed.reason()) {
              case IDLE_TIMEOUT -> OFFlowRemovedReason.IDLE_TIMEOUT;
              case HARD_TIMEOUT -> OFFlowRemovedReason.HARD_TIMEOUT;
              case DELETE -> OFFlowRemovedReason.DELETE;
              case GROUP_DELETE -> OFFlowRemovedReason.GROUP_DELETE;
            })
        .setTableId(TableId.of(removed.tableId()))
        .setDurationSec(seconds)
        .setDurationNsec(removed.durationNanos() - TimeUnit.SECONDS.toNanos(seconds))
        .setIdleTimeout(removed.idleTimeoutSeconds())
        .setHardTimeout(removed.hardTimeoutSeconds())
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
    int dataBytes = Math.min(ERROR_DATA_BYTES, request.readableBytes());
    ByteBuf out = Unpooled.buffer(12 + dataBytes);
    out.writeByte(OFVersion.OF_13.getWireVersion());
    out.writeByte(ERROR_TYPE);
    out.writeShort(12 + dataBytes);
    out.writeInt((int) xid);
    out.writeShort(error.type());
    out.writeShort(error.code());
    return out.writeBytes(request, request.readerIndex(), dataBytes);
  }
}
