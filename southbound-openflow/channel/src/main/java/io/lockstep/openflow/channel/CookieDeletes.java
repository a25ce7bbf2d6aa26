package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.state.Continuations;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.onosproject.net.flow.DefaultTrafficTreatment;

/**
 * Carries out deletes by cookie on a switch whose deletes know no cookies (OpenFlow 1.0): reads
 * what the delete selects and deletes, one by one, those entries that have the cookie. A batch goes
 * step by step, each confirmed; what is sent meanwhile waits for its end, so the order in which the
 * node speaks stays. Owned by the event loop.
 */
final class CookieDeletes {
  /** Sends that wait for the end of a batch; a node that sends more is told that it is full. */
  static final int MAX_WAITING = 1024;

  private static final FlowModOutcome DONE = new FlowModOutcome.Installed();

  /** The way to the switch. */
  interface Line {
    /** Sends flow-mods without deletes by cookie, with a barrier. */
    CompletableFuture<List<FlowModOutcome>> confirmed(List<FlowMod> mods);

    /** Reads the entries that a delete selects, its cookie apart. */
    CompletableFuture<Answer<List<FlowStats>>> selected(FlowMod delete);
  }

  private final Executor loop;
  private final Line line;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private boolean running;

  /**
   * Deletes none yet.
   *
   * @param loop the event loop; what a task there throws ends the connection
   */
  CookieDeletes(Executor loop, Line line) {
    this.loop = loop;
    this.line = line;
  }

  /** Whether a batch needs this way. */
  static boolean concerns(List<FlowMod> mods) {
    for (int i = 0; i < mods.size(); i++) {
      if (isByCookie(mods.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isByCookie(FlowMod mod) {
    return mod.operation() == FlowMod.Operation.DELETE && mod.cookieMask() != 0;
  }

  /** Runs a send now, or behind the batch that is on its way; false where too many wait. */
  boolean inOrder(Runnable send) {
    if (!running) {
      send.run();
      return true;
    }
    return waiting.size() < MAX_WAITING && waiting.add(send);
  }

  /** Carries a batch out; called in order. The end is given one outcome for each flow-mod. */
  void run(List<FlowMod> mods, Consumer<List<FlowModOutcome>> end) {
    running = true;
    goOn(mods, new ArrayList<>(mods.size()), end);
  }

  /** Takes steps until one has to be waited for, without recursion where none has. */
  private void goOn(
      List<FlowMod> mods, List<FlowModOutcome> outcomes, Consumer<List<FlowModOutcome>> end) {
    while (outcomes.size() < mods.size()) {
      CompletableFuture<List<FlowModOutcome>> step = step(mods, outcomes.size());
      if (!step.isDone()) {
        Continuations.after(
            step,
            loop,
            some -> {
              outcomes.addAll(some);
              goOn(mods, outcomes, end);
            });
        return;
      }
      outcomes.addAll(step.join());
    }
    running = false;
    end.accept(List.copyOf(outcomes));
    while (!running && !waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  private CompletableFuture<List<FlowModOutcome>> step(List<FlowMod> mods, int first) {
    if (isByCookie(mods.get(first))) {
      return delete(mods.get(first)).thenApply(List::of);
    }
    int end = first;
    while (end < mods.size() && !isByCookie(mods.get(end))) {
      end++;
    }
    return line.confirmed(mods.subList(first, end));
  }

  private CompletableFuture<FlowModOutcome> delete(FlowMod delete) {
    return line.selected(delete)
        .thenCompose(
            answer -> {
              if (answer instanceof Answer.Of<List<FlowStats>> read) {
                return deleteAll(withCookie(read.value(), delete));
              }
              return CompletableFuture.completedFuture(
                  new FlowModOutcome.Unknown(((Answer.None<?>) answer).reason()));
            });
  }

  private static List<FlowMod> withCookie(List<FlowStats> entries, FlowMod delete) {
    List<FlowMod> deletes = new ArrayList<>();
    for (FlowStats entry : entries) {
      if (((entry.cookie() ^ delete.cookie()) & delete.cookieMask()) == 0) {
        deletes.add(
            new FlowMod(
                FlowMod.Operation.DELETE_STRICT,
                entry.tableId(),
                entry.priority(),
                entry.cookie(),
                0,
                0,
                0,
                false,
                PacketIn.NO_BUFFER,
                entry.selector(),
                DefaultTrafficTreatment.emptyTreatment()));
      }
    }
    return deletes;
  }

  private CompletableFuture<FlowModOutcome> deleteAll(List<FlowMod> deletes) {
    if (deletes.isEmpty()) {
      return CompletableFuture.completedFuture(DONE);
    }
    return line.confirmed(deletes)
        .thenApply(
            outcomes ->
                outcomes.stream()
                    .filter(outcome -> !(outcome instanceof FlowModOutcome.Installed))
                    .findFirst()
                    .orElse(DONE));
  }
}
