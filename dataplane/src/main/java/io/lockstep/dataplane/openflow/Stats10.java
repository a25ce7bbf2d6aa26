package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.FlowEntry;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.FlowTable;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.model.SwitchPort;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.projectfloodlight.openflow.protocol.OFAggregateStatsRequest;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFMatchV1;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;
import org.projectfloodlight.openflow.protocol.OFPortStatsRequest;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsRequest;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/**
 * Statistics replies of OpenFlow 1.0 (section 5.3.5), about the one table. Long lists are split
 * over several messages. On the switch's event loop.
 */
final class Stats10 {
  /** A flow entry takes at most 88 octets and 32 actions of up to 16. */
  private static final int FLOWS_PER_MESSAGE = 100;

  private static final int ONLY_TABLE = 0;

  private final SwitchAgent agent;
  private final SwitchModel model;
  private final Writer10 writer;
  private final OFFactory factory;
  private final StatsReplies replies;

  Stats10(SwitchAgent agent, Writer10 writer, OFFactory factory) {
    this.agent = agent;
    this.model = agent.model();
    this.writer = writer;
    this.factory = factory;
    this.replies = new StatsReplies(factory, model);
  }

  void reply(OFStatsRequest<?> request, ControllerChannel channel) throws RequestRefused {
    long xid = request.getXid();
    switch (request.getStatsType()) {
      case DESC -> channel.send(replies.description(xid));
      case FLOW -> flows((OFFlowStatsRequest) request, channel);
      case AGGREGATE -> channel.send(aggregate((OFAggregateStatsRequest) request));
      case TABLE -> channel.send(table(xid));
      case PORT -> replies.ports((OFPortStatsRequest) request, this::port, channel);
      default -> throw new RequestRefused(ModelError.BAD_MULTIPART); // queues, vendor
    }
  }

  private void flows(OFFlowStatsRequest request, ControllerChannel channel) {
    List<FlowEntry> selected =
        select(
            request.getTableId().getValue(),
            (OFMatchV1) request.getMatch(),
            request.getOutPort().getPortNumber());
    replies.flows(request.getXid(), selected, FLOWS_PER_MESSAGE, this::flow, channel);
  }

  private OFFlowStatsEntry flow(FlowEntry entry) {
    long duration = entry.durationNanos(agent.nanos());
    long seconds = TimeUnit.NANOSECONDS.toSeconds(duration);
    return factory
        .buildFlowStatsEntry()
        .setTableId(TableId.of(ONLY_TABLE))
        .setDurationSec(seconds)
        .setDurationNsec(duration - TimeUnit.SECONDS.toNanos(seconds))
        .setPriority(entry.priority() & Reader10.PRIORITY_MASK)
        .setIdleTimeout(entry.idleTimeoutSeconds())
        .setHardTimeout(entry.hardTimeoutSeconds())
        .setCookie(U64.of(entry.cookie()))
        .setPacketCount(U64.of(entry.packets()))
        .setByteCount(U64.of(entry.bytes()))
        .setMatch(writer.match(entry.match()))
        .setActions(writer.actions(entry.instructions().apply()))
        .build();
  }

  private OFStatsReply aggregate(OFAggregateStatsRequest request) {
    return replies.aggregate(
        request.getXid(),
        select(
            request.getTableId().getValue(),
            (OFMatchV1) request.getMatch(),
            request.getOutPort().getPortNumber()));
  }

  /** The entries a flow or aggregate request asks for; a table that is not there has none. */
  private List<FlowEntry> select(int tableId, OFMatchV1 match, int outPort) {
    List<FlowEntry> selected = new ArrayList<>();
    if (tableId != FlowMod.ALL_TABLES && tableId != ONLY_TABLE) {
      return selected;
    }
    FlowMatch wanted = Reader10.match(match);
    model.expire(agent.nanos());
    for (FlowEntry entry : model.pipeline().tables().get(ONLY_TABLE).entries()) {
      boolean toPort = outPort == PortNumbers.ANY || entry.instructions().outputsTo(outPort);
      if (toPort && wanted.covers(entry.match())) {
        selected.add(entry);
      }
    }
    return selected;
  }

  private OFStatsReply table(long xid) {
    model.expire(agent.nanos());
    FlowTable table = model.pipeline().tables().get(ONLY_TABLE);
    return factory
        .buildTableStatsReply()
        .setXid(xid)
        .setEntries(
            List.of(
                factory
                    .buildTableStatsEntry()
                    .setTableId(TableId.of(ONLY_TABLE))
                    .setName("flows")
                    .setWildcards(Reader10.ALL)
                    .setMaxEntries(table.maxEntries())
                    .setActiveCount(table.entries().size())
                    .setLookupCount(U64.of(table.lookups()))
                    .setMatchedCount(U64.of(table.matches()))
                    .build()))
        .build();
  }

  private OFPortStatsEntry port(SwitchPort port) {
    return factory
        .buildPortStatsEntry()
        .setPortNo(OFPort.of(port.number()))
        .setRxPackets(U64.of(port.rxPackets()))
        .setTxPackets(U64.of(port.txPackets()))
        .setRxBytes(U64.of(port.rxBytes()))
        .setTxBytes(U64.of(port.txBytes()))
        .setRxDropped(U64.of(port.rxDropped()))
        .setTxDropped(U64.of(port.txDropped()))
        .build();
  }
}
