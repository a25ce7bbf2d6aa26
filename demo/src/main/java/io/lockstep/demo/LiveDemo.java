package io.lockstep.demo;

import io.lockstep.demo.DemoStage.StoryBroken;
import io.lockstep.demo.screen.FlowList;
import io.lockstep.demo.screen.Key;
import io.lockstep.demo.screen.LiveScreen;
import io.lockstep.demo.screen.Picture;
import io.lockstep.demo.screen.Terminal;
import io.lockstep.demo.screen.TerminalCapabilities;
import io.lockstep.deploy.process.ExitCode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The demo on a terminal. It tells the story until the user presses a key that acts; from then on
 * it does what keys ask for. One thread acts on the stage, one draws, one reads keys. {@link #end}
 * may come from any, at any time: it restores the terminal first.
 */
final class LiveDemo {
  private static final int FRAME_MILLIS = 200;

  /** The size is looked at in one frame of this many. */
  private static final int FRAMES_TO_SIZE = 3;

  private static final int TICK_MILLIS = 100;
  private static final int FLOWS_MILLIS = 1000;
  private static final int KEYS_WAITING = 8;

  private final DemoSettings settings;
  private final Terminal terminal;
  private final PrintStream out;
  private final LiveScreen screen;
  private final DemoStage stage;
  private final UserActions actions;
  private final BlockingQueue<Key> keys = new ArrayBlockingQueue<>(KEYS_WAITING);
  private final Semaphore redraw = new Semaphore(0);
  private final CompletableFuture<Integer> ending = new CompletableFuture<>();
  private final Thread drawing = thread("demo-screen", this::draw);

  /** Whether keys may act: before that the stage is being set up. */
  private volatile boolean ready;

  /** Number of the switch whose flow entries are shown, -1 for none. */
  private volatile int flowsOf = -1;

  private volatile boolean stopped;
  private boolean ended;

  /** A demo in which nothing runs yet. */
  LiveDemo(
      DemoSettings settings,
      DemoNetwork network,
      Terminal terminal,
      TerminalCapabilities capabilities,
      PrintStream out)
      throws IOException {
    this.settings = settings;
    this.terminal = terminal;
    this.out = out;
    this.screen = new LiveScreen(terminal, capabilities);
    this.stage = new DemoStage(settings, network, screen::event, () -> {});
    this.actions = new UserActions(stage, screen::event);
  }

  private interface Work {
    void run() throws Exception;
  }

  /** A thread whose failure ends the demo. */
  private Thread thread(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Exception | Error e) {
                ending.completeExceptionally(e);
              }
            },
            name);
    thread.setDaemon(true);
    return thread;
  }

  /** Runs until the user ends it or the story breaks; gives the exit code. */
  int run() throws IOException {
    terminal.enter();
    drawing.start();
    thread("demo-keys", this::readKeys).start();
    thread("demo-story", this::tell).start();
    try {
      return ending.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILED;
    } catch (ExecutionException e) {
      stage.keepLogs();
      end();
      if (e.getCause() instanceof StoryBroken broken) {
        out.println("lockstep demo: " + broken.getMessage());
        out.flush();
        return ExitCode.FAILED;
      }
      throw new IllegalStateException("the demo failed", e.getCause());
    } finally {
      end();
    }
  }

  // ---- the thread that reads keys

  private void readKeys() throws IOException {
    Optional<List<Key>> pressed = terminal.keys();
    while (pressed.isPresent()) {
      pressed.get().forEach(this::take);
      redraw.release();
      pressed = terminal.keys();
    }
    ending.complete(ExitCode.DONE); // the terminal is gone
  }

  private void take(Key key) {
    switch (key) {
      case QUIT -> ending.complete(ExitCode.DONE);
      case FLOWS -> flowsOf = flowsOf + 1 < stage.switches() ? flowsOf + 1 : -1;
      case BACK -> flowsOf = -1;
      default -> {
        flowsOf = -1;
        if (!ready) {
          screen.event("not yet: keys act when all hosts answer each other");
        } else if (!keys.offer(key)) {
          screen.event("busy: " + KEYS_WAITING + " keys wait already");
        }
      }
    }
  }

  // ---- the thread that draws

  private void draw() throws Exception {
    Picture before = stage.picture();
    for (int frame = 0; !stopped; frame++) {
      if (frame % FRAMES_TO_SIZE == 0) {
        terminal.lookAtSize();
      }
      Picture now = stage.picture();
      PictureChanges.ofNodes(before, now).forEach(screen::event);
      if (ready) {
        PictureChanges.ofNetwork(before, now).forEach(screen::event);
      }
      before = now;
      screen.flows(flows());
      screen.show(now);
      redraw.tryAcquire(FRAME_MILLIS, TimeUnit.MILLISECONDS);
      redraw.drainPermits();
    }
  }

  private @Nullable FlowList flows() throws InterruptedException, ExecutionException {
    int number = flowsOf;
    if (number < 0) {
      return null;
    }
    try {
      return stage.network().flows(number).get(FLOWS_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      return new FlowList("the switch does not answer for " + FLOWS_MILLIS + " ms", List.of());
    }
  }

  // ---- the thread that acts

  private void tell() throws Exception {
    screen.status("starting " + DemoSettings.NODES + " nodes, each a process of its own");
    stage.startNodes();
    screen.status("connecting " + stage.switches() + " switches to all nodes");
    stage.connectNetwork();
    screen.status("all hosts begin to ping each other");
    stage.ping();
    ready = true;
    tellUntilTheUserActs();
    screen.status("press a key, as often as you like");
    while (!stopped) {
      userActs();
    }
  }

  private void tellUntilTheUserActs() throws Exception {
    if (userActsFirst("the master of domain " + stage.plan().domains().get(0).name() + " dies")) {
      return;
    }
    int victim = stage.firstMaster();
    if (victim < 0) {
      throw new StoryBroken("a domain has no master" + stage.cluster().complaint());
    }
    screen.status("kill -9 " + stage.plan().nodeId(victim));
    actions.kill(victim);
    if (!userActsFirst(stage.plan().nodeId(victim) + " starts again")) {
      stage.restart(victim);
    }
  }

  /** Waits for the next scene; true where the user acts before it. */
  private boolean userActsFirst(String next) throws IOException, InterruptedException {
    long calm = TimeUnit.MILLISECONDS.toNanos(settings.calmMillis());
    long end = System.nanoTime() + calm;
    for (long left = calm; left > 0; left = end - System.nanoTime()) {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(left) + 1;
      screen.status("in " + seconds + " s " + next + "; with a key you take over");
      if (userActs()) {
        return true;
      }
    }
    return false;
  }

  private boolean userActs() throws IOException, InterruptedException {
    Key key = keys.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
    if (key != null) {
      actions.perform(key);
    }
    actions.tick();
    return key != null;
  }

  // ---- the end

  /** Restores the terminal, says what happened, and ends all that runs; once. */
  synchronized void end() {
    if (ended) {
      return;
    }
    ended = true;
    terminal.close();
    stopped = true;
    redraw.release();
    new DemoSummary(
            screen.elapsedMillis(), stage.picture().pings(), actions.takeovers(), actions.done())
        .lines()
        .forEach(out::println);
    out.flush();
    stage.close();
  }
}
