package io.lockstep.core.flow.placed;

import io.lockstep.core.mastership.FencedWrite;
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
 * The logical table of a switch for the store: the rows as of the last confirmed step, the changes
 * of the plan that is under way, and the rows that the store does not have yet. Owned by one
 * thread.
 */
final class PlacementLedger {
  private static final PlacedRowTable ROWS = new PlacedRowTable();
  private static final PlanTable PLANS = new PlanTable();

  /** Rows in one write: fewer than a fenced write takes, and far below its bytes. */
  private static final int MAX_ROWS = 1_000;

  /** Makes a change of a plan in a ledger. */
  private static final PendingChange.Visitor<PlacementLedger> APPLY =
      new PendingChange.Visitor<>() {
        @Override
        public void put(PendingChange.Put change, PlacementLedger ledger) {
          ledger.put(change.row());
        }

        @Override
        public void drop(PendingChange.Drop change, PlacementLedger ledger) {
          ledger.remove(change.key());
        }

        @Override
        public void live(PendingChange.Live change, PlacementLedger ledger) {
          ledger.live(change.key(), change.live());
        }

        @Override
        public void resize(PendingChange.Resize change, PlacementLedger ledger) {
          ledger.resize(change.layer(), change.units());
        }
      };

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

  /** Units of a layer that others leave; those of its profile where the switch was never read. */
  long capacityOf(int layer, Capacity profile) {
    return layer < capacities.size() ? capacities.get(layer) : profile.units();
  }

  /**
   * The pending changes in the order in which the placer takes them up. Independent changes may be
   * done in any order, so those that are done come first.
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

  /** Makes a change whose step is done. */
  void done(PendingChange one) {
    one.accept(APPLY, this);
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

  /** Marks a rule of the ledger, if it is there, as one that can or cannot win a packet. */
  void live(RuleKey key, boolean live) {
    PlacedRow row = rows.get(key);
    if (row != null && row.live() != live) {
      put(row.withLive(live));
    }
  }

  /** Gives a layer another capacity. */
  void resize(int layer, long units) {
    List<Long> changed = new ArrayList<>(capacities);
    changed.set(layer, units);
    capacities = List.copyOf(changed);
    planUnwritten = true;
  }

  /** Begins a plan; the store must have these changes before the first step. */
  void begin(List<PendingChange> changes, boolean inAnyOrder) {
    planUnwritten |= !changes.equals(pending);
    pending = List.copyOf(changes);
    independent = inAnyOrder;
  }

  /** Ends the plan. */
  void end() {
    begin(List.of(), false);
  }

  /** Whether the store has everything, or is about to. */
  boolean written() {
    return unwritten.isEmpty() && !planUnwritten;
  }

  /**
   * Takes the next writes for the store; empty where the store has everything. The plan comes with
   * the last of the rows. Until then the store has the earlier plan's changes beside newer rows; to
   * apply those changes twice does no harm.
   */
  List<Write> takeWrites() {
    List<Write> writes = new ArrayList<>(takeRows(MAX_ROWS).values());
    Write plan = takePlan();
    if (plan != null) {
      writes.add(plan);
    }
    return writes;
  }

  /** Takes the writes of at most so many rows. */
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

  /** Takes the row of the plan; null while rows are left, or where the store has it. */
  @Nullable Write takePlan() {
    if (!unwritten.isEmpty() || !planUnwritten) {
      return null;
    }
    planUnwritten = false;
    PlanRow row = new PlanRow(profile, epoch, capacities, pending, independent);
    return new Write.Put(PlanTable.NAME, PLANS.encodeKey(dpid), PLANS.encodeValue(row));
  }

  /** The switch has lost all rules. */
  void clear() {
    unwritten.addAll(rows.keySet());
    rows.clear();
  }

  static {
    if (MAX_ROWS >= FencedWrite.MAX_WRITES) {
      throw new IllegalStateException("more rows than a fenced write takes");
    }
  }
}
