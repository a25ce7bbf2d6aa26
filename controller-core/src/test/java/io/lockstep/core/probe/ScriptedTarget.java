package io.lockstep.core.probe;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchErrors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;

/** A switch that does what its test says, on a clock of its own: nothing here waits. */
final class ScriptedTarget implements ProbeTarget {
  /** What the switch does with one more rule. */
  interface Memory {
    /**
     * The units that a rule takes in hardware; 0 where hardware does not take it.
     *
     * @param fields by the names of onos-api's criteria
     */
    int units(Set<String> fields);
  }

  private record Key(int table, int priority, TrafficSelector selector) {}

  private record Entry(long cookie, boolean hardware, int units, long goesNanos) {}

  private final Memory memory;
  private final int capacity;
  private final boolean spills;
  private final Map<Key, Entry> entries = new LinkedHashMap<>();

  /** Extra nanoseconds of a packet, by its number: other load on this machine. */
  Function<Integer, Long> noise = number -> 0L;

  /** Asked for each flight: whether nothing of it comes back. */
  BooleanSupplier stalls = () -> false;

  /** Asked for each rule that packets are sent through: whether they tell the wrong place. */
  BooleanSupplier lies = () -> false;

  /** What a flight takes. */
  long nanosPerFlight;

  /** Called before every change. */
  Runnable beforeChange = () -> {};

  boolean countsEntries = true;
  int changes;
  int mostEntries;
  private int flown;
  private int used;
  private long nanos;
  private boolean lying;

  ScriptedTarget(int capacity, boolean spills, Memory memory) {
    this.capacity = capacity;
    this.spills = spills;
    this.memory = memory;
  }

  int entriesNow() {
    return entries.size();
  }

  void foreign(long cookie) {
    entries.put(
        new Key(0, 7, io.lockstep.core.probe.ProbeTest.anyOf("vlan")),
        new Entry(cookie, true, 0, Long.MAX_VALUE));
  }

  private static Set<String> fields(TrafficSelector selector) {
    return selector.criteria().stream()
        .map(Criterion::type)
        .map(Enum::name)
        .collect(Collectors.toSet());
  }

  @Override
  public String openFlow() {
    return "1.3";
  }

  @Override
  public PortNumber port() {
    return PortNumber.portNumber(1);
  }

  @Override
  public List<FlowModOutcome> change(List<FlowMod> mods) {
    beforeChange.run();
    List<FlowModOutcome> outcomes = new ArrayList<>();
    for (FlowMod mod : mods) {
      changes++;
      Key key = new Key(mod.tableId(), mod.priority(), mod.selector());
      switch (mod.operation()) {
        case DELETE -> removeIf(each -> ((each.cookie ^ mod.cookie()) & mod.cookieMask()) == 0);
        case DELETE_STRICT -> {
          Entry gone = entries.remove(key);
          used -= gone == null ? 0 : gone.units;
        }
        default -> {
          String refusal = add(key, mod);
          if (refusal != null) {
            outcomes.add(new FlowModOutcome.Refused(refusal));
            continue;
          }
        }
      }
      outcomes.add(new FlowModOutcome.Installed());
    }
    mostEntries = Math.max(mostEntries, entries.size());
    return outcomes;
  }

  private void removeIf(Predicate<Entry> which) {
    entries
        .values()
        .removeIf(
            each -> {
              boolean goes = which.test(each);
              used -= goes ? each.units : 0;
              return goes;
            });
  }

  private @Nullable String add(Key key, FlowMod mod) {
    int units = memory.units(fields(mod.selector()));
    Entry old = entries.remove(key);
    used -= old == null ? 0 : old.units;
    boolean fits = units > 0 && used + units <= capacity;
    if (!fits && !spills) {
      return units == 0 ? "BAD_MATCH/BAD_FIELD" : SwitchErrors.TABLE_FULL;
    }
    used += fits ? units : 0;
    long goesNanos =
        mod.hardTimeoutSeconds() == 0
            ? Long.MAX_VALUE
            : nanos + TimeUnit.SECONDS.toNanos(mod.hardTimeoutSeconds());
    entries.put(key, new Entry(mod.cookie(), fits, fits ? units : 0, goesNanos));
    lying = lies.getAsBoolean();
    return null;
  }

  @Override
  public List<FlowStats> entries() {
    List<FlowStats> stats = new ArrayList<>();
    entries.forEach(
        (key, entry) ->
            stats.add(
                new FlowStats(
                    key.table,
                    key.priority,
                    entry.cookie,
                    0,
                    0,
                    0,
                    0,
                    0,
                    key.selector,
                    org.onosproject.net.flow.DefaultTrafficTreatment.emptyTreatment())));
    return stats;
  }

  @Override
  public long activeEntries(int table) {
    return countsEntries ? entries.size() : -1;
  }

  @Override
  public long nanos() {
    return nanos;
  }

  /** A processor of 1000 packets per second, 200 us away, that keeps 70. */
  @Override
  public Flight fly(Structure structure, long cookie, int through, int straight) {
    nanos += nanosPerFlight;
    removeIf(each -> each.goesNanos <= nanos);
    if (stalls.getAsBoolean()) {
      return new Flight(new Group(through, 0, 0), new Group(straight, 0, 0), false);
    }
    Entry entry = entries.get(new Key(0, structure.priority(0), structure.selector(0, port())));
    boolean software = entry != null && entry.hardware == lying;
    int back = entry == null ? 0 : software ? Math.min(through, 70) : through;
    long straightNanos = 50_000 + noise.apply(flown++);
    long throughNanos = 50_000 + (software ? 200_000 : 0) + noise.apply(flown++);
    return new Flight(
        new Group(through, back, back == 0 ? 0 : throughNanos),
        new Group(straight, straight, straightNanos),
        back == 0 || straightNanos < throughNanos);
  }
}
