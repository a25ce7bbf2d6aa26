package io.lockstep.core.flow.oracle;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;

/**
 * The tables of a switch (OpenFlow 1.3.5 sections 5.2 to 5.4 and 6.4): entries by priority and
 * match, limits, goto-table. Not thread-safe.
 */
public final class TableSwitch {
  /** What a packet gets where no table says anything. */
  public static final String MISS = "dropped by a table without a last entry";

  /** What a packet gets that is sent up. */
  public static final String CONTROLLER = "controller";

  private static final int MOST_TABLES = 8;

  /** An entry. */
  public static final class Entry {
    final int table;
    public final int priority;
    final TrafficSelector selector;
    final long cookie;
    final long sinceSeconds;
    TrafficTreatment treatment;

    /** Counters. */
    public long packets;

    /** Counters. */
    public long bytes;

    Entry(FlowMod mod, long nowSeconds) {
      sinceSeconds = nowSeconds;
      table = mod.tableId();
      priority = mod.priority();
      selector = mod.selector();
      cookie = mod.cookie();
      treatment = mod.treatment();
    }

    boolean same(FlowMod mod) {
      return table == mod.tableId()
          && priority == mod.priority()
          && selector.criteria().equals(mod.selector().criteria());
    }

    /** The port that it sends to, "controller", or null where it sends on. */
    @Nullable String action() {
      for (Instruction instruction : treatment.allInstructions()) {
        if (instruction instanceof OutputInstruction output) {
          return output.port().equals(PortNumber.CONTROLLER)
              ? CONTROLLER
              : "port " + output.port().toLong();
        }
      }
      return treatment.tableTransition() == null ? "drop" : null;
    }

    /** Whether somebody wrote it with this cookie. */
    public boolean isFrom(long writer) {
      return cookie == writer;
    }

    /** Whether it has this priority. */
    public boolean isFor(int wanted) {
      return priority == wanted;
    }

    /** Whether it is in this table. */
    public boolean isIn(int wanted) {
      return table == wanted;
    }

    /** Whether it is a rule, not an entry that only sends packets on. */
    public boolean isRule() {
      String action = action();
      return action != null && !action.equals(CONTROLLER);
    }
  }

  private final List<Entry> entries = new ArrayList<>();
  private final TreeMap<Integer, Integer> limits = new TreeMap<>();

  /** Flow-mods so far. */
  public int flowMods;

  /** Barriers so far. */
  public int batches;

  /** The time, for the ages of entries. */
  public long nowSeconds;

  /** Whether entries may have time-outs, which they never reach here. */
  public boolean timeouts;

  /** Bounds a table to so many entries. */
  public void limit(int table, int most) {
    limits.put(table, most);
  }

  /** Carries a flow-mod out; the error, or null. */
  public @Nullable String apply(FlowMod mod) {
    flowMods++;
    if (!timeouts && (mod.idleTimeoutSeconds() != 0 || mod.hardTimeoutSeconds() != 0)) {
      throw new AssertionError("an entry with time-outs: " + mod);
    }
    switch (mod.operation()) {
      case ADD -> {
        Entry there = find(mod);
        if (there == null
            && limits.containsKey(mod.tableId())
            && count(mod.tableId()) >= limit(mod.tableId())) {
          return "FLOW_MOD_FAILED/TABLE_FULL";
        }
        Entry made = new Entry(mod, nowSeconds);
        if (there != null) {
          made.packets = there.packets;
          made.bytes = there.bytes;
          entries.remove(there);
        }
        entries.add(made);
      }
      case DELETE_STRICT -> entries.removeIf(entry -> entry.same(mod));
      default -> throw new AssertionError("never sent: " + mod);
    }
    return null;
  }

  private @Nullable Entry find(FlowMod mod) {
    for (Entry entry : entries) {
      if (entry.same(mod)) {
        return entry;
      }
    }
    return null;
  }

  private int limit(int table) {
    return Objects.requireNonNullElse(limits.get(table), Integer.MAX_VALUE);
  }

  /** Entries in a table. */
  public int count(int table) {
    return (int) entries.stream().filter(entry -> entry.table == table).count();
  }

  /** Entries in all tables. */
  public List<Entry> entries() {
    return entries;
  }

  /**
   * Another controller's MODIFY: the actions of entries change, and nothing else (section 6.4).
   *
   * @return how many entries it met
   */
  public int modify(Predicate<Entry> which, TrafficTreatment treatment) {
    List<Entry> met = entries.stream().filter(which).toList();
    met.forEach(entry -> entry.treatment = treatment);
    return met.size();
  }

  /** Who wrote what: the cookies of all entries. */
  public List<Long> cookies() {
    return entries.stream().map(entry -> entry.cookie).toList();
  }

  /** What happens to a packet: "port N", "drop", "controller" or {@link #MISS}. */
  public String follow(Frame frame) {
    int table = 0;
    for (int hop = 0; hop < MOST_TABLES; hop++) {
      Entry best = best(table, frame);
      if (best == null) {
        return MISS;
      }
      String action = best.action();
      if (action != null) {
        return action;
      }
      table = Objects.requireNonNull(best.treatment.tableTransition()).tableId();
    }
    throw new AssertionError("a packet goes round in the tables");
  }

  /**
   * Carries traffic, and counts it.
   *
   * @return the table whose entry sends it out of a port or to the controller
   */
  public int carry(Frame frame, long bytes) {
    int table = 0;
    for (int hop = 0; hop < MOST_TABLES; hop++) {
      Entry best = Objects.requireNonNull(best(table, frame), "each table has a last entry");
      best.packets++;
      best.bytes += bytes;
      if (best.action() != null) {
        return table;
      }
      table = Objects.requireNonNull(best.treatment.tableTransition()).tableId();
    }
    throw new AssertionError("a packet goes round in the tables");
  }

  private @Nullable Entry best(int table, Frame frame) {
    Entry best = null;
    for (Entry entry : entries) {
      if (entry.table == table
          && frame.matches(entry.selector)
          && (best == null || entry.priority > best.priority)) {
        best = entry;
      }
    }
    return best;
  }

  /** What one table with all the rules of this switch would do with a packet. */
  public String asOneTable(Frame frame) {
    Entry best = null;
    for (Entry entry : entries) {
      if (entry.isRule()
          && frame.matches(entry.selector)
          && (best == null || entry.priority > best.priority)) {
        best = entry;
      }
    }
    return best == null ? CONTROLLER : String.valueOf(best.action());
  }

  /** The flow statistics. */
  public List<FlowStats> stats() {
    return entries.stream()
        .map(
            entry ->
                new FlowStats(
                    entry.table,
                    entry.priority,
                    entry.cookie,
                    0,
                    0,
                    1 + nowSeconds - entry.sinceSeconds,
                    entry.packets,
                    entry.bytes,
                    entry.selector,
                    entry.treatment))
        .toList();
  }
}
