package io.lockstep.core.flow.placed;

import io.lockstep.placer.LogicalChange;
import io.lockstep.placer.Rule;
import io.lockstep.placer.RuleKey;
import io.lockstep.store.codec.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * What a plan that is being carried out says of the ledger, as it is stored before its first step.
 * Each kind of change answers these questions about itself. A new kind does not compile until it
 * does.
 */
sealed interface PendingChange {
  /** This change in the placer's words. */
  LogicalChange logical();

  /** Makes this change in the ledger. */
  void applyTo(PlacementLedger ledger);

  /** The row that this change puts; null where it puts none. */
  @Nullable PlacedRow row();

  /** Appends this change in the format of {@link PlanTable}, which reads it. */
  void writeTo(ByteWriter out);

  /** A rule comes, or has another treatment. */
  record Put(PlacedRow row) implements PendingChange {
    @Override
    public LogicalChange logical() {
      return new LogicalChange.Put(new Rule(row.key(), row.treatment()), row.weight(), row.live());
    }

    @Override
    public void applyTo(PlacementLedger ledger) {
      ledger.put(row);
    }

    @Override
    public void writeTo(ByteWriter out) {
      out.int8(PlanTable.PUT);
      PlacedRowTable.write(row, out);
    }
  }

  /** A rule goes. */
  record Drop(RuleKey key) implements PendingChange {
    @Override
    public LogicalChange logical() {
      return new LogicalChange.Drop(key);
    }

    @Override
    public void applyTo(PlacementLedger ledger) {
      ledger.remove(key);
    }

    @Override
    public @Nullable PlacedRow row() {
      return null;
    }

    @Override
    public void writeTo(ByteWriter out) {
      out.int8(PlanTable.DROP);
      RowKey.writeKey(key, out);
    }
  }

  /** It turned out whether a rule can win a packet. */
  record Live(RuleKey key, boolean live) implements PendingChange {
    @Override
    public LogicalChange logical() {
      return new LogicalChange.Live(key, live);
    }

    @Override
    public void applyTo(PlacementLedger ledger) {
      ledger.live(key, live);
    }

    @Override
    public @Nullable PlacedRow row() {
      return null;
    }

    @Override
    public void writeTo(ByteWriter out) {
      out.int8(PlanTable.LIVE);
      RowKey.writeKey(key, out);
      out.flag(live);
    }
  }

  /** A layer has another capacity. */
  record Resize(int layer, long units) implements PendingChange {
    @Override
    public LogicalChange logical() {
      return new LogicalChange.Resize(layer, units);
    }

    @Override
    public void applyTo(PlacementLedger ledger) {
      ledger.resize(layer, units);
    }

    @Override
    public @Nullable PlacedRow row() {
      return null;
    }

    @Override
    public void writeTo(ByteWriter out) {
      out.int8(PlanTable.RESIZE).int32(layer).int64(units);
    }
  }
}
