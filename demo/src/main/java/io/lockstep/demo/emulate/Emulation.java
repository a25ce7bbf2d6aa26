package io.lockstep.demo.emulate;

import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.deploy.process.ExitCode;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the network and looks at it until its time is over or somebody ends it. {@link #run} blocks
 * its thread; {@link #end} may be called by any.
 */
final class Emulation {
  /** Between two looks: how exactly times of masters are known. */
  private static final int LOOK_MILLIS = 20;

  /** From when all switches are served until pings begin: the nodes find the links meanwhile. */
  private static final int BEFORE_PINGS_MILLIS = 5_000;

  /** Between two states that are shown live; rates are over as long. */
  private static final int SHOW_MILLIS = 1_000;

  /** A live line is cut at the end of the terminal's line, and leaves nothing behind. */
  private static final String LINE_BEGIN = "\r\033[?7l";

  private static final String LINE_END = "\033[K\033[?7h";

  private static final int END_SECONDS = 10;

  /**
   * How to run.
   *
   * @param pingsPerSecond 0 for none
   * @param seconds after which it ends; 0 for never
   * @param deadlineSeconds in which all switches must be connected to all controllers; 0 for no
   *     deadline
   */
  record Settings(int pingsPerSecond, int seconds, int deadlineSeconds) {}

  private final Topology topology;
  private final List<InetSocketAddress> controllers;
  private final Settings settings;
  private final PrintStream err;
  private final boolean live;
  private final CountDownLatch ending = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private long beganNanos;
  private boolean shownLive;
  private @Nullable Long connectedMillis;
  private @Nullable Long masteredMillis;
  private @Nullable Long pingsMillis;

  /**
   * @param err gets the progress
   * @param live whether it is a terminal
   */
  Emulation(
      Topology topology,
      List<InetSocketAddress> controllers,
      Settings settings,
      PrintStream err,
      boolean live) {
    this.topology = topology;
    this.controllers = List.copyOf(controllers);
    this.settings = settings;
    this.err = err;
    this.live = live;
  }

  /**
   * Runs, and writes the summary.
   *
   * @return the exit code
   */
  int run(PrintStream out) throws InterruptedException {
    try (EmulatedNetwork network =
        new EmulatedNetwork(topology, NetworkOptions.ordinary(controllers))) {
      err.println(Summary.describe(topology));
      beganNanos = System.nanoTime();
      network.start();
      RandomPings pings =
          settings.pingsPerSecond() == 0
              ? null
              : new RandomPings(List.copyOf(network.hosts()), settings.pingsPerSecond());
      NetworkView view = new NetworkView(network, controllers, pings);
      boolean inTime = watch(view, pings);
      Progress last = view.lookWithTraffic(look(view).millis());
      Summary summary =
          new Summary(topology, last, network.stats(), connectedMillis, masteredMillis);
      summary.lines().forEach(out::println);
      out.flush();
      return inTime ? ExitCode.DONE : ExitCode.FAILED;
    } finally {
      ended.countDown();
    }
  }

  /** Ends it, and waits until the summary is written, for a few seconds at most. */
  void end() {
    ending.countDown();
    try {
      if (!ended.await(END_SECONDS, TimeUnit.SECONDS)) {
        err.println("lockstep emulate: it does not end, and is ended");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Gives whether the deadline was kept. */
  private boolean watch(NetworkView view, @Nullable RandomPings pings) throws InterruptedException {
    ProgressLog log = new ProgressLog(live);
    Progress shown = look(view);
    while (!ending.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      Progress now = look(view);
      note(now);
      List<String> lines = log.see(now);
      if (!lines.isEmpty()) {
        say(lines);
      }
      if (live && now.millis() - shown.millis() >= SHOW_MILLIS) {
        err.print(LINE_BEGIN + seconds(now) + " s: " + ProgressLog.state(now, shown) + LINE_END);
        err.flush();
        shownLive = true;
        shown = now;
      }
      if (pings != null && pingsHaveBegun(now)) {
        pings.sendDue(System.nanoTime());
      }
      if (connectedMillis == null && over(now, settings.deadlineSeconds())) {
        say(
            List.of(
                "lockstep emulate: --deadline "
                    + settings.deadlineSeconds()
                    + ": not all switches are connected: "
                    + ProgressLog.state(now, null)));
        return false;
      }
      if (over(now, settings.seconds())) {
        break;
      }
    }
    say(List.of());
    return settings.deadlineSeconds() == 0 || connectedMillis != null;
  }

  private Progress look(NetworkView view) {
    return view.look(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos));
  }

  private void note(Progress now) {
    if (connectedMillis == null && now.allConnected()) {
      connectedMillis = now.millis();
    }
    if (masteredMillis == null && now.allConnected() && now.mastered() != null) {
      masteredMillis = now.allMastered() ? (Long) now.millis() : null;
    }
    boolean served =
        now.allMastered()
            && now.controllers().stream().anyMatch(each -> each.switches() == now.switches());
    if (pingsMillis == null && served) {
      pingsMillis = now.millis() + BEFORE_PINGS_MILLIS;
    }
  }

  private boolean pingsHaveBegun(Progress now) {
    return pingsMillis != null && now.millis() >= pingsMillis;
  }

  private static boolean over(Progress now, int seconds) {
    return seconds > 0 && now.millis() >= TimeUnit.SECONDS.toMillis(seconds);
  }

  private static String seconds(Progress now) {
    return ProgressLog.seconds(now.millis());
  }

  /** Writes lines in place of the live line, which comes again after them. */
  private void say(List<String> lines) {
    if (live && shownLive) {
      shownLive = false;
      err.print("\r\033[K");
    }
    lines.forEach(err::println);
    err.flush();
  }
}
