package io.lockstep.core.packet;

import io.lockstep.core.app.Instruction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many decisions of each application the node carried out since its start, on packets and on
 * events. To pass is no decision, and one that broke the application's contract counts as a failure
 * instead ({@link ApplicationFailures}). The names are fixed; beyond {@link #MAX_NAMES}, further
 * ones share an entry. Thread-safe.
 */
public final class ApplicationDecisions {
  private static final String OTHER = "other";

  static final int MAX_NAMES = ApplicationFailures.MAX_NAMES;

  /** Never changes; the counters do. */
  private final Map<String, LongAdder> byName = new HashMap<>();

  /** The same; the maps inside have {@link Instruction.Count#MOST} entries and one at most. */
  private final Map<String, Map<String, LongAdder>> eventsOf = new HashMap<>();

  private final Map<String, LongAdder> asksOf = new HashMap<>();
  private final LongAdder others = new LongAdder();
  private final LongAdder otherAsks = new LongAdder();
  private final boolean hasOthers;

  /** No decisions yet of these applications. */
  ApplicationDecisions(List<String> names) {
    for (String name : names.subList(0, Math.min(MAX_NAMES, names.size()))) {
      byName.put(name, new LongAdder());
      eventsOf.put(name, new ConcurrentHashMap<>());
      asksOf.put(name, new LongAdder());
    }
    hasOthers = names.size() > MAX_NAMES;
  }

  /**
   * Counts a decision.
   *
   * @param events that the application wants to be counted with it
   */
  void count(String application, List<String> events) {
    byName.getOrDefault(application, others).increment();
    Map<String, LongAdder> own = events.isEmpty() ? null : eventsOf.get(application);
    if (own != null) {
      for (String event : events) {
        LongAdder counter = own.get(event);
        if (counter == null) {
          String name = own.size() < Instruction.Count.MOST ? event : OTHER;
          counter = own.computeIfAbsent(name, first -> new LongAdder());
        }
        counter.increment();
      }
    }
  }

  /** Counts a question to the store. */
  void asked(String application) {
    asksOf.getOrDefault(application, otherAsks).increment();
  }

  /** How many questions each application asked the store, by name. */
  public Map<String, Long> asks() {
    Map<String, Long> all = new TreeMap<>();
    asksOf.forEach((name, count) -> all.put(name, count.sum()));
    if (hasOthers) {
      all.put(ApplicationFailures.OTHERS, otherAsks.sum());
    }
    return all;
  }

  /** What applications counted themselves: by the application's name, then what was counted. */
  public Map<String, Map<String, Long>> events() {
    Map<String, Map<String, Long>> all = new TreeMap<>();
    eventsOf.forEach(
        (name, events) -> {
          if (!events.isEmpty()) {
            Map<String, Long> counts = new TreeMap<>();
            events.forEach((event, count) -> counts.put(event, count.sum()));
            all.put(name, counts);
          }
        });
    return all;
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
