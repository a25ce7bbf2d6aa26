package io.lockstep.core.packet;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many decisions of each application the node carried out since its start, on packets and on
 * events. To pass is no decision, and one that broke the application's contract counts as a failure
 * instead ({@link ApplicationFailures}). The names are fixed; beyond {@link #MAX_NAMES}, further
 * ones share an entry. Thread-safe.
 */
public final class ApplicationDecisions {
  static final int MAX_NAMES = ApplicationFailures.MAX_NAMES;

  /** Never changes; the counters do. */
  private final Map<String, LongAdder> byName = new HashMap<>();

  private final LongAdder others = new LongAdder();
  private final boolean hasOthers;

  /** No decisions yet of these applications. */
  ApplicationDecisions(List<String> names) {
    names.stream().limit(MAX_NAMES).forEach(name -> byName.put(name, new LongAdder()));
    hasOthers = names.size() > MAX_NAMES;
  }

  void count(String application) {
    byName.getOrDefault(application, others).increment();
  }

  /** The counts of all applications, by name; also of those that never decided. */
  public Map<String, Long> all() {
    Map<String, Long> all = new TreeMap<>();
    byName.forEach((name, count) -> all.put(name, count.sum()));
    if (hasOthers) {
      all.put(ApplicationFailures.OTHERS, others.sum());
    }
    return all;
  }
}
