package io.lockstep.core.flow.placed;

import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The logical table of a switch as the store has it or is about to: the rows behind what is surely
 * done, the changes of the plan under way, and which rows the store has yet to be told. Owned by
 * one thread.
 */
final class PlacementLedger {
  private static final PlacedRowTable ROWS = new PlacedRowTable();
  private static final PlanTable PLANS = new PlanTable();

  private final long dpid;
  private final long epoch;
  private final String profile;
  private final Map<RuleKey, PlacedRow> rows = new LinkedHashMap<>();
  private final Set<RuleKey> unwritten = new LinkedHashSet<>();
  private List<PendingChange> pending = List.of();
  private boolean independent;
  private boolean planUnwritten;
  private List<Long> capacities = List.of();

  PlacementLedger(
      long dpid, long epoch, String profile, List<PlacedRow> stored, @Nullable PlanRow plan) {
    this.dpid = dpid;
    this.epoch = epoch;
    this.profile = profile;
    stored.forEach(row -> rows.put(row.key(), row));
    if (plan != null) {
      pending = plan.pending();
      independent = plan.independent();
      capacities = plan.capacities();
    }
  }

  @Nullable PlacedRow row(RuleKey key) {
    return rows.get(key);
  }

  Collection<PlacedRow> rows() {
    return rows.values();
  }

  List<PendingChange> pending() {
    return pending;
  }

  void capacities(List<Long> units) {
    capacities = List.copyOf(units);
  }

  List<Long> capacities() {
    return capacities;
  }

  /** Units of a layer that are left for us; by its profile where the switch was never read. */
  long capacityOf(int layer, Capacity profile) {
    return layer < capacities.size() ? capacities.get(layer) : profile.units();
  }

  /**
   * The pending changes in the order in which the placer takes them up. Where any of them may be
   * done, those that are done come first.
   */
  List<PendingChange> pendingFirst(Function<PendingChange, Boolean> done) {
    if (!independent) {
      return pending;
    }
    List<PendingChange> ordered = new ArrayList<>();
    pending.stream().filter(done::apply).forEach(ordered::add);
    pending.stream().filter(one -> !done.apply(one)).forEach(ordered::add);
    return ordered;
  }

  /** A change is done. */
  void done(PendingChange one) {
    one.applyTo(this);
  }

  void put(PlacedRow row) {
    if (!row.equals(rows.put(row.key(), row))) {
      unwritten.add(row.key());
    }
  }

  void remove(RuleKey key) {
    if (rows.remove(key) != null) {
      unwritten.add(key);
    }
  }

  /** A rule, if it is there, can win a packet, or cannot. */
  void live(RuleKey key, boolean live) {
    PlacedRow row = rows.get(key);
    if (row != null && row.live() != live) {
      put(row.withLive(live));
    }
  }

  /** A layer has another capacity. */
  void resize(int layer, long units) {
    List<Long> changed = new ArrayList<>(capacities);
    changed.set(layer, units);
    capacities = List.copyOf(changed);
    planUnwritten = true;
  }

  /** A plan begins: the store is to know these changes before the first step. */
  void begin(List<PendingChange> changes, boolean inAnyOrder) {
    planUnwritten |= !changes.equals(pending);
    pending = List.copyOf(changes);
    independent = inAnyOrder;
  }

  /** No plan is under way any more. */
  void end() {
    begin(List.of(), false);
  }

  boolean written() {
    return unwritten.isEmpty() && !planUnwritten;
  }

  /**
   * Takes what the store is to be told next, at most so many writes. The plan comes with the last
   * of the rows, so that until then the earlier plan's changes count; applied twice they do no
   * harm.
   */
  Map<RuleKey, Write> takeRows(int most) {
    Map<RuleKey, Write> writes = new HashMap<>();
    for (RuleKey key : List.copyOf(unwritten)) {
      if (writes.size() == most) {
        break;
      }
      Bytes at = RowKey.of(dpid, key).encode();
      PlacedRow row = rows.get(key);
      writes.put(
          key,
          row == null
              ? new Write.Remove(PlacedRowTable.NAME, at)
              : new Write.Put(PlacedRowTable.NAME, at, ROWS.encodeValue(row)));
      unwritten.remove(key);
    }
    return writes;
  }

  /** The row of the plan, where no rows are left to write. */
  @Nullable Write takePlan() {
    if (!unwritten.isEmpty() || !planUnwritten) {
      return null;
    }
    planUnwritten = false;
    PlanRow row = new PlanRow(profile, epoch, capacities, pending, independent);
    return new Write.Put(PlanTable.NAME, PLANS.encodeKey(dpid), PLANS.encodeValue(row));
  }

  /** All rules are gone from the switch. */
  void clear() {
    unwritten.addAll(rows.keySet());
    rows.clear();
  }
}
