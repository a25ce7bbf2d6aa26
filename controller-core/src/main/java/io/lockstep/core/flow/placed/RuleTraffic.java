package io.lockstep.core.flow.placed;

import io.lockstep.core.southbound.FlowStats;
import io.lockstep.placer.Placer;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.TrafficWeights;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The counters of a placed switch's rules, and the weights that follow from them. Control loop. */
final class RuleTraffic {
  private static final long HALF_LIFE_MILLIS = 30_000;

  /**
   * The weight of pinned rules, in bytes per second: more than any switch forwards, and few enough
   * that a gain of a kilobyte is not lost beside them. Only the placer sees it; {@link
   * SwitchPlacement#pinned} says whether a rule is pinned.
   */
  private static final double PINNED_WEIGHT = 1e12;

  private final TrafficWeights weights = new TrafficWeights(HALF_LIFE_MILLIS);

  /** Packets in place of bytes, of the rules that others may displace. */
  private final TrafficWeights packets = new TrafficWeights(HALF_LIFE_MILLIS);

  private final Map<RuleKey, FlowStats> counters = new HashMap<>();

  private double total;

  /** Takes the counters of a read-back, and gives the placer the weights. */
  void observe(FlowTableSnapshot seen, SwitchPlacement placement, long nowMillis) {
    Placer placer = placement.placer();
    counters.clear();
    total = 0;
    seen.ours.forEach(
        (at, entry) -> {
          RuleKey key = at.key();
          if (placer.layerOf(key) == at.layer()) {
            counters.put(key, entry);
            double weight =
                weights.observe(key, at.layer(), entry.bytes(), entry.durationSeconds(), nowMillis);
            total += weight;
            LogicalRule rule = placement.requested(key);
            if (rule != null && rule.displaceable()) {
              packets.observe(key, at.layer(), entry.packets(), entry.durationSeconds(), nowMillis);
            }
            placer.weigh(key, rule == null ? weight : Math.max(weight, weightOf(rule)));
          }
        });
  }

  /** The weight of a rule for the placer: its traffic in bytes per second, unless it is pinned. */
  double weightOf(LogicalRule rule) {
    return rule.origin().pinned() ? PINNED_WEIGHT : weights.weight(rule.key());
  }

  /** The traffic of all rules in bytes per second, as the last read-back showed it. */
  double total() {
    return total;
  }

  /** The traffic of a rule in bytes per second, as the read-backs showed it. */
  double bytesPerSecond(RuleKey key) {
    return weights.weight(key);
  }

  /** The packets per second of a rule that others may displace; empty before readings tell. */
  OptionalDouble packetsPerSecond(RuleKey key) {
    return packets.isKnown(key) ? OptionalDouble.of(packets.weight(key)) : OptionalDouble.empty();
  }

  /** The last counters of a rule in the layer that serves it; null where it has none. */
  @Nullable FlowStats counters(RuleKey key) {
    return counters.get(key);
  }

  /** The switch has lost the rule. */
  void forget(RuleKey key) {
    weights.forget(key);
    packets.forget(key);
    counters.remove(key);
  }
}
