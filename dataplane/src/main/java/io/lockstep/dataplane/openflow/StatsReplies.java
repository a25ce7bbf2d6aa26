package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.FlowEntry;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.model.SwitchPort;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;
import org.projectfloodlight.openflow.protocol.OFPortStatsRequest;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.types.U64;

/**
 * What statistics replies have in common in all versions (1.0 section 5.3.5, 1.3 section 7.3.5).
 * Long lists are split over several messages, each well below 64 KiB. On the switch's event loop.
 */
final class StatsReplies {
  /** At most 112 octets each. */
  static final int PORTS_PER_MESSAGE = 400;

  private final OFFactory factory;
  private final SwitchModel model;

  StatsReplies(OFFactory factory, SwitchModel model) {
    this.factory = factory;
    this.model = model;
  }

  /** Sends one message. */
  interface Part<E> {
    void send(List<E> entries, Set<OFStatsReplyFlags> flags);
  }

  /** At least one part; all but the last say that more follows. */
  static <T, E> void inParts(List<T> all, int perPart, Function<T, E> encode, Part<E> part) {
    int from = 0;
    do {
      int to = Math.min(all.size(), from + perPart);
      List<E> entries = new ArrayList<>(to - from);
      all.subList(from, to).forEach(each -> entries.add(encode.apply(each)));
      boolean last = to == all.size();
      part.send(entries, last ? Set.of() : EnumSet.of(OFStatsReplyFlags.REPLY_MORE));
      from = to;
    } while (from < all.size());
  }

  /** What the switch says of itself. */
  OFStatsReply description(long xid) {
    return factory
        .buildDescStatsReply()
        .setXid(xid)
        .setMfrDesc(model.profile().description().manufacturer())
        .setHwDesc(model.profile().description().hardware())
        .setSwDesc(model.profile().description().software())
        .setSerialNum(Long.toHexString(model.features().dpid()))
        .setDpDesc("dpid " + Long.toHexString(model.features().dpid()))
        .build();
  }

  /** Sends flow entries. */
  void flows(
      long xid,
      List<FlowEntry> selected,
      int perMessage,
      Function<FlowEntry, OFFlowStatsEntry> encode,
      ControllerChannel channel) {
    inParts(
        selected,
        perMessage,
        encode,
        (entries, flags) ->
            channel.send(
                factory
                    .buildFlowStatsReply()
                    .setXid(xid)
                    .setFlags(flags)
                    .setEntries(entries)
                    .build()));
  }

  /** The sums over flow entries. */
  OFStatsReply aggregate(long xid, List<FlowEntry> selected) {
    long packets = 0;
    long bytes = 0;
    for (FlowEntry entry : selected) {
      packets += entry.packets();
      bytes += entry.bytes();
    }
    return factory
        .buildAggregateStatsReply()
        .setXid(xid)
        .setPacketCount(U64.of(packets))
        .setByteCount(U64.of(bytes))
        .setFlowCount(selected.size())
        .build();
  }

  /** Sends the counters of the ports that a request names. */
  void ports(
      OFPortStatsRequest request,
      Function<SwitchPort, OFPortStatsEntry> encode,
      ControllerChannel channel)
      throws RequestRefused {
    inParts(
        named(request),
        PORTS_PER_MESSAGE,
        encode,
        (entries, flags) ->
            channel.send(
                factory
                    .buildPortStatsReply()
                    .setXid(request.getXid())
                    .setFlags(flags)
                    .setEntries(entries)
                    .build()));
  }

  private List<SwitchPort> named(OFPortStatsRequest request) throws RequestRefused {
    int wanted = request.getPortNo().getPortNumber();
    List<SwitchPort> ports = new ArrayList<>();
    for (SwitchPort port : model.ports()) {
      if (wanted == PortNumbers.ANY || wanted == port.number()) {
        ports.add(port);
      }
    }
    if (ports.isEmpty() && wanted != PortNumbers.ANY) {
      throw new RequestRefused(ModelError.BAD_REQUEST_PORT);
    }
    return ports;
  }
}
