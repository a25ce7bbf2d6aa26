package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFMessage;

/**
 * Flow-mods, or group-mods, that wait for their barrier. A switch answers what went wrong before it
 * answers the barrier (OpenFlow 1.3.5 section 6.1.1), so what had no error by then is installed.
 * Owned by the event loop.
 */
final class ConfirmedFlowMods implements Request {
  private static final FlowModOutcome INSTALLED = new FlowModOutcome.Installed();

  /** Transaction ids of the flow-mods follow each other. */
  private final int firstXid;

  private final @Nullable FlowModOutcome[] outcomes;
  private final CompletableFuture<List<FlowModOutcome>> result;
  private final Consumer<List<FlowModOutcome>> done;

  /**
   * Outcomes for {@code count} flow-mods.
   *
   * @param done called with the outcomes before the result completes
   */
  ConfirmedFlowMods(
      int firstXid,
      int count,
      CompletableFuture<List<FlowModOutcome>> result,
      Consumer<List<FlowModOutcome>> done) {
    this.firstXid = firstXid;
    this.outcomes = new FlowModOutcome[count];
    this.result = result;
    this.done = done;
  }

  /** Records an error if it is about one of these flow-mods. */
  boolean refuse(int xid, String error) {
    int index = xid - firstXid;
    if (index < 0 || index >= outcomes.length) {
      return false;
    }
    outcomes[index] = new FlowModOutcome.Refused(error);
    return true;
  }

  @Override
  public boolean onReply(OFMessage reply) {
    complete(INSTALLED);
    return true;
  }

  @Override
  public void onError(String error) {
    complete(new FlowModOutcome.Unknown("the switch refused the barrier: " + error));
  }

  @Override
  public void onLost(String reason) {
    complete(new FlowModOutcome.Unknown(reason));
  }

  private void complete(FlowModOutcome ofTheOthers) {
    for (int i = 0; i < outcomes.length; i++) {
      outcomes[i] = outcomes[i] == null ? ofTheOthers : outcomes[i];
    }
    FlowModOutcome[] all = Arrays.copyOf(outcomes, outcomes.length, FlowModOutcome[].class);
    List<FlowModOutcome> outcome = List.of(all);
    done.accept(outcome);
    result.complete(outcome);
  }
}
