package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.placed.LogicalRule.Origin;
import io.lockstep.placer.Change;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Refusal;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.WeightedRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides where traffic lets an entry of an application take the place of others, at a switch that
 * has no room (ADR 0052). The packets of an entry that the switch does not have come to the node,
 * which counts them; those of the others are known by read-backs. Entries that one decision
 * installed leave together. Control loop only.
 */
final class TrafficAdmission {
  /** An entry needs so many times the packets of those whose place it takes. */
  static final double FACTOR = 2;

  /** So many packets of an entry must have come, so that one packet never displaces anything. */
  static final double LEAST_PACKETS = 8;

  /** Displacements of one switch in a second, and at once after silence. */
  static final int PER_SECOND = 4;

  static final int BURST = 8;

  /** Rules that leave for one entry, or for those of one decision. */
  static final int MAX_LEAVING = 8;

  /** Rules, or those of one decision, that are tried in one look. */
  private static final int MAX_TRIED = 16;

  /** Packets a second of an entry that is shown as missing: one packet in the last 7 s. */
  private static final double LEAST_SHOWN = 0.05;

  /** Displacements that are remembered for operators. */
  private static final int MAX_REMEMBERED = 128;

  private final SwitchPlacement placement;
  private final RuleTraffic traffic;
  private final PacketInRates packetIns;
  private final LongSupplier clock;

  /** The entries that came with an entry in one decision, itself included; more than one. */
  private final Map<RuleKey, List<RuleKey>> together = new HashMap<>();

  /** What could be displaced as of the last reading, the lightest first; null before a look. */
  private @Nullable List<LightRules> lightest;

  /** Entries for which displacement made no room, as of the last reading. */
  private final Set<RuleKey> hopeless = new HashSet<>();

  private final Map<RuleKey, String> remembered = new LinkedHashMap<>();
  private double tokens = BURST;
  private long tokensMillis;
  private long displaced;

  /** Rules that leave together, with their packets per second. */
  private record LightRules(List<RuleKey> rules, double packetsPerSecond) {}

  TrafficAdmission(SwitchPlacement placement, RuleTraffic traffic, SwitchEnvironment environment) {
    this.placement = placement;
    this.traffic = traffic;
    this.clock = environment.wallMillis();
    this.packetIns = new PacketInRates(environment.packetIns());
  }

  /** An application requests these rules together, since a packet came that they would serve. */
  void requested(List<LogicalRule> decision, long nowMillis) {
    List<RuleKey> entries =
        decision.stream().filter(rule -> !rule.onlyPunts()).map(LogicalRule::key).toList();
    for (LogicalRule rule : decision) {
      if (rule.origin() == Origin.SOFT) {
        boolean has = placement.ledger().row(rule.key()) != null;
        if (has) {
          packetIns.forget(rule.key());
        } else {
          packetIns.count(rule.key(), nowMillis);
        }
      }
    }
    if (entries.size() > 1) {
      entries.forEach(key -> together.put(key, entries));
    }
  }

  /** No one requests a rule any more. */
  void withdrawn(RuleKey key) {
    together.remove(key);
  }

  /** A reading gave rules other weights. */
  void weighed() {
    lightest = null;
    hopeless.clear();
  }

  /** The node does not master the switch any more. */
  void close() {
    packetIns.clear();
  }

  /**
   * The rules that leave so that the switch gets others, each with the reason for whoever requests
   * it; empty where traffic does not say so.
   *
   * @param wanted rules that the switch is to get together
   * @param refusal why it cannot
   */
  Map<RuleKey, Refusal> displacedBy(List<WeightedRule> wanted, Refusal refusal, long nowMillis) {
    if (refusal.reason() != Refusal.Reason.NO_ROOM || !areOfApplications(wanted)) {
      return Map.of();
    }
    RuleKey first = wanted.get(0).rule().key();
    double packets = 0;
    for (WeightedRule one : wanted) {
      // One packet counts for each of them, so the sum would count it twice.
      packets = Math.max(packets, packetIns.packets(one.rule().key(), nowMillis));
    }
    if (packets < LEAST_PACKETS || hopeless.contains(first)) {
      return Map.of();
    }
    double most = PacketInRates.perSecond(packets) / FACTOR;
    List<RuleKey> leaving = leaving(wanted, most, nowMillis);
    if (leaving.isEmpty()) {
      return Map.of();
    }
    displaced += leaving.size();
    String by =
        String.format(
            Locale.ROOT,
            "displaced by %s, of which at least %.1f packets a second come",
            first,
            PacketInRates.perSecond(packets));
    Map<RuleKey, Refusal> reasons = new LinkedHashMap<>();
    for (RuleKey key : leaving) {
      Refusal why = because(by, key, refusal);
      remember(key, why.detail());
      packetIns.forget(key);
      traffic.forget(key);
      reasons.put(key, why);
    }
    return reasons;
  }

  private boolean areOfApplications(List<WeightedRule> wanted) {
    for (WeightedRule one : wanted) {
      LogicalRule rule = placement.requested(one.rule().key());
      if (rule == null || rule.origin() != Origin.SOFT) {
        return false;
      }
    }
    return !wanted.isEmpty();
  }

  private Refusal because(String by, RuleKey key, Refusal lack) {
    return new Refusal(
        Refusal.Reason.DISPLACED,
        lack.switchName(),
        lack.layer(),
        lack.table(),
        key,
        lack.capacity(),
        lack.used(),
        String.format(
            Locale.ROOT, "%s; its own were %.1f", by, traffic.packetsPerSecond(key).orElse(0)));
  }

  private void remember(RuleKey key, String why) {
    remembered.remove(key);
    remembered.put(key, why);
    if (remembered.size() > MAX_REMEMBERED) {
      remembered.remove(remembered.keySet().iterator().next());
    }
  }

  /**
   * Rules whose leaving makes room: one of the lightest where that does, else the lightest
   * together. Empty where they have more traffic than {@code most}, and where there have been too
   * many looks.
   */
  private List<RuleKey> leaving(List<WeightedRule> wanted, double most, long nowMillis) {
    List<RuleKey> leaving = new ArrayList<>();
    double sum = 0;
    int tried = 0;
    for (LightRules one : lightest()) {
      if (one.packetsPerSecond() > most || tried == MAX_TRIED) {
        break;
      }
      if (!mayLeave(one, leaving)) {
        continue;
      }
      if (tried == 0 && !takeToken(nowMillis)) {
        return List.of(); // its next packet looks again
      }
      tried++;
      if (makeRoom(one.rules(), wanted)) {
        return one.rules();
      }
      sum += one.packetsPerSecond();
      if (sum <= most && leaving.size() + one.rules().size() <= MAX_LEAVING) {
        leaving.addAll(one.rules());
        if (leaving.size() > one.rules().size() && makeRoom(leaving, wanted)) {
          return withoutNeedless(leaving, one.rules(), wanted);
        }
      }
    }
    if (tried > 0 && hopeless.size() < MAX_REMEMBERED) {
      hopeless.add(wanted.get(0).rule().key());
    }
    return List.of();
  }

  private boolean makeRoom(List<RuleKey> leaving, List<WeightedRule> wanted) {
    return placement.placer().whyNotAll(leaving, wanted, SwitchPlacement.MAX_FLOW_MODS) == null;
  }

  /** Whether rules are still where the last reading saw them, and can leave. */
  private boolean mayLeave(LightRules one, List<RuleKey> leaving) {
    for (RuleKey key : one.rules()) {
      LogicalRule rule = placement.requested(key);
      if (rule == null
          || !rule.displaceable()
          || leaving.contains(key)
          || !isInBoundedLayer(key)
          || !(placement.placer().plan(new Change.Remove(key)) instanceof Plan)) {
        return false;
      }
    }
    return true;
  }

  /** Rules taken before the last ones may not have helped: those stay. */
  private List<RuleKey> withoutNeedless(
      List<RuleKey> leaving, List<RuleKey> last, List<WeightedRule> wanted) {
    List<RuleKey> needed = new ArrayList<>(leaving);
    for (RuleKey key : leaving) {
      if (last.contains(key) || together.containsKey(key)) {
        continue;
      }
      needed.remove(key);
      if (!makeRoom(needed, wanted)) {
        needed.add(key);
      }
    }
    return needed;
  }

  private boolean isInBoundedLayer(RuleKey key) {
    int layer = placement.placer().live(key) ? placement.placer().layerOf(key) : -1;
    var layers = placement.pipeline().profile().layers();
    return layer >= 0 && layer < layers.size() && layers.get(layer).capacity().bounded();
  }

  private boolean takeToken(long nowMillis) {
    long passed = Math.max(0, nowMillis - tokensMillis);
    tokens = Math.min(BURST, tokens + passed * PER_SECOND / 1000.0);
    tokensMillis = nowMillis;
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }

  private List<LightRules> lightest() {
    List<LightRules> known = lightest;
    if (known == null) {
      known = new ArrayList<>();
      Set<RuleKey> taken = new HashSet<>();
      for (LogicalRule rule : placement.allRequested().values()) {
        List<RuleKey> rules = together.getOrDefault(rule.key(), List.of(rule.key()));
        if (rule.displaceable() && !taken.contains(rule.key()) && add(rules, known)) {
          taken.addAll(rules);
        }
      }
      known.sort(Comparator.comparingDouble(LightRules::packetsPerSecond));
      lightest = known;
    }
    return known;
  }

  /** Adds those rules that the switch has, if the traffic of each is known. */
  private boolean add(List<RuleKey> rules, List<LightRules> to) {
    List<RuleKey> present =
        rules.stream().filter(key -> placement.ledger().row(key) != null).toList();
    double sum = 0;
    for (RuleKey key : present) {
      OptionalDouble packets = traffic.packetsPerSecond(key);
      if (packets.isEmpty()) {
        return false;
      }
      sum += packets.getAsDouble();
    }
    return !present.isEmpty() && to.add(new LightRules(present, sum));
  }

  // ---- for operators ----

  /** Rules that were displaced so far. */
  long displaced() {
    return displaced;
  }

  /** Why a rule is not in the switch any more; null where no other one displaced it lately. */
  @Nullable String whyDisplaced(RuleKey key) {
    return remembered.get(key);
  }

  /** Entries that the switch does not have, as far as packets of them came; heaviest first. */
  List<PacketInRates.RatedEntry> missing() {
    return packetIns.heaviest(clock.getAsLong()).stream()
        .filter(one -> one.packetsPerSecond() >= LEAST_SHOWN)
        .filter(one -> placement.ledger().row(one.key()) == null)
        .toList();
  }
}
