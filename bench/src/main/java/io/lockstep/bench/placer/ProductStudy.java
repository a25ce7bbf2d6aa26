package io.lockstep.bench.placer;

import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.placer.LoadedSwitch.Reading;
import io.lockstep.bench.placer.StudiedPolicy.SetResult;
import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.dataplane.wire.RealTime;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
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

/**
 * The placer on the product's path: three node processes with their usual heap, emulated switches,
 * rules over HTTP, weights from the switches' counters, the reserve kept free. One family after the
 * other is on a switch of each model. Used by one thread; {@link #close} ends the processes.
 */
final class ProductStudy implements AutoCloseable {
  /** The policy that fills an empty switch at once, with the weights as they are. */
  static final String FILL = "fill";

  static final int MOST_MODELS = 16;

  private static final long ASK_AGAIN_MILLIS = 100;

  /**
   * What is measured.
   *
   * @param models of switches, by the names of their profiles, 16 at most
   * @param rules at each switch
   * @param share entries of the TCAM for each rule, the reserve included
   * @param settleSeconds of traffic before the switch is looked at
   * @param packetsPerSecond of that traffic to each switch
   * @param phases that follow
   * @param readyMillis within which nodes master the switches, and have all rules in place
   */
  record Settings(
      List<String> models,
      int rules,
      double share,
      int settleSeconds,
      int packetsPerSecond,
      TrafficPhases.Settings phases,
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

  /** Where results go as soon as they are known. */
  interface Results {
    void point(PlacerPoint point);

    void phase(PhasePoint phase);

    /** How the run goes, for people. */
    void note(String text);
  }

  /** How a switch was when it had its rules, before any traffic. */
  private record Arrival(Reading reading, double millis) {}

  private static String name(long dpid) {
    return "s" + dpid;
  }

  private List<WeightedRule> wanted(RuleFamily family, SwitchProfile profile) {
    Random random = new Random(settings.rules);
    int required = profile.layers().get(PlacerRun.tcam(profile)).required();
    List<Rule> made = RuleFamily.requiring(required, family.rules(settings.rules, random, true));
    return PlacerStudy.reachable(profile, RuleFamily.weighted(made, true, random));
  }

  /** Measures all families, one after the other. */
  void run(Results results) throws IOException, BenchException, InterruptedException {
    for (int family = 0; family < families.size(); family++) {
      run(family, results);
    }
  }

  private void run(int family, Results results)
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
        loaded.add(loaded(model, family, network, clock));
      }
      network.start();
      List<Arrival> arrivals = place(loaded);
      measure(families.get(family), loaded, arrivals, results);
    }
  }

  private LoadedSwitch loaded(int number, int family, EmulatedNetwork network, RealTime clock) {
    ScaledSwitch model = models.get(number);
    long dpid = dpid(family, number);
    List<WeightedRule> wanted = wanted(families.get(family), model.profile());
    return new LoadedSwitch(
        model,
        dpid,
        nodes.plan().adminEndpoint(number % NodeProcesses.NODES),
        wanted,
        new PlacedSwitchLoad(
            network.switchNamed(name(dpid)), clock, model.profile(), wanted, dpid));
  }

  /** Has the rules placed before any of them has traffic. */
  private List<Arrival> place(List<LoadedSwitch> loaded)
      throws BenchException, InterruptedException {
    for (LoadedSwitch one : loaded) {
      await(one, "is mastered", 0);
      one.ownEntriesAreThere();
    }
    List<Arrival> arrivals = new ArrayList<>();
    for (LoadedSwitch one : loaded) {
      // One after the other, so that no switch waits for the placing of another one.
      long begin = System.nanoTime();
      one.request();
      await(one, "has its rules", one.wanted().size());
      double millis = (System.nanoTime() - begin) / 1e6;
      arrivals.add(new Arrival(one.reading(), millis));
    }
    return arrivals;
  }

  private void await(LoadedSwitch one, String what, int leastRules)
      throws BenchException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.readyMillis);
    while (!one.rests(leastRules)) {
      if (System.nanoTime() - deadline > 0) {
        throw new BenchException(
            String.format(
                Locale.ROOT,
                "not within %d ms: switch %s %s%s (logs: %s); it says %s",
                settings.readyMillis,
                one,
                what,
                nodes.obituary(),
                directory.path(),
                one.report()));
      }
      Thread.sleep(ASK_AGAIN_MILLIS);
    }
  }

  /** References take long: they follow when all traffic has ended, so that it has no pause. */
  private void measure(
      RuleFamily family, List<LoadedSwitch> loaded, List<Arrival> arrivals, Results results)
      throws BenchException, InterruptedException {
    List<List<WeightedRule>> weighted = loaded.stream().map(LoadedSwitch::wanted).toList();
    SwitchTraffic traffic =
        new SwitchTraffic(
            loaded.stream().map(LoadedSwitch::load).toList(), settings.packetsPerSecond);
    traffic.run(settings.settleSeconds);
    List<Reading> settled = new ArrayList<>();
    for (LoadedSwitch one : loaded) {
      settled.add(one.reading());
    }
    List<TrafficPhases.Outcome> outcomes =
        TrafficPhases.run(settings.phases, loaded, settled, traffic);
    String label = StudiedPolicy.label(family);
    results.note(
        String.format(
            Locale.ROOT,
            "%s: each switch got %.0f of %d packets/s, in %.1f us each",
            label,
            traffic.packetsPerSecond(),
            settings.packetsPerSecond,
            traffic.microsPerPacket()));
    for (int i = 0; i < loaded.size(); i++) {
      LoadedSwitch one = loaded.get(i);
      List<WeightedRule> rules = weighted.get(i);
      Arrival arrival = arrivals.get(i);
      results.point(
          point(family, one, StudiedPolicy.ARRIVAL, result(arrival.reading, arrival.millis)));
      results.point(
          point(
              family,
              one,
              StudiedPolicy.PLACER,
              result(settled.get(i), 1000.0 * settings.settleSeconds)));
      results.point(point(family, one, FILL, one.beside(StudiedPolicy.PLACER, rules)));
      results.point(
          point(
              family,
              one,
              StudiedPolicy.RESIDUAL_GREEDY,
              one.beside(StudiedPolicy.RESIDUAL_GREEDY, rules)));
    }
    for (TrafficPhases.Outcome outcome : outcomes) {
      results.phase(outcome.point(label, settings.rules, settings.share));
    }
  }

  private static SetResult result(Reading reading, double millis) {
    return new SetResult(
        reading.treated().hardwareTrafficShare(),
        reading.flowMods(),
        reading.treated().packets(),
        reading.treated().mismatches(),
        millis);
  }

  private PlacerPoint point(
      RuleFamily family, LoadedSwitch one, StudiedPolicy policy, SetResult result) {
    return point(family, one, policy.label(), result);
  }

  private PlacerPoint point(RuleFamily family, LoadedSwitch one, String policy, SetResult result) {
    return new PlacerPoint(
        StudiedPolicy.label(family),
        one.profile(),
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
