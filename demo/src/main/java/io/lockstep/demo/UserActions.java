package io.lockstep.demo;

import io.lockstep.demo.DemoStage.StoryBroken;
import io.lockstep.demo.DemoStage.Takeover;
import io.lockstep.demo.PingBoard.Counts;
import io.lockstep.demo.PingBoard.Phase;
import io.lockstep.demo.screen.Key;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Does to the stage what keys ask for, and keeps what happened for the summary. Owned by the thread
 * that acts; what it keeps may be read from any.
 */
final class UserActions {
  /** Pings that were sent for so long after a change are counted as disturbed by it. */
  private static final long CHANGE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** By then the last of these is answered or lost. */
  private static final long COUNTED_NANOS =
      CHANGE_NANOS + TimeUnit.MILLISECONDS.toNanos(PingBoard.TIMEOUT_MILLIS + 300);

  private final DemoStage stage;
  private final Consumer<String> events;

  // Guarded by this.
  private final List<Takeover> takeovers = new ArrayList<>();
  private final List<String> done = new ArrayList<>();

  private Phase calm = Phase.BEFORE;
  private int nextLink;
  private boolean linkIsCut;
  private int nextHost;

  // The change whose pings are being counted; empty for none.
  private String change = "";
  private long changedNanos;
  private boolean calmAgain = true;
  private Counts countedBefore = Counts.NONE;

  UserActions(DemoStage stage, Consumer<String> events) {
    this.stage = stage;
    this.events = events;
  }

  synchronized List<Takeover> takeovers() {
    return List.copyOf(takeovers);
  }

  /** What the user did, in order. */
  synchronized List<String> done() {
    return List.copyOf(done);
  }

  private synchronized void note(String what) {
    done.add(what);
  }

  private synchronized void note(List<Takeover> more) {
    takeovers.addAll(more);
  }

  /** Does what a key asks for; keys that only concern the screen mean nothing here. */
  void perform(Key key) throws IOException {
    switch (key) {
      case KILL -> killByKey();
      case START -> startByKey();
      case LINK -> toggleLink();
      case MOVE -> moveHost();
      default -> {}
    }
  }

  private void killByKey() {
    KillChoice choice = KillChoice.among(stage.picture().nodes());
    if (choice.node() < 0) {
      events.accept(choice.refusal());
      return;
    }
    note("killed " + stage.plan().nodeId(choice.node()));
    try {
      kill(choice.node());
    } catch (StoryBroken late) {
      // The story would end here; what the user began goes on.
      String.valueOf(late.getMessage()).lines().forEach(events);
    }
  }

  /** Kills a node, sees the take-overs, and lets the new master prove the ports of its hosts. */
  void kill(int victim) throws StoryBroken {
    change = "";
    calmAgain = true;
    calm = Phase.AFTER;
    note(stage.kill(victim));
    stage.watchFor(Demo.SETTLE_MILLIS);
    stage.pings().enter(Phase.AFTER);
  }

  private void startByKey() throws IOException {
    int node = KillChoice.down(stage.picture());
    if (node < 0) {
      events.accept("r: no node is down (k kills one)");
      return;
    }
    note("started " + stage.plan().nodeId(node) + " again");
    stage.restart(node);
  }

  private void toggleLink() {
    String name = stage.network().linkName(nextLink);
    String what = (linkIsCut ? "restored the link " : "cut the link ") + name;
    disturb();
    stage.setLink(nextLink, linkIsCut);
    changed(what);
    if (linkIsCut) {
      nextLink = (nextLink + 1) % (stage.network().directedLinks() / 2);
    }
    linkIsCut = !linkIsCut;
  }

  private void moveHost() {
    disturb();
    changed("moved " + stage.network().moveHost(nextHost));
    nextHost = (nextHost + 1) % stage.network().hosts();
  }

  private void disturb() {
    stage.pings().enter(Phase.CHANGE);
    countedBefore = stage.pings().tally().of(Phase.CHANGE);
    changedNanos = System.nanoTime();
    calmAgain = false;
  }

  private void changed(String what) {
    events.accept(what);
    note(what);
    change = what;
  }

  /** Ends what a change began, when it is time; called several times a second. */
  void tick() {
    long since = System.nanoTime() - changedNanos;
    if (!calmAgain && since >= CHANGE_NANOS) {
      stage.pings().enter(calm);
      calmAgain = true;
    }
    if (!change.isEmpty() && since >= COUNTED_NANOS) {
      Counts now = stage.pings().tally().of(Phase.CHANGE);
      events.accept(
          String.format(
              Locale.ROOT,
              "%s: %d of %d pings lost",
              change,
              now.lost() - countedBefore.lost(),
              now.sent() - countedBefore.sent()));
      change = "";
    }
  }
}
