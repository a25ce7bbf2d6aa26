package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.GroupMod;
import io.lockstep.core.southbound.PortGroup;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchErrors;
import io.lockstep.openflow.channel.translate.Dialect;
import io.lockstep.openflow.channel.translate.GroupTranslation;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsReply;

/**
 * The groups of one switch: changes of them with their outcomes, and what the switch says it has
 * (OpenFlow 1.3.5 sections 7.3.4.2 and 7.3.5.7). Owned by the event loop.
 */
final class GroupRequests {
  private static final String NO_GROUPS = "OpenFlow 1.0 has no groups";

  private final Peer peer;
  private final Dialect dialect;
  private final SwitchRequests requests;
  private final int maxEntries;
  private final BooleanSupplier acts;
  private final ArrayDeque<ConfirmedFlowMods> unconfirmed = new ArrayDeque<>();

  /**
   * None yet.
   *
   * @param maxEntries groups in an answer at most
   * @param acts whether the connection may change the switch now; asked on the event loop
   */
  GroupRequests(
      Peer peer, Dialect dialect, SwitchRequests requests, int maxEntries, BooleanSupplier acts) {
    this.peer = peer;
    this.dialect = dialect;
    this.requests = requests;
    this.maxEntries = maxEntries;
    this.acts = acts;
  }

  /** Sends changes and a barrier; the result has one outcome for each, in order. */
  void change(List<GroupMod> mods, CompletableFuture<List<FlowModOutcome>> result) {
    String obstacle = obstacle();
    if (obstacle != null) {
      result.complete(FlowModSender.unsent(mods, obstacle));
      return;
    }
    int firstXid = peer.newXids(mods.size());
    ConfirmedFlowMods[] self = new ConfirmedFlowMods[1];
    ConfirmedFlowMods batch =
        new ConfirmedFlowMods(
            firstXid, mods.size(), result, outcomes -> unconfirmed.remove(self[0]));
    self[0] = batch;
    unconfirmed.add(batch);
    for (int i = 0; i < mods.size(); i++) {
      long xid = Integer.toUnsignedLong(firstXid + i);
      peer.write(GroupTranslation.toMessage(mods.get(i), xid, dialect.factory()));
    }
    requests.barrier(batch);
  }

  private @Nullable String obstacle() {
    if (!dialect.hasGroups()) {
      return NO_GROUPS;
    }
    return acts.getAsBoolean() ? requests.obstacle() : SwitchErrors.IS_SLAVE;
  }

  /** Reads the groups that lead to one port; others are left out. */
  void read(CompletableFuture<Answer<List<PortGroup>>> result) {
    if (!dialect.hasGroups()) {
      result.complete(new Answer.None<>(NO_GROUPS));
      return;
    }
    Request request =
        new StatsRequest<>(
            OFGroupDescStatsReply.class,
            (part, groups) ->
                part.getEntries()
                    .forEach(entry -> GroupTranslation.toGroup(entry).ifPresent(groups::add)),
            maxEntries,
            result);
    requests.ask(
        dialect.factory().buildGroupDescStatsRequest().setXid(requests.newXid()).build(),
        request,
        "groups");
  }

  /** Records an error on a change that waits for its barrier; false where it is about none. */
  boolean refuse(int xid, String error) {
    for (ConfirmedFlowMods batch : unconfirmed) {
      if (batch.refuse(xid, error)) {
        return true;
      }
    }
    return false;
  }
}
