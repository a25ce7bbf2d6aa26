package io.lockstep.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.demo.DemoStage.StoryBroken;
import io.lockstep.demo.TablesNetwork.Work;
import io.lockstep.demo.screen.DemoScreen;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The story of two switches with bounded tables: both get the same routes, the lightest first, and
 * the same traffic, most of it for a few routes. The nodes read the switches' counters and move the
 * heavy routes into hardware. One thread tells it; {@link #close} may come from any, at any time.
 */
final class TablesDemo implements AutoCloseable {
  private static final int ROUTES = 60;
  private static final double EXPONENT = 1.2;
  private static final int PACKETS_PER_SECOND = 16_000;
  private static final int MOST_IN_TICK = 1_000;

  /** Short, since a switch's processor has places for some dozens of packets only. */
  private static final int TICK_MILLIS = 2;

  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The node did nothing, since it has no quorum for a moment. */
  private static final int UNAVAILABLE = 503;

  private static final long ADD_BOUND_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long MOVE_BOUND_NANOS = TimeUnit.SECONDS.toNanos(90);
  private static final long SHIFT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int ASK_MILLIS = 20_000;
  private static final int PRIORITY = 100;
  private static final String PROFILE = "small-switch.yaml";
  private static final List<String> NAMES = List.of("5130", "3500yl");

  private final TablesNetwork network;
  private final DemoScreen screen;
  private final DemoStage stage;
  private final Random random = new Random(1);

  /** Sums of the traffic of the heaviest routes, from 0 to 1. */
  private final double[] sums = new double[ROUTES];

  /** The route with the most traffic, which the others follow. */
  private int heaviest;

  private final Work[] before = new Work[NAMES.size()];
  private Shown large = Shown.NONE;
  private volatile Shown first = Shown.NONE;
  private volatile Shown last = Shown.NONE;
  private volatile double largeShare;
  private volatile int installed;
  private volatile long movedMillis = -1;

  /** Read by the story while another thread closes it. */
  private volatile boolean closed;

  /**
   * One second of a switch.
   *
   * @param share of its packets that hardware forwarded
   */
  private record Shown(double share, double mbit, double cpuPercent) {
    static final Shown NONE = new Shown(0, 0, 0);

    String text(String name) {
      return String.format(
          Locale.ROOT,
          "%s: %3.0f %% in hardware, %3.0f Mbit/s, CPU %2.0f %%",
          name,
          100 * share,
          mbit,
          cpuPercent);
    }
  }

  /** A demo in which nothing runs yet. */
  TablesDemo(DemoSettings settings, TablesNetwork network, DemoScreen screen) throws IOException {
    this.network = network;
    this.screen = screen;
    String section =
        settings.applicationSection()
            + "switches:\n  - {switches: [2], profile: "
            + PROFILE
            + "}\n";
    DemoSettings all = settings.with(settings.applications(), section);
    this.stage = new DemoStage(all, network, screen::event, () -> {});
    double sum = 0;
    for (int i = 0; i < ROUTES; i++) {
      sum += Math.pow(i + 1, -EXPONENT);
      sums[i] = sum;
    }
    for (int i = 0; i < ROUTES; i++) {
      sums[i] /= sum;
    }
  }

  /** Tells the story to its end. */
  void tell() throws IOException, StoryBroken {
    Files.writeString(stage.plan().directory().resolve(PROFILE), TablesNetwork.smallProfile());
    stage.startNodes();
    stage.connectNetwork();
    for (int route = ROUTES - 1; route >= 0; route--) {
      add(route, 1);
      add(route, 2);
    }
    stage.await("all routes are at both switches", this::areInstalled);
    screen.event(
        ROUTES
            + " routes are at both switches: the 5130 has room for all, the 3500yl for "
            + TablesNetwork.SMALL_UNITS);
    long begin = System.nanoTime();
    first = window();
    show(first);
    while (last.share < TablesResult.MOVED_SHARE) {
      if (System.nanoTime() - begin > MOVE_BOUND_NANOS) {
        throw new StoryBroken(
            "the heavy routes are not in hardware after "
                + TimeUnit.NANOSECONDS.toSeconds(MOVE_BOUND_NANOS)
                + " s"
                + stage.cluster().complaint());
      }
      last = window();
      show(last);
    }
    movedMillis = DemoStage.millisSince(begin);
    screen.event("the heavy routes are in hardware after " + movedMillis + " ms");
    last = window();
    show(last);
  }

  private void add(int route, int dpid) throws StoryBroken {
    String item = "flows/r" + route + "-" + dpid;
    int port = TablesNetwork.FIRST_OUT + route % TablesNetwork.OUTPUTS;
    Map<String, Object> fields =
        Map.of(
            "switch",
            Integer.toHexString(dpid),
            "priority",
            PRIORITY,
            "match",
            TablesNetwork.match(route),
            "actions",
            List.of("output:" + port));
    try {
      long begin = System.nanoTime();
      JsonAnswer answer = admin().changeResource(item, Map.entry("If-None-Match", "*"), fields);
      while (answer.status() == UNAVAILABLE && System.nanoTime() - begin < ADD_BOUND_NANOS) {
        DemoCluster.pause(TICK_MILLIS);
        answer = admin().changeResource(item, Map.entry("If-None-Match", "*"), fields);
      }
      if (answer.status() != 201) {
        throw new StoryBroken("adding " + item + ": " + answer.body());
      }
    } catch (IOException e) {
      throw new StoryBroken("adding " + item + ": " + e.getMessage(), e);
    }
  }

  private AdminClient admin() {
    return new AdminClient(stage.plan().adminEndpoint(0), ASK_MILLIS);
  }

  private boolean areInstalled() {
    int added = 0;
    try {
      for (int dpid = 1; dpid <= NAMES.size(); dpid++) {
        JsonAnswer answer = admin().resource("flows?limit=1000&switch=" + dpid);
        for (JsonNode flow : answer.body().path("items")) {
          added += flow.path("state").asText().equals("added") ? 1 : 0;
        }
      }
    } catch (IOException notNow) {
      return false;
    }
    installed = added;
    return added == NAMES.size() * ROUTES;
  }

  /** One second of traffic at both switches; what the small one made of it. */
  private Shown window() {
    long begin = System.nanoTime();
    long sent = 0;
    for (int i = 0; i < before.length; i++) {
      before[i] = network.send(i, new int[0]);
    }
    long now = begin;
    while (now - begin < WINDOW_NANOS) {
      DemoCluster.pause(TICK_MILLIS);
      now = System.nanoTime();
      long due = (now - begin) * PACKETS_PER_SECOND / TimeUnit.SECONDS.toNanos(1);
      int[] routes = new int[(int) Math.min(MOST_IN_TICK, due - sent)];
      Arrays.setAll(routes, i -> (heaviest + drawn()) % ROUTES);
      sent = due;
      network.send(TablesNetwork.LARGE, routes);
      network.send(TablesNetwork.SMALL, routes);
    }
    large = shown(TablesNetwork.LARGE);
    largeShare = large.share;
    return shown(TablesNetwork.SMALL);
  }

  private int drawn() {
    int found = Arrays.binarySearch(sums, random.nextDouble());
    return Math.min(ROUTES - 1, found < 0 ? -found - 1 : found);
  }

  private Shown shown(int number) {
    Work from = before[number];
    Work to = network.send(number, new int[0]);
    double packets = Math.max(1, to.packets() - from.packets());
    double micros = (to.atNanos() - from.atNanos()) / 1e3;
    return new Shown(
        1 - (to.inSoftware() - from.inSoftware()) / packets,
        8 * (to.octets() - from.octets()) / micros,
        network.idleCpuPercent(number) + 100 * (to.cpuMicros() - from.cpuMicros()) / micros);
  }

  private void show(Shown small) {
    screen.event(small.text("3500yl") + "   " + large.text("5130"));
  }

  /** What became of it. */
  TablesResult result() {
    return TablesResult.judged(
        new TablesResult(
            DemoSettings.NODES,
            NAMES.size(),
            ROUTES,
            installed,
            first.share,
            last.share,
            first.mbit,
            last.mbit,
            first.cpuPercent,
            last.cpuPercent,
            largeShare,
            movedMillis,
            false));
  }

  /** Goes on, with other heavy routes each minute, until the process ends. */
  void runOn() {
    screen.event("everything runs on; Ctrl-C ends it");
    long shifted = System.nanoTime();
    while (!closed && !Thread.currentThread().isInterrupted()) {
      if (System.nanoTime() - shifted > SHIFT_NANOS) {
        shifted = System.nanoTime();
        heaviest = (heaviest + ROUTES / 2) % ROUTES;
        screen.event("other routes are the heavy ones now");
      }
      try {
        show(window());
      } catch (RejectedExecutionException ended) {
        if (!closed) {
          throw ended;
        }
      }
    }
  }

  /** Keeps the logs for whoever wants to know what went wrong. */
  void keepLogs() {
    stage.keepLogs();
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    stage.close();
  }
}
