package io.lockstep.placer;

import java.util.HashMap;
import java.util.Map;

/**
 * Computes the traffic of rules from the byte counters of flow statistics, in bytes per second.
 * Older traffic counts less, by half for each half-life. A counter with a lower value than before
 * has been reset, as happens when a rule moves to another layer. Owned by one thread.
 */
public final class TrafficWeights {
  private final double halfLifeMillis;
  private final Map<RuleKey, CounterReading> seen = new HashMap<>();

  /** Holds the last reading of a rule's counter, and the rate computed from it. */
  private record CounterReading(long bytes, long atMillis, double bytesPerSecond) {}

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
   * Adds a reading of a rule's counter; the first reading is only the base of the next.
   *
   * @return the rule's weight after this reading
   */
  public double observe(RuleKey rule, long bytes, long nowMillis) {
    CounterReading last = seen.get(rule);
    double rate = 0;
    if (last != null) {
      long elapsed = nowMillis - last.atMillis;
      if (elapsed <= 0) {
        return last.bytesPerSecond;
      }
      long since = bytes >= last.bytes ? bytes - last.bytes : bytes;
      double kept = Math.pow(0.5, elapsed / halfLifeMillis);
      rate = kept * last.bytesPerSecond + (1 - kept) * since * 1000 / elapsed;
    }
    seen.put(rule, new CounterReading(bytes, nowMillis, rate));
    return rate;
  }

  /** The weight of a rule in bytes per second; 0 without a reading. */
  public double weight(RuleKey rule) {
    CounterReading last = seen.get(rule);
    return last == null ? 0 : last.bytesPerSecond;
  }

  /** Forgets a rule. */
  public void forget(RuleKey rule) {
    seen.remove(rule);
  }
}
