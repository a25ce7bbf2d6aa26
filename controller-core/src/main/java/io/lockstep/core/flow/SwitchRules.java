package io.lockstep.core.flow;

import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the rules of one mastered switch are kept. Control loop only. */
interface SwitchRules {
  SwitchConnection connection();

  /** Begins: reads the switch, then follows the intentions. */
  void start();

  /** An intention came, changed or, with null, is gone. */
  void changed(IntentKey key, @Nullable Intent now);

  /** Compares the switch with what it should have. */
  void readBack();

  /** Entries went by themselves. */
  void flowsRemoved(RemovedFlows.Taken removed);

  /** The switch is not mastered here any more. */
  void close();

  /**
   * Flow-mods that an application sends in passing, where they do not go straight to the switch.
   */
  default void soft(List<FlowMod> mods) {
    throw new IllegalStateException("flow-mods go straight to this switch");
  }

  /** What is wrong with the entries, or was a moment ago; empty for nothing. */
  default String trouble() {
    return "";
  }

  /** Rules that were sent again so far since their entries had been deleted or changed. */
  default long putBack() {
    return 0;
  }

  /** The tables; null where rules are not placed, or the switch is not yet read. */
  default @Nullable PlacementReport report() {
    return null;
  }

  /** Why a rule is where it is; null where rules are not placed or there is no such rule. */
  default @Nullable RuleReport explain(IntentKey key) {
    return null;
  }
}
