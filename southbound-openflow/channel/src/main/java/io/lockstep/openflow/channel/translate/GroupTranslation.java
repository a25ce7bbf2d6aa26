package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.GroupMod;
import io.lockstep.core.southbound.PortGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.projectfloodlight.openflow.protocol.OFBucket;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.action.OFActionPopVlan;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;

/** Groups that lead to one port (OpenFlow 1.3.5 sections 7.3.4.2 and 7.3.5.7). */
public final class GroupTranslation {
  private GroupTranslation() {}

  /** The message for a change, in OpenFlow 1.3. */
  public static OFGroupMod toMessage(GroupMod mod, long xid, OFFactory factory) {
    PortGroup group = mod.group();
    List<OFAction> actions = new ArrayList<>();
    if (group.popsTag()) {
      actions.add(factory.actions().popVlan());
    }
    actions.add(factory.actions().output(OFPort.of((int) group.port()), 0));
    OFBucket bucket =
        factory
            .buildBucket()
            .setWatchPort(OFPort.ANY)
            .setWatchGroup(OFGroup.ANY)
            .setActions(actions)
            .build();
    OFGroupMod.Builder message =
        mod.operation() == GroupMod.Operation.ADD
            ? factory.buildGroupAdd()
            : factory.buildGroupModify();
    return message
        .setXid(xid)
        .setGroupType(OFGroupType.INDIRECT)
        .setGroup(OFGroup.of(group.id()))
        .setBuckets(List.of(bucket))
        .build();
  }

  /** The group that a switch describes; empty for one of another form. */
  public static Optional<PortGroup> toGroup(OFGroupDescStatsEntry entry) {
    if (entry.getGroupType() != OFGroupType.INDIRECT || entry.getBuckets().size() != 1) {
      return Optional.empty();
    }
    List<OFAction> actions = entry.getBuckets().get(0).getActions();
    int last = actions.size() - 1;
    boolean pops = last == 1 && actions.get(0) instanceof OFActionPopVlan;
    return (last == 0 || pops) && actions.get(last) instanceof OFActionOutput output
        ? Optional.of(
            new PortGroup(
                entry.getGroup().getGroupNumber(),
                Integer.toUnsignedLong(output.getPort().getPortNumber()),
                pops))
        : Optional.empty();
  }
}
