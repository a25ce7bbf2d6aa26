package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.packet.Packet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One flow table (OpenFlow 1.3.5 sections 5.2 to 5.5 and 6.4). A change is either refused with
 * nothing changed or done completely. Owned by the switch's thread.
 */
public final class FlowTable {
  private final int id;
  private final int maxEntries;
  private final Consumer<FlowRemoved> removals;
  private final Map<Key, FlowEntry> entries = new LinkedHashMap<>();
  private final TupleSpace index = new TupleSpace();
  private final Deadlines deadlines = new Deadlines();
  private long nextSerial;
  private long lookups;
  private long matches;

  /**
   * @param maxEntries capacity; one entry more is refused with TABLE_FULL
   * @param removals called for every entry that goes and had asked for a notice
   */
  FlowTable(int id, int maxEntries, Consumer<FlowRemoved> removals) {
    this.id = id;
    this.maxEntries = maxEntries;
    this.removals = removals;
  }

  /** The entry to execute, counted as used; null on a miss without a table-miss entry. */
  @Nullable FlowEntry lookup(Packet packet, long nowNanos) {
    lookups++;
    FlowEntry entry = index.find(packet);
    if (entry != null) {
      matches++;
      entry.count(packet.length(), nowNanos);
    }
    return entry;
  }

  /** Applies a checked flow-mod for this table; empty when done, else why nothing was changed. */
  Optional<ModelError> apply(FlowMod mod, long nowNanos) {
    switch (mod.command()) {
      case ADD -> {
        return add(mod, nowNanos);
      }
      case MODIFY, MODIFY_STRICT -> modify(mod);
      case DELETE, DELETE_STRICT -> delete(mod, nowNanos);
    }
    return Optional.empty();
  }

  private Optional<ModelError> add(FlowMod mod, long nowNanos) {
    if (mod.flags().contains(FlowFlag.CHECK_OVERLAP) && overlaps(mod)) {
      return Optional.of(ModelError.OVERLAP);
    }
    Key key = new Key(mod.match(), mod.priority());
    FlowEntry old = entries.get(key);
    if (old == null && entries.size() >= maxEntries) {
      return Optional.of(ModelError.TABLE_FULL);
    }
    FlowEntry entry = new FlowEntry(mod, id, nextSerial++, nowNanos);
    if (old != null) {
      // Replaced without a notice; counters stay unless a reset is asked for (section 6.4).
      if (!mod.flags().contains(FlowFlag.RESET_COUNTS)) {
        entry.copyCounts(old);
      }
      take(key, old);
    }
    entries.put(key, entry);
    index.add(entry);
    deadlines.add(entry);
    return Optional.empty();
  }

  private boolean overlaps(FlowMod mod) {
    for (FlowEntry entry : entries.values()) {
      if (entry.priority() == mod.priority() && entry.match().overlaps(mod.match())) {
        return true;
      }
    }
    return false;
  }

  /** Changes instructions only: cookie, time-outs, flags and duration stay (section 6.4). */
  private void modify(FlowMod mod) {
    for (FlowEntry entry : selected(mod)) {
      entry.replaceInstructions(mod.instructions());
      if (mod.flags().contains(FlowFlag.RESET_COUNTS)) {
        entry.resetCounts();
      }
    }
  }

  private void delete(FlowMod mod, long nowNanos) {
    for (FlowEntry entry : selected(mod)) {
      boolean toPort =
          mod.outPort() == PortNumbers.ANY || entry.instructions().outputsTo(mod.outPort());
      if (toPort && mod.outGroupAny()) {
        take(new Key(entry.match(), entry.priority()), entry);
        announce(entry, FlowRemoved.Reason.DELETE, nowNanos);
      }
    }
  }

  private List<FlowEntry> selected(FlowMod mod) {
    List<FlowEntry> selected = new ArrayList<>();
    if (mod.command().isStrict()) {
      FlowEntry entry = entries.get(new Key(mod.match(), mod.priority()));
      if (entry != null && hasCookie(entry, mod.cookie(), mod.cookieMask())) {
        selected.add(entry);
      }
      return selected;
    }
    for (FlowEntry entry : entries.values()) {
      if (mod.match().covers(entry.match()) && hasCookie(entry, mod.cookie(), mod.cookieMask())) {
        selected.add(entry);
      }
    }
    return selected;
  }

  static boolean hasCookie(FlowEntry entry, long cookie, long mask) {
    return ((entry.cookie() ^ cookie) & mask) == 0;
  }

  private void take(Key key, FlowEntry entry) {
    entries.remove(key);
    index.remove(entry);
    deadlines.remove(entry);
  }

  private void announce(FlowEntry entry, FlowRemoved.Reason reason, long nowNanos) {
    if (entry.flags().contains(FlowFlag.SEND_FLOW_REMOVED)) {
      removals.accept(FlowRemoved.of(entry, reason, nowNanos));
    }
  }

  /** Removes entries whose time-out has passed (section 5.5). */
  void expire(long nowNanos) {
    for (FlowEntry entry = deadlines.pollExpired(nowNanos);
        entry != null;
        entry = deadlines.pollExpired(nowNanos)) {
      entries.remove(new Key(entry.match(), entry.priority()));
      index.remove(entry);
      boolean hard = entry.hardExpired(nowNanos);
      announce(
          entry,
          hard ? FlowRemoved.Reason.HARD_TIMEOUT : FlowRemoved.Reason.IDLE_TIMEOUT,
          nowNanos);
    }
  }

  /** When to call {@link #expire} next at the latest; Long.MAX_VALUE for never. */
  long nextDeadlineNanos() {
    return deadlines.nextNanos();
  }

  public int id() {
    return id;
  }

  public int maxEntries() {
    return maxEntries;
  }

  /** Packets looked up since the switch started. */
  public long lookups() {
    return lookups;
  }

  /** Packets that hit an entry. */
  public long matches() {
    return matches;
  }

  /** The live entries in order of installation; a view. */
  public Collection<FlowEntry> entries() {
    return Collections.unmodifiableCollection(entries.values());
  }

  private record Key(FlowMatch match, int priority) {}
}
