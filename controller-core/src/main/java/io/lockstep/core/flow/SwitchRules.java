package io.lockstep.core.flow;

import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the rules of one mastered switch. Control loop only. */
interface SwitchRules {
  SwitchConnection connection();

  /** Begins: reads the switch, then follows the intentions. */
  void start();

  /** An intention is new or has changed; null if the store removed it. */
  void changed(IntentKey key, @Nullable Intent now);

  /** Compares the switch with what it should have. */
  void readBack();

  /** The switch removed entries by itself. */
  void flowsRemoved(RemovedFlows.Taken removed);

  /** This node does not master the switch any more. */
  void close();

  /** Takes the flow-mods of an application, if these do not go straight to the switch. */
  default void soft(List<FlowMod> mods) {
    throw new IllegalStateException("flow-mods go straight to this switch");
  }

  /** What is wrong with the entries, or was a moment ago; empty if all is well. */
  default String trouble() {
    return "";
  }

  /** How many rules the node sent again so far, since others deleted or changed their entries. */
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
