package io.lockstep.bench.placer;

import io.lockstep.bench.placer.PlacedSwitchLoad.Treated;
import io.lockstep.bench.placer.StudiedPolicy.SetResult;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.profile.SwitchProfile;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One emulated switch with what is requested of it, and the node that masters it. Used by one
 * thread.
 */
final class LoadedSwitch {
  private static final int ASK_MILLIS = 20_000;
  private static final long PACKETS_OF_REFERENCES = 20_000;

  /**
   * A look at the switch.
   *
   * @param treated where the traffic is
   * @param flowMods that it got so far
   */
  record Reading(Treated treated, long flowMods) {}

  private final ScaledSwitch model;
  private final long dpid;
  private final String key;
  private final AdminClient admin;
  private final FlowPosts posts;
  private final PlacedSwitchLoad load;
  private List<WeightedRule> wanted;
  private SwitchProfile room;

  /**
   * A switch that has no rules yet.
   *
   * @param endpoint host and port of its node's admin HTTP
   * @param wanted rules with their traffic
   */
  LoadedSwitch(
      ScaledSwitch model,
      long dpid,
      String endpoint,
      List<WeightedRule> wanted,
      PlacedSwitchLoad load) {
    this.model = model;
    this.dpid = dpid;
    this.load = load;
    this.wanted = wanted;
    key = String.format(Locale.ROOT, "%016x", dpid);
    admin = new AdminClient(endpoint, ASK_MILLIS);
    posts = new FlowPosts(endpoint);
    room = model.profile();
  }

  /** The model of switch and the datapath id, for people. */
  @Override
  public String toString() {
    return key + " (" + model.name() + ")";
  }

  String profile() {
    return model.name();
  }

  PlacedSwitchLoad load() {
    return load;
  }

  /** The rules with the traffic that they have now. */
  List<WeightedRule> wanted() {
    return wanted;
  }

  /** Gives the same rules other traffic from now on. */
  void weigh(List<WeightedRule> weighted) {
    wanted = weighted;
    load.weigh(weighted);
  }

  /** What the node says of the switch's tables; null while it does not answer. */
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
    return report != null && report.rests() && report.rules() + report.refusedCount() >= leastRules;
  }

  /** Takes what the node's own entries need off the room for rules. */
  void ownEntriesAreThere() {
    room = model.roomBeside(load.usedUnits());
  }

  /** Requests the rules. */
  void request() throws BenchException, InterruptedException {
    posts.add("of:" + key, wanted);
  }

  Reading reading() throws BenchException, InterruptedException {
    return new Reading(load.treated(posts.added("of:" + key)), load.flowMods());
  }

  /** What a policy makes of such traffic with the same room and reserve. */
  SetResult beside(StudiedPolicy policy, List<WeightedRule> weighted) {
    return policy.run(room, weighted, 0, policy.packets(PACKETS_OF_REFERENCES), dpid);
  }
}
