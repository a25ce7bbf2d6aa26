package io.lockstep.core.flow;

import io.lockstep.core.flow.entry.HeaderSpace.Inexpressible;
import io.lockstep.core.flow.entry.PacketFields;
import io.lockstep.placer.space.TernaryMatch;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficTreatment;

/**
 * The intended rules of one mastered switch that the switch does not have, for the node to apply
 * them to packets that matched no entry there (ADR 0052). Such a packet matches none of the rules
 * that the switch has. So of all rules that are intended, the highest one here that matches it is
 * the one that it should meet.
 *
 * <p>The control loop writes, any thread reads. A packet is compared with the {@link #MAX_RULES} of
 * highest priority; what none of these matches is left to others. Holds no more rules than are
 * intended for the switch.
 */
public final class RulesInNode {
  /** Rules that a packet is compared with at most, since each may cost the event loop time. */
  static final int MAX_RULES = 256;

  private final int packetsPerSecond;
  private final Map<IntentKey, MissingRule> missing = new HashMap<>();

  /** The same rules, the highest first, and of one priority those that came first. */
  private final NavigableSet<MissingRule> ordered =
      new TreeSet<>(
          Comparator.comparingInt(MissingRule::priority)
              .reversed()
              .thenComparingLong(MissingRule::sequence));

  private long sequence;
  private volatile List<MissingRule> byPriority = List.of();

  /** A rule; no two have the same sequence number. */
  private record MissingRule(
      int priority, long sequence, TernaryMatch match, TrafficTreatment treatment) {
    boolean says(MissingRule other) {
      return priority == other.priority
          && match.equals(other.match)
          && treatment.equals(other.treatment);
    }
  }

  /**
   * No rule is missing.
   *
   * @param packetsPerSecond that the node serves at this switch
   */
  RulesInNode(int packetsPerSecond) {
    this.packetsPerSecond = packetsPerSecond;
  }

  /** How many packets a second the node serves at this switch. */
  public int packetsPerSecond() {
    return packetsPerSecond;
  }

  /**
   * What became of the present intention for a rule.
   *
   * @param missed whether the switch does not have it
   */
  void decided(IntentKey id, FlowRule rule, boolean missed) {
    MissingRule now = missed ? missing(rule, sequence++) : null;
    MissingRule before = missing.get(id);
    if (now == null || before == null || !now.says(before)) {
      replace(id, now);
    }
  }

  /** The intention for a rule changed or ended: nothing is decided of it. */
  void changed(IntentKey id) {
    replace(id, null);
  }

  private void replace(IntentKey id, @Nullable MissingRule now) {
    MissingRule before = now == null ? missing.remove(id) : missing.put(id, now);
    boolean shown = before != null && ordered.remove(before) && isShown(before);
    if (now != null) {
      ordered.add(now);
      shown |= isShown(now);
    }
    if (shown) {
      byPriority = ordered.stream().limit(MAX_RULES).toList();
    }
  }

  /** Whether a rule is, or would be, among those that packets are compared with. */
  private boolean isShown(MissingRule rule) {
    List<MissingRule> shown = byPriority;
    return shown.size() < MAX_RULES
        || Objects.requireNonNull(ordered.comparator()).compare(rule, shown.get(MAX_RULES - 1))
            <= 0;
  }

  private static @Nullable MissingRule missing(FlowRule rule, long sequence) {
    try {
      TernaryMatch match = PlaceableIntents.logical(new Intent(rule, false)).key().match();
      return new MissingRule(rule.priority(), sequence, match, rule.treatment());
    } catch (Inexpressible e) {
      return null; // The reason is in the rule's state.
    }
  }

  /** Whether the switch has all rules, as far as is known. */
  public boolean isEmpty() {
    return byPriority.isEmpty();
  }

  /**
   * What is to be done with a packet that matched no entry; null where no rule here matches it, and
   * where it cannot be read to the end.
   */
  public @Nullable TrafficTreatment treatment(long inPort, byte[] frame) {
    List<MissingRule> rules = byPriority;
    TernaryMatch packet = rules.isEmpty() ? null : PacketFields.of(inPort, frame);
    if (packet != null) {
      for (MissingRule rule : rules) {
        if (rule.match().covers(packet)) {
          return rule.treatment();
        }
      }
    }
    return null;
  }
}
