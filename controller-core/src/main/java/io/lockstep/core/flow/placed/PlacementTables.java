package io.lockstep.core.flow.placed;

import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import io.lockstep.core.state.TableView.Held;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What this node knows of the stored placements. Thread-safe to read. */
public final class PlacementTables {
  /** The tables, for every client to declare. */
  public static final List<String> NAMES = List.of(PlacedRowTable.NAME, PlanTable.NAME);

  private final TableView<RowKey, PlacedRow> rows;
  private final TableView<Long, PlanRow> plans;

  /** Declares the tables. */
  public PlacementTables(NodeState state) {
    rows = state.declare(PlacedRowTable.NAME, new PlacedRowTable());
    plans = state.declare(PlanTable.NAME, new PlanTable());
  }

  /**
   * The ledger of a switch. It is complete once this node sees itself as the master: its views show
   * every change up to that one, and the store rejects later writes of an earlier master by their
   * fence.
   */
  PlacementLedger ledger(long dpid, long epoch, String profile) {
    List<PlacedRow> mine = new ArrayList<>();
    for (Map.Entry<RowKey, Held<PlacedRow>> entry : rows.entries().entrySet()) {
      if (entry.getKey().dpid() == dpid) {
        mine.add(entry.getValue().value());
      }
    }
    return new PlacementLedger(dpid, epoch, profile, mine, plans.known(dpid));
  }
}
