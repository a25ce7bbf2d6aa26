package io.lockstep.bench.placer;

import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.placer.PlacedSwitchLoad.Treated;
import io.lockstep.bench.placer.StudiedPolicy.SetResult;
import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.dataplane.wire.RealTime;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.placer.Rule;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.profile.SwitchProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The placer on the product's path: three node processes with their usual heap, emulated switches,
 * rules over HTTP, weights from the switches' counters, the reserve kept free. One family after the
 * other is on a switch of each model. Used by one thread; {@link #close} ends the processes.
 */
final class ProductStudy implements AutoCloseable {
  /** The policy that fills an empty switch at once, with the weights as they are. */
  static final String FILL = "fill";

  static final int MOST_MODELS = 16;

  private static final int ASK_MILLIS = 20_000;
  private static final long ASK_AGAIN_MILLIS = 100;

  /**
   * What is measured.
   *
   * @param models of switches, by the names of their profiles, 16 at most
   * @param rules at each switch
   * @param share entries of the TCAM for each rule, the reserve included
   * @param settleSeconds of traffic before the switch is looked at
   * @param packetsPerSecond of that traffic to each switch
   * @param readyMillis within which nodes master the switches, and have all rules in place
   */
  record Settings(
      List<String> models,
      int rules,
      double share,
      int settleSeconds,
      int packetsPerSecond,
      long readyMillis) {}

  private final Settings settings;
  private final List<RuleFamily> families;
  private final List<ScaledSwitch> models = new ArrayList<>();
  private final RunDirectory directory;
  private final NodeProcesses nodes;

  /** Starts the nodes. */
  ProductStudy(Settings settings, List<RuleFamily> families) throws IOException {
    this.settings = settings;
    this.families = families;
    for (String name : settings.models) {
      models.add(ScaledSwitch.of(name, (long) (settings.rules * settings.share)));
    }
    directory = RunDirectory.create("placer");
    StringBuilder extra = new StringBuilder("switches:\n");
    List<DomainPlan> domains = new ArrayList<>();
    for (int model = 0; model < models.size(); model++) {
      String file = "profile-" + models.get(model).name() + ".yaml";
      Files.writeString(directory.path().resolve(file), models.get(model).text());
      List<Long> dpids = new ArrayList<>();
      for (int family = 0; family < families.size(); family++) {
        dpids.add(dpid(family, model));
      }
      domains.add(new DomainPlan("d" + model, dpids, model % NodeProcesses.NODES));
      extra.append("  - {switches: [");
      extra.append(String.join(", ", dpids.stream().map(Long::toHexString).toList()));
      extra.append("], profile: ").append(file).append("}\n");
    }
    nodes = new NodeProcesses(directory.path(), domains, extra.toString());
  }

  private static long dpid(int family, int model) {
    return (long) MOST_MODELS * (family + 1) + model;
  }

  /** One emulated switch with what is requested of it. */
  private final class LoadedSwitch {
    final ScaledSwitch model;
    final long dpid;
    final String key;
    final AdminClient admin;
    final FlowPosts posts;
    final List<WeightedRule> wanted;
    final PlacedSwitchLoad load;
    SwitchProfile room;
    double placedMillis;
    Treated arrived = new Treated(0, 0, 0);
    long arrivedFlowMods;

    LoadedSwitch(int number, int family, EmulatedNetwork network, RealTime clock) {
      model = models.get(number);
      room = model.profile();
      dpid = dpid(family, number);
      key = String.format(Locale.ROOT, "%016x", dpid);
      String endpoint = nodes.plan().adminEndpoint(number % NodeProcesses.NODES);
      admin = new AdminClient(endpoint, ASK_MILLIS);
      posts = new FlowPosts(endpoint);
      wanted = wanted(families.get(family), model.profile());
      load =
          new PlacedSwitchLoad(
              network.switchNamed(name(dpid)), clock, model.profile(), wanted, dpid);
    }

    @Nullable PlacementReport report() {
      try {
        return admin.tables().get(key);
      } catch (IOException notNow) {
        return null;
      }
    }

    /** Nothing waits or is under way, but for rules that were refused. */
    boolean rests(int leastRules) {
      PlacementReport report = report();
      return report != null
          && report.rests()
          && report.rules() + report.refusedCount() >= leastRules;
    }

    Treated treated() throws BenchException, InterruptedException {
      return load.treated(posts.added("of:" + key));
    }

    /** What the node's own entries leave to rules. */
    void ownEntriesAreThere() {
      room = model.roomBeside(load.usedUnits());
    }
  }

  private static String name(long dpid) {
    return "s" + dpid;
  }

  private List<WeightedRule> wanted(RuleFamily family, SwitchProfile profile) {
    Random random = new Random(settings.rules);
    int required = profile.layers().get(PlacerRun.tcam(profile)).required();
    List<Rule> made = RuleFamily.requiring(required, family.rules(settings.rules, random, true));
    return PlacerStudy.reachable(profile, RuleFamily.weighted(made, true, random));
  }

  /**
   * The points of all families, each given away when it is known.
   *
   * @param notes of how the run goes, for people
   */
  void run(Consumer<PlacerPoint> points, Consumer<String> notes)
      throws IOException, BenchException, InterruptedException {
    for (int family = 0; family < families.size(); family++) {
      run(family, points, notes);
    }
  }

  private void run(int family, Consumer<PlacerPoint> points, Consumer<String> notes)
      throws IOException, BenchException, InterruptedException {
    RealTime clock = new RealTime();
    TopologyBuilder builder = new TopologyBuilder("placer");
    for (int model = 0; model < models.size(); model++) {
      long dpid = dpid(family, model);
      builder.addSwitch(name(dpid), dpid, "d" + model, models.get(model).emulated());
    }
    NetworkOptions options = NetworkOptions.ordinary(nodes.controllers()).withClock(clock);
    try (EmulatedNetwork network = new EmulatedNetwork(builder.build(), options)) {
      List<LoadedSwitch> loaded = new ArrayList<>();
      for (int model = 0; model < models.size(); model++) {
        loaded.add(new LoadedSwitch(model, family, network, clock));
      }
      network.start();
      place(loaded);
      SwitchTraffic traffic =
          new SwitchTraffic(
              loaded.stream().map(one -> one.load).toList(), settings.packetsPerSecond);
      traffic.run(settings.settleSeconds);
      notes.accept(
          String.format(
              Locale.ROOT,
              "%s: each switch got %.0f of %d packets/s",
              StudiedPolicy.label(families.get(family)),
              traffic.packetsPerSecond(),
              settings.packetsPerSecond));
      for (LoadedSwitch one : loaded) {
        points(families.get(family), one).forEach(points);
      }
    }
  }

  /** Has the rules placed before any of them has traffic. */
  private void place(List<LoadedSwitch> loaded) throws BenchException, InterruptedException {
    for (LoadedSwitch one : loaded) {
      await(one, "is mastered", 0);
      one.ownEntriesAreThere();
    }
    for (LoadedSwitch one : loaded) {
      // One after the other, so that no switch waits for the placing of another one.
      long begin = System.nanoTime();
      one.posts.add("of:" + one.key, one.wanted);
      await(one, "has its rules", one.wanted.size());
      one.placedMillis = (System.nanoTime() - begin) / 1e6;
      one.arrived = one.treated();
      one.arrivedFlowMods = one.load.flowMods();
    }
  }

  private void await(LoadedSwitch one, String what, int leastRules)
      throws BenchException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.readyMillis);
    while (!one.rests(leastRules)) {
      if (System.nanoTime() - deadline > 0) {
        throw new BenchException(
            String.format(
                Locale.ROOT,
                "not within %d ms: switch %s (%s) %s%s (logs: %s); it says %s",
                settings.readyMillis,
                one.key,
                one.model.name(),
                what,
                nodes.obituary(),
                directory.path(),
                one.report()));
      }
      Thread.sleep(ASK_AGAIN_MILLIS);
    }
  }

  private List<PlacerPoint> points(RuleFamily family, LoadedSwitch one)
      throws BenchException, InterruptedException {
    Treated now = one.treated();
    SetResult arrival =
        new SetResult(
            one.arrived.hardwareTrafficShare(),
            one.arrivedFlowMods,
            one.arrived.packets(),
            one.arrived.mismatches(),
            one.placedMillis);
    SetResult placed =
        new SetResult(
            now.hardwareTrafficShare(),
            one.load.flowMods(),
            now.packets(),
            now.mismatches(),
            1000.0 * settings.settleSeconds);
    return List.of(
        point(family, one, StudiedPolicy.ARRIVAL.label(), arrival),
        point(family, one, StudiedPolicy.PLACER.label(), placed),
        point(family, one, FILL, beside(StudiedPolicy.PLACER, one)),
        point(
            family,
            one,
            StudiedPolicy.RESIDUAL_GREEDY.label(),
            beside(StudiedPolicy.RESIDUAL_GREEDY, one)));
  }

  /** What a policy makes of the same rules and weights with the same room and reserve. */
  private static SetResult beside(StudiedPolicy policy, LoadedSwitch one) {
    return policy.run(one.room, one.wanted, 0, policy.packets(20_000), one.dpid);
  }

  private PlacerPoint point(RuleFamily family, LoadedSwitch one, String policy, SetResult result) {
    return new PlacerPoint(
        StudiedPolicy.label(family),
        one.model.name(),
        settings.rules,
        settings.share,
        "zipf",
        PlacerPoint.PRODUCT,
        policy,
        result.hardwareTrafficShare(),
        null,
        null,
        result.flowMods(),
        result.packets(),
        result.mismatches(),
        result.millis());
  }

  /** Removes the logs after {@link #close}; they are kept where it is not called. */
  void removeLogs() throws IOException {
    directory.remove();
  }

  @Override
  public void close() {
    nodes.close();
  }
}
