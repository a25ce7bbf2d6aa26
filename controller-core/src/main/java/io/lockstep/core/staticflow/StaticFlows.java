package io.lockstep.core.staticflow;

import io.lockstep.core.flow.FlowCatalog;
import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import io.lockstep.store.StoreClient;
import java.util.Map;
import java.util.TreeMap;
import org.onosproject.net.flow.FlowRule;

/** Static flows of a cluster, as a node offers them. Thread-safe. */
public final class StaticFlows {
  /** The application that static flows belong to, in lists. */
  public static final String OWNER = "static";

  /** How long an answer waits until the node's own view shows the change. */
  private static final long VISIBLE_MILLIS = 1_000;

  private static final long OWNER_MASK = 0xffff_0000_0000_0000L;

  private final TableView<String, StaticFlow> flows;
  private final RoomRules rules;
  private final ResourceOffer offer;

  /** Declares the table. */
  public StaticFlows(NodeState state, RoomRules rules, StoreClient store, Alarm alarm) {
    this.rules = rules;
    flows = state.declare(StaticFlowTable.NAME, new StaticFlowTable());
    offer =
        new StaticFlowOffer(
            flows,
            rules,
            store,
            (version, task) -> {
              state.whenVisible(version, task);
              // Whichever comes first completes the answer.
              alarm.after(VISIBLE_MILLIS, task);
            });
  }

  /** What operators may change. */
  public ResourceOffer offer() {
    return offer;
  }

  /** All intended rules, also those that no operator wrote. */
  public FlowCatalog catalog() {
    return rules.catalog();
  }

  /** Whether an operator wrote a rule. */
  public static boolean isStatic(FlowRule rule) {
    return (rule.id().value() & OWNER_MASK) == StaticFlow.OWNER;
  }

  /** The ids that operators chose, by those of the rules. */
  public Map<Long, String> ids() {
    Map<Long, String> ids = new TreeMap<>();
    flows.entries().forEach((id, held) -> ids.put(held.value().ruleId(id), id));
    return ids;
  }
}
