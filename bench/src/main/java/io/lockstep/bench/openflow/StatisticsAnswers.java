package io.lockstep.bench.openflow;

import static io.lockstep.bench.openflow.SwitchPersona.FACTORY;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFStatsRequest;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** What a played switch answers to multipart requests (OpenFlow 1.3.5 section 7.3.5). */
final class StatisticsAnswers {
  /** Expired entries that are shown; a reply holds 64 KiB. */
  static final int EXPIRED_ENTRIES = 500;

  private static final long PORT_MAC = 0x06L << 40;

  /** As a node marks entries that its rules ask for. */
  private static final long INTENDED_COOKIE = 0xBL << 60;

  private final LoadPlan plan;
  private final int index;
  private final PermanentEntries entries;
  private @Nullable IntConsumer reviving;

  StatisticsAnswers(LoadPlan plan, int index, PermanentEntries entries) {
    this.plan = plan;
    this.index = index;
    this.entries = entries;
  }

  /** Shows expired entries from now on, and tells how many; null ends it. */
  void reviveEntries(@Nullable IntConsumer next) {
    reviving = next;
  }

  /** The reply, or null where a switch like this has none. */
  @Nullable OFMessage answer(OFStatsRequest<?> request) {
    long xid = request.getXid();
    return switch (request.getStatsType()) {
      case DESC ->
          FACTORY
              .buildDescStatsReply()
              .setXid(xid)
              .setMfrDesc("Lockstep")
              .setHwDesc("load generator")
              .setSwDesc("bench openflow-load")
              .setSerialNum(Long.toHexString(plan.dpid(index)))
              .setDpDesc("played switch")
              .build();
      case PORT_DESC -> FACTORY.buildPortDescStatsReply().setXid(xid).setEntries(ports()).build();
      case FLOW ->
          FACTORY
              .buildFlowStatsReply()
              .setXid(xid)
              .setEntries(flows(((OFFlowStatsRequest) request).getTableId()))
              .build();
      case AGGREGATE ->
          FACTORY.buildAggregateStatsReply().setXid(xid).setFlowCount(entries.all().size()).build();
      case TABLE ->
          FACTORY
              .buildTableStatsReply()
              .setXid(xid)
              .setEntries(
                  List.of(
                      FACTORY
                          .buildTableStatsEntry()
                          .setTableId(TableId.of(0))
                          .setActiveCount(entries.all().size())
                          .build()))
              .build();
      case PORT -> FACTORY.buildPortStatsReply().setXid(xid).setEntries(List.of()).build();
      case QUEUE -> FACTORY.buildQueueStatsReply().setXid(xid).setEntries(List.of()).build();
      case GROUP -> FACTORY.buildGroupStatsReply().setXid(xid).setEntries(List.of()).build();
      case GROUP_DESC ->
          FACTORY.buildGroupDescStatsReply().setXid(xid).setEntries(List.of()).build();
      default -> null;
    };
  }

  private List<OFPortDesc> ports() {
    List<OFPortDesc> ports = new ArrayList<>();
    for (int port = 1; port <= plan.ports(); port++) {
      ports.add(
          FACTORY
              .buildPortDesc()
              .setPortNo(OFPort.of(port))
              .setHwAddr(MacAddress.of(PORT_MAC | ((plan.dpid(index) & 0xffff_ffffL) << 8) | port))
              .setName("port" + port)
              .setConfig(Set.of())
              .setState(Set.of(OFPortState.LIVE))
              .setCurr(Set.of())
              .setAdvertised(Set.of())
              .setSupported(Set.of())
              .setPeer(Set.of())
              .build());
    }
    return ports;
  }

  private List<OFFlowStatsEntry> flows(TableId table) {
    List<OFFlowStatsEntry> flows = new ArrayList<>();
    for (OFFlowMod mod : entries.all().values()) {
      if (table.equals(TableId.ALL) || table.equals(mod.getTableId())) {
        flows.add(
            FACTORY
                .buildFlowStatsEntry()
                .setTableId(mod.getTableId())
                .setPriority(mod.getPriority())
                .setCookie(mod.getCookie())
                .setMatch(mod.getMatch())
                .setInstructions(mod.getInstructions())
                .setFlags(mod.getFlags())
                .setPacketCount(U64.ZERO)
                .setByteCount(U64.ZERO)
                .build());
      }
    }
    IntConsumer told = reviving;
    if (told != null) {
      for (int i = 0; i < EXPIRED_ENTRIES; i++) {
        flows.add(expired(i));
      }
      told.accept(EXPIRED_ENTRIES);
    }
    return flows;
  }

  private static OFFlowStatsEntry expired(int number) {
    return FACTORY
        .buildFlowStatsEntry()
        .setTableId(TableId.of(0))
        .setPriority(1000 + number)
        .setCookie(U64.of(INTENDED_COOKIE | number))
        .setMatch(
            FACTORY
                .buildMatch()
                .setExact(MatchField.ETH_DST, MacAddress.of(PORT_MAC | number))
                .build())
        .setInstructions(List.of())
        .setFlags(Set.of())
        .setPacketCount(U64.ZERO)
        .setByteCount(U64.ZERO)
        .build();
  }
}
