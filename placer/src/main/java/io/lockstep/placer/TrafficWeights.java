package io.lockstep.placer;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes the traffic of rules from the byte counters of flow statistics, in bytes per second.
 * Older traffic counts less, by half for each half-life, so that noise averages out. Where two
 * readings in a row differ a lot from that, and in the same direction, the traffic has changed:
 * then only these two count. A counter in another layer than before, or with a lower value, began
 * anew. Owned by one thread.
 */
public final class TrafficWeights {
  /** A rate that differs by more than this factor differs a lot. */
  private static final double CHANGED = 1.5;

  /** A younger entry says little: ages are whole seconds, and its traffic has only begun. */
  private static final long MIN_AGE_SECONDS = 3;

  /** An age in whole seconds is cut off, by half a second on average. */
  private static final double CUT_OFF_SECONDS = 0.5;

  private final double halfLifeMillis;
  private final Map<RuleKey, CounterReading> seen = new HashMap<>();

  /**
   * Holds the last reading of a rule's counter.
   *
   * @param bytesPerSecond the rate computed from all readings
   * @param known whether there was a rate, not only a base of the next reading
   * @param outlier the rate since the reading before, where it differed a lot; else negative
   */
  private record CounterReading(
      int layer, long bytes, long atMillis, double bytesPerSecond, boolean known, double outlier) {}

  /**
   * Begins without any reading.
   *
   * @param halfLifeMillis positive
   */
  public TrafficWeights(long halfLifeMillis) {
    if (halfLifeMillis <= 0) {
      throw new IllegalArgumentException("half-life of " + halfLifeMillis + " ms");
    }
    this.halfLifeMillis = halfLifeMillis;
  }

  /**
   * Adds a reading of a rule's counter. The first reading of an entry tells its traffic if the
   * entry is old enough, and new since the reading before; else it is only the base of the next
   * one.
   *
   * @param layer of the entry that counts
   * @param ageSeconds since the switch has the entry, in whole seconds
   * @return the rule's weight after this reading
   */
  public double observe(RuleKey rule, int layer, long bytes, long ageSeconds, long nowMillis) {
    CounterReading last = seen.get(rule);
    if (last != null && nowMillis <= last.atMillis) {
      return last.bytesPerSecond;
    }
    CounterReading next;
    if (last != null && last.layer == layer && bytes >= last.bytes) {
      double rate = (bytes - last.bytes) * 1000.0 / (nowMillis - last.atMillis);
      next = next(last, layer, bytes, nowMillis, rate);
    } else if (ageSeconds >= MIN_AGE_SECONDS
        && (last == null || isNew(ageSeconds, last, nowMillis))) {
      next = next(last, layer, bytes, nowMillis, bytes / (ageSeconds + CUT_OFF_SECONDS));
    } else if (last != null) {
      next =
          new CounterReading(
              layer, bytes, nowMillis, last.bytesPerSecond, last.known, last.outlier);
    } else {
      next = new CounterReading(layer, bytes, nowMillis, 0, false, -1);
    }
    seen.put(rule, next);
    return next.bytesPerSecond;
  }

  /** An older entry is a copy, which counted before and again now: how much is not known. */
  private static boolean isNew(long ageSeconds, CounterReading last, long nowMillis) {
    return ageSeconds * 1000 <= nowMillis - last.atMillis + 1000;
  }

  private CounterReading next(
      @Nullable CounterReading last, int layer, long bytes, long nowMillis, double rate) {
    if (last == null || !last.known) {
      return new CounterReading(layer, bytes, nowMillis, rate, true, -1);
    }
    double before = last.bytesPerSecond;
    boolean more = rate > CHANGED * before;
    boolean less = rate < before / CHANGED;
    boolean again = last.outlier >= 0 && (last.outlier > before ? more : less);
    if (again) {
      return new CounterReading(layer, bytes, nowMillis, (last.outlier + rate) / 2, true, -1);
    }
    double kept = Math.pow(0.5, (nowMillis - last.atMillis) / halfLifeMillis);
    return new CounterReading(
        layer, bytes, nowMillis, kept * before + (1 - kept) * rate, true, more || less ? rate : -1);
  }

  /** The weight of a rule in bytes per second; 0 without a reading. */
  public double weight(RuleKey rule) {
    CounterReading last = seen.get(rule);
    return last == null ? 0 : last.bytesPerSecond;
  }

  /** Whether readings tell the weight of a rule; else {@link #weight} gives 0 for it. */
  public boolean isKnown(RuleKey rule) {
    CounterReading last = seen.get(rule);
    return last != null && last.known;
  }

  /** Forgets a rule. */
  public void forget(RuleKey rule) {
    seen.remove(rule);
  }
}
