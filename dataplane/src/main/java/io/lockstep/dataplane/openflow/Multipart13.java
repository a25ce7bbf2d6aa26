package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.FlowEntry;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.FlowTable;
import io.lockstep.dataplane.flowtable.MatchCheck;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.model.SwitchPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.projectfloodlight.openflow.protocol.OFAggregateStatsRequest;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;
import org.projectfloodlight.openflow.protocol.OFPortStatsRequest;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.protocol.OFStatsRequest;
import org.projectfloodlight.openflow.protocol.OFTableFeaturesStatsRequest;
import org.projectfloodlight.openflow.protocol.OFTableStatsEntry;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/**
 * Multipart replies of OpenFlow 1.3 (section 7.3.5). Long lists are split over several messages,
 * each well below 64 KiB. On the switch's event loop.
 */
final class Multipart13 {
  /** A flow entry takes at most about 2.2 KB: two lists of 32 actions of 24 octets, all fields. */
  private static final int FLOWS_PER_MESSAGE = 25;

  /** Far less than that: one bucket of two actions. */
  private static final int GROUPS_PER_MESSAGE = 500;

  private final SwitchAgent agent;
  private final SwitchModel model;
  private final ModelWriter writer;
  private final OFFactory factory;
  private final StatsReplies replies;

  Multipart13(SwitchAgent agent, ModelWriter writer, OFFactory factory) {
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
      case TABLE -> channel.send(tables(xid));
      case PORT -> replies.ports((OFPortStatsRequest) request, this::portStatistics, channel);
      case PORT_DESC -> portDescriptions(xid, channel);
      case TABLE_FEATURES -> {
        if (!((OFTableFeaturesStatsRequest) request).getEntries().isEmpty()) {
          throw new RequestRefused(
              channel.role() == ControllerRole.SLAVE
                  ? ModelError.IS_SLAVE
                  : ModelError.TABLE_FEATURES_PERMISSION);
        }
        for (int i = 0; i < model.features().tables(); i++) {
          boolean last = i == model.features().tables() - 1;
          channel.send(TableFeatures13.reply(xid, model.pipeline().tables().get(i), model, !last));
        }
      }
      case GROUP_DESC -> groups(xid, channel);
      default -> throw new RequestRefused(ModelError.BAD_MULTIPART); // meters, queues
    }
  }

  private void flows(OFFlowStatsRequest request, ControllerChannel channel) throws RequestRefused {
    List<FlowEntry> selected =
        select(
            request.getTableId().getValue(),
            request.getMatch(),
            request.getCookie().getValue(),
            request.getCookieMask().getValue(),
            request.getOutPort().getPortNumber(),
            request.getOutGroup());
    replies.flows(request.getXid(), selected, FLOWS_PER_MESSAGE, this::flow, channel);
  }

  private OFFlowStatsEntry flow(FlowEntry entry) {
    long duration = entry.durationNanos(agent.nanos());
    long seconds = TimeUnit.NANOSECONDS.toSeconds(duration);
    return factory
        .buildFlowStatsEntry()
        .setTableId(TableId.of(entry.tableId()))
        .setDurationSec(seconds)
        .setDurationNsec(duration - TimeUnit.SECONDS.toNanos(seconds))
        .setPriority(entry.priority())
        .setIdleTimeout(entry.idleTimeoutSeconds())
        .setHardTimeout(entry.hardTimeoutSeconds())
        .setFlags(ModelWriter.flags(entry.flags()))
        .setCookie(U64.of(entry.cookie()))
        .setPacketCount(U64.of(entry.packets()))
        .setByteCount(U64.of(entry.bytes()))
        .setMatch(writer.match(entry.match()))
        .setInstructions(writer.instructions(entry.instructions()))
        .build();
  }

  private OFStatsReply aggregate(OFAggregateStatsRequest request) throws RequestRefused {
    return replies.aggregate(
        request.getXid(),
        select(
            request.getTableId().getValue(),
            request.getMatch(),
            request.getCookie().getValue(),
            request.getCookieMask().getValue(),
            request.getOutPort().getPortNumber(),
            request.getOutGroup()));
  }

  /** The entries a flow or aggregate request asks for (sections 7.3.5.2 and 7.3.5.3). */
  private List<FlowEntry> select(
      int tableId, Match match, long cookie, long cookieMask, int outPort, OFGroup outGroup)
      throws RequestRefused {
    FlowMatch wanted = RequestReader.match(match);
    if (MatchCheck.refusal(wanted).isPresent()) {
      throw new RequestRefused(MatchCheck.refusal(wanted).get());
    }
    if (tableId != FlowMod.ALL_TABLES && !model.pipeline().hasTable(tableId)) {
      throw new RequestRefused(ModelError.BAD_REQUEST_TABLE_ID);
    }
    List<FlowEntry> selected = new ArrayList<>();
    if (!outGroup.equals(OFGroup.ANY)) {
      return selected; // not by group
    }
    model.expire(agent.nanos());
    for (FlowTable table : model.pipeline().tables()) {
      if (tableId != FlowMod.ALL_TABLES && tableId != table.id()) {
        continue;
      }
      for (FlowEntry entry : table.entries()) {
        boolean toPort = outPort == PortNumbers.ANY || entry.instructions().outputsTo(outPort);
        boolean hasCookie = ((entry.cookie() ^ cookie) & cookieMask) == 0;
        if (toPort && hasCookie && wanted.covers(entry.match())) {
          selected.add(entry);
        }
      }
    }
    return selected;
  }

  private void groups(long xid, ControllerChannel channel) throws RequestRefused {
    if (!model.pipeline().groups().isSupported()) {
      throw new RequestRefused(ModelError.BAD_MULTIPART);
    }
    StatsReplies.inParts(
        List.copyOf(model.pipeline().groups().groups().entrySet()),
        GROUPS_PER_MESSAGE,
        group ->
            factory
                .buildGroupDescStatsEntry()
                .setGroup(OFGroup.of(group.getKey()))
                .setGroupType(OFGroupType.INDIRECT)
                .setBuckets(
                    List.of(
                        factory
                            .buildBucket()
                            .setWatchPort(OFPort.ANY)
                            .setWatchGroup(OFGroup.ANY)
                            .setActions(writer.actions(group.getValue()))
                            .build()))
                .build(),
        (List<OFGroupDescStatsEntry> entries, Set<OFStatsReplyFlags> flags) ->
            channel.send(
                factory
                    .buildGroupDescStatsReply()
                    .setXid(xid)
                    .setFlags(flags)
                    .setEntries(entries)
                    .build()));
  }

  private OFStatsReply tables(long xid) {
    model.expire(agent.nanos());
    List<OFTableStatsEntry> entries = new ArrayList<>();
    for (FlowTable table : model.pipeline().tables()) {
      entries.add(
          factory
              .buildTableStatsEntry()
              .setTableId(TableId.of(table.id()))
              .setActiveCount(table.entries().size())
              .setLookupCount(U64.of(table.lookups()))
              .setMatchedCount(U64.of(table.matches()))
              .build());
    }
    return factory.buildTableStatsReply().setXid(xid).setEntries(entries).build();
  }

  private OFPortStatsEntry portStatistics(SwitchPort port) {
    long duration = port.durationNanos(agent.nanos());
    long seconds = TimeUnit.NANOSECONDS.toSeconds(duration);
    return factory
        .buildPortStatsEntry()
        .setPortNo(OFPort.of(port.number()))
        .setRxPackets(U64.of(port.rxPackets()))
        .setTxPackets(U64.of(port.txPackets()))
        .setRxBytes(U64.of(port.rxBytes()))
        .setTxBytes(U64.of(port.txBytes()))
        .setRxDropped(U64.of(port.rxDropped()))
        .setTxDropped(U64.of(port.txDropped()))
        .setDurationSec(seconds)
        .setDurationNsec(duration - TimeUnit.SECONDS.toNanos(seconds))
        .build();
  }

  private void portDescriptions(long xid, ControllerChannel channel) {
    StatsReplies.inParts(
        List.copyOf(model.ports()),
        StatsReplies.PORTS_PER_MESSAGE,
        writer::port,
        (List<OFPortDesc> entries, Set<OFStatsReplyFlags> flags) ->
            channel.send(
                factory
                    .buildPortDescStatsReply()
                    .setXid(xid)
                    .setFlags(flags)
                    .setEntries(entries)
                    .build()));
  }
}
