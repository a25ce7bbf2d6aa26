package io.lockstep.demo;

import io.lockstep.demo.DemoStage.StoryBroken;
import io.lockstep.demo.DemoStage.Takeover;
import io.lockstep.demo.PingBoard.Counts;
import io.lockstep.demo.PingBoard.Phase;
import io.lockstep.demo.PingBoard.Tally;
import io.lockstep.demo.screen.DemoScreen;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * The demo's story without a terminal: nodes start, the network connects, all hosts ping each
 * other; the node that masters a domain is killed, another takes over, the killed one comes back.
 * One thread tells it; {@link #close} may come from any, at any time.
 */
final class Demo implements AutoCloseable {
  /** A new master first proves the ports of hosts: until then new flows may still fail. */
  static final long SETTLE_MILLIS = 1000;

  private final DemoSettings settings;
  private final DemoScreen screen;
  private final DemoStage stage;
  private volatile String killedNode = "none";
  private volatile long takeoverMillis = -1;

  /** A demo in which nothing runs yet. */
  Demo(DemoSettings settings, DemoNetwork network, DemoScreen screen) throws IOException {
    this.settings = settings;
    this.screen = screen;
    this.stage = new DemoStage(settings, network, screen::event, this::show);
  }

  private void show() {
    screen.show(stage.picture());
  }

  /** Tells the story up to the return of the killed node. */
  void tell() throws IOException, StoryBroken {
    stage.startNodes();
    stage.connectNetwork();
    stage.ping();
    calm();
    int victim = killAndTakeOver();
    calm();
    bringBack(victim);
    calm();
  }

  /** Shows what goes on until the thread is interrupted or the process ends. */
  void runOn() {
    screen.event("everything runs on; Ctrl-C ends it");
    while (!Thread.currentThread().isInterrupted()) {
      stage.watchFor(1000);
    }
  }

  private void calm() {
    stage.watchFor(settings.calmMillis());
  }

  private int killAndTakeOver() throws StoryBroken {
    int victim = stage.firstMaster();
    if (victim < 0) {
      throw new StoryBroken(
          "no node masters domain "
              + stage.plan().domains().get(0).name()
              + stage.cluster().complaint());
    }
    killedNode = stage.plan().nodeId(victim);
    for (Takeover takeover : stage.kill(victim)) {
      takeoverMillis = takeover.millis();
    }
    stage.watchFor(SETTLE_MILLIS);
    stage.pings().enter(Phase.AFTER);
    return victim;
  }

  private void bringBack(int victim) throws IOException, StoryBroken {
    long started = System.nanoTime();
    stage.restart(victim);
    stage.await(killedNode + " is ready again", () -> stage.ready(victim));
    screen.event(killedNode + " is back after " + DemoStage.millisSince(started) + " ms");
  }

  /** What became of it. Waits for the pings on their way where the demo ends by itself. */
  DemoResult result() {
    PingBoard pings = stage.pings();
    pings.stopSending();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    while (pings.tally().inFlight() > 0 && System.nanoTime() < deadline) {
      DemoCluster.pause(20);
    }
    Tally tally = pings.tally();
    Counts before = tally.of(Phase.BEFORE);
    Counts after = tally.of(Phase.AFTER);
    boolean pass =
        takeoverMillis >= 0
            && takeoverMillis <= settings.takeoverBoundMillis()
            && before.sent() > 0
            && before.lost() == 0
            && after.sent() > 0
            && after.lost() == 0;
    return new DemoResult(
        DemoSettings.NODES,
        stage.plan().domains().size(),
        stage.switches(),
        stage.network().hosts(),
        killedNode,
        takeoverMillis,
        new DemoResult.Pings(before, tally.of(Phase.DURING), after),
        pass);
  }

  /** Keeps the logs for whoever wants to know what went wrong. */
  void keepLogs() {
    stage.keepLogs();
  }

  @Override
  public void close() {
    stage.close();
  }
}
